import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { adoptFolder } from '../../src/commands/adoption/adopt.ts';
import { announceCommand } from '../../src/commands/announce.ts';
import { DAY_MS, MINUTE_MS } from '../../src/model/time.ts';
import type { RouteRequest } from '../../src/routes/route.ts';
import { routes } from '../../src/routes/routes.ts';
import { findUnannounced, listAnnouncements } from '../../src/store/definitions/announcements.ts';
import { listIndexDefinitions } from '../../src/store/definitions/definitions.ts';
import { insertCalculation } from '../../src/store/prints/calculations.ts';
import { setStanding } from '../../src/store/prints/standings.ts';
import { basket } from '../helpers/hand-definitions.ts';
import { quietContext } from '../helpers/quiet-context.ts';
import { openStoreFile } from '../helpers/store-file.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const NOW = Date.parse('2026-10-20T12:00:00Z');

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'indices'));
});

const storePath = () => join(folder, 'foremark.db');

const contextAt = (now: number) => quietContext({ store: storePath(), definitions: folder }, now);

function adopt(now: number, names: readonly string[], more: object = {}): void {
  const definition = basket('PAIR', names, { name: 'Pair', base_at: '2026-10-01T00:00:00Z', ...more });
  writeFileSync(join(folder, 'indices', 'pair.json'), JSON.stringify(definition));
  const store = openStoreFile(storePath());
  expect(adoptFolder(store, contextAt(now))).toEqual([]);
  store.close();
}

/** The problems of a changed definition, and what is in force then. */
function refused(now: number, more: object): { problems: string[]; inForce: unknown } {
  const path = join(folder, 'indices', 'pair.json');
  const before = JSON.parse(readFileSync(path, 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...before, ...more }));
  const store = openStoreFile(storePath());
  const problems = adoptFolder(store, contextAt(now)).map((each) => `${each.path}: ${each.message}`);
  const inForce = store.read(listIndexDefinitions)[0]?.definition;
  store.close();
  writeFileSync(path, JSON.stringify(before));
  return { problems, inForce };
}

function unannounced() {
  const store = openStoreFile(storePath());
  const found = store.read((reader) => findUnannounced(reader, 'PAIR'));
  store.close();
  return found;
}

/** What is in force, as JSON: with the order of keys. */
function versions(): unknown[] {
  const store = openStoreFile(storePath());
  const bodies = store.read((reader) =>
    reader.column<string>('SELECT body FROM definitions WHERE withdrawn_at IS NULL'),
  );
  store.close();
  return bodies.map((body) => JSON.parse(body) as unknown);
}

type Row = Record<string, unknown>;

function ask(path: string, now: number, request: Partial<RouteRequest> = {}) {
  const route = routes.find((each) => each.path === path);
  const store = openStoreFile(storePath());
  try {
    const body = store.read((reader) =>
      route?.answer({
        reader,
        now,
        tier: 'public',
        id: '',
        sites: { venue_a: '', venue_b_global: '' },
        ...request,
        query: route.query.parse(request.query ?? {}),
      }),
    );
    return (body && JSON.parse(JSON.stringify(body))) as { data: Row[] } & Row;
  } finally {
    store.close();
  }
}
const titles = (now: number, query: Record<string, unknown> = {}, request: Partial<RouteRequest> = {}) =>
  ask('/announcements', now, { ...request, query }).data.map((row) => row.title);

describe('announcements', () => {
  it('[2.8/1] a changed definition announces a rebalance with added_markets and removed_markets', () => {
    adopt(NOW, ['A', 'B']);
    adopt(NOW + 1, ['A', 'B']);
    adopt(NOW + 2, ['A', 'B'], { name: 'Two' });
    expect(ask('/announcements', NOW + 2, { tier: 'authenticated' }).data).toEqual([]);
    adopt(NOW + 3, ['B', 'C']);
    adopt(NOW + 2 * DAY_MS, ['B', 'C'], { weighting: { scheme: 'equal', cap: 0.9 } });
    adopt(NOW + 4 * DAY_MS, ['B', 'C'], {
      weighting: { scheme: 'equal', cap: 0.9 },
      book_check: { max_spread_cents: 5 },
    });
    expect(ask('/announcements', NOW + 4 * DAY_MS, { tier: 'authenticated' }).data).toEqual([
      expect.objectContaining({ type: 'methodology_update', title: 'Other rules for PAIR' }),
      expect.objectContaining({ title: 'Rebalance of PAIR', added_markets: [], removed_markets: [] }),
      {
        announcement_id: '1',
        type: 'rebalance',
        index_id: 'PAIR',
        title: 'Reconstitution of PAIR',
        body: 'Pair adds 1 constituent and removes 1 constituent.',
        announced_at: '2026-10-20T12:00:00.003Z',
        effective_at: '2026-10-21T12:00:00.003Z',
        added_markets: [{ market_id: 'venue_a:C' }],
        removed_markets: [{ market_id: 'venue_a:A' }],
      },
    ]);
  });

  it('[2.8/1] another order of keys and another form of an instant announce nothing, whatever else changes', () => {
    const weighted = (attributes: object, more: object) => ({
      weighting: { scheme: 'attribute', attribute: 'votes' },
      constituents: ['A', 'B'].map((name) => ({ market_id: `venue_a:${name}`, attributes })),
      ...more,
    });
    adopt(NOW, [], weighted({ votes: 10, seats: 2 }, {}));
    const [first] = versions();
    adopt(NOW + 1, [], weighted({ seats: 2, votes: 10 }, { base_at: '2026-10-01T02:00:00+02:00' }));
    expect(versions()).toEqual([first]);
    adopt(NOW + 2, [], weighted({ seats: 2, votes: 10 }, { base_at: '2026-10-01', name: 'Two' }));
    expect(ask('/announcements', NOW + 2, { tier: 'authenticated' }).data).toEqual([]);
    const [renamed] = versions();
    expect(renamed).toMatchObject({ name: 'Two', base_at: '2026-10-01T00:00:00Z' });
    adopt(NOW + 3, [], weighted({ seats: 2, votes: 11 }, {}));
    expect(titles(NOW + 3, {}, { tier: 'authenticated' })).toEqual(['Rebalance of PAIR']);
  });

  it('[2.8/1] a deletion at a stated price is announced as a corporate action, once for each price', () => {
    const deletions = (price_cents: number, at: string) => ({
      deletions: [{ market_id: 'venue_a:A', at, price_cents }],
    });
    adopt(NOW, ['A', 'B']);
    adopt(NOW + 1, ['A', 'B'], deletions(5, '2026-10-25T00:00:00Z'));
    // The notice names the day of the deletion, which is later than that of the definition: verify takes it for that one's.
    expect(unannounced()).toBeUndefined();
    adopt(NOW + 2, ['A', 'B'], deletions(5, '2026-10-25T00:00:00Z'));
    adopt(NOW + 3, ['A', 'B'], deletions(4, '2026-10-20T00:00:00Z'));
    expect(ask('/announcements', NOW + DAY_MS, { tier: 'authenticated' }).data).toEqual([
      expect.objectContaining({ effective_at: '2026-10-21T12:00:00.003Z' }),
      expect.objectContaining({
        type: 'corporate_action',
        title: 'Deletion from PAIR called off',
        body: 'The deletion announced as "Pair takes venue_a:A out at 5 cents a contract." does not take place.',
        effective_at: '2026-10-25T00:00:00Z',
      }),
      {
        announcement_id: '1',
        type: 'corporate_action',
        index_id: 'PAIR',
        title: 'Deletion from PAIR',
        body: 'Pair takes venue_a:A out at 5 cents a contract.',
        announced_at: '2026-10-20T12:00:00.001Z',
        effective_at: '2026-10-25T00:00:00Z',
      },
    ]);
  });

  it('[2.8/1] a deletion is not announced again with another change, nor once the constituent is out', () => {
    const deletions = (price_cents: number) => [
      { market_id: 'venue_a:A', at: '2026-10-25T00:00:00Z', price_cents },
    ];
    const capped = { weighting: { scheme: 'equal', cap: 0.9 } };
    adopt(NOW, ['A', 'B']);
    adopt(NOW + 1, ['A', 'B'], { deletions: deletions(5) });
    adopt(NOW + 2 * DAY_MS, ['A', 'B'], { deletions: deletions(5), ...capped });
    adopt(NOW + 9 * DAY_MS, ['A', 'B'], { deletions: deletions(4), ...capped });
    expect(titles(NOW + 10 * DAY_MS)).toEqual([
      'Other rules for PAIR',
      'Rebalance of PAIR',
      'Deletion from PAIR',
    ]);
  });

  it('[2.8/1] a deletion that is dropped before its day is called off, and announced anew when it returns', () => {
    const of = (name: string) => ({
      market_id: `venue_a:${name}`,
      at: '2026-10-25T00:00:00Z',
      price_cents: 5,
    });
    const both = { deletions: [of('A'), of('B')] };
    const said = (after: number) =>
      ask('/announcements', NOW + 20 * DAY_MS, {
        tier: 'authenticated',
        query: { from: new Date(after).toISOString() },
      }).data.map(({ title, body }) => `${title}: ${body}`);
    adopt(NOW, ['A', 'B', 'C']);
    adopt(NOW + 1, ['A', 'B', 'C'], both);
    // In force for a day with another constituent, then one of the two is dropped.
    adopt(NOW + 2 * DAY_MS, ['A', 'B', 'C'], { ...both, name: 'Trio' });
    expect(said(NOW + 2)).toEqual([]);
    adopt(NOW + 2 * DAY_MS + 1, ['A', 'B', 'C'], { deletions: [of('B')] });
    expect(said(NOW + 2)).toEqual([
      'Deletion from PAIR called off: The deletion announced as "Pair takes venue_a:A out at 5 cents a contract." does not take place.',
    ]);
    // Its file is removed, and comes back.
    const path = join(folder, 'indices', 'pair.json');
    const away = `${path}.away`;
    renameSync(path, away);
    const store = openStoreFile(storePath());
    adoptFolder(store, contextAt(NOW + 3 * DAY_MS));
    adoptFolder(store, contextAt(NOW + 3 * DAY_MS + 1));
    expect(said(NOW + 3 * DAY_MS)).toEqual([
      'Deletion from PAIR called off: The deletion announced as "Pair takes venue_a:B out at 5 cents a contract." does not take place.',
    ]);
    renameSync(away, path);
    adoptFolder(store, contextAt(NOW + 3 * DAY_MS + 2));
    store.close();
    expect(said(NOW + 3 * DAY_MS + 2)).toEqual([
      'Deletion from PAIR: Pair takes venue_a:B out at 5 cents a contract.',
    ]);
  });

  it('[2.8/1] deletions in a new definition are announced with it, except those long past', () => {
    adopt(NOW, ['A', 'B'], {
      deletions: [
        { market_id: 'venue_a:A', at: '2026-10-05T00:00:00Z', price_cents: 5 },
        { market_id: 'venue_a:B', at: '2026-12-01T00:00:00Z', price_cents: 5 },
      ],
    });
    expect(ask('/announcements', NOW + DAY_MS).data).toMatchObject([
      { body: 'Pair takes venue_a:B out at 5 cents a contract.', effective_at: '2026-12-01T00:00:00Z' },
    ]);
  });

  it('[2.8/1] a change takes effect a day after its announcement, or later if its definition says so; a replaced one never does', () => {
    const effective = () => ask('/announcements', NOW + DAY_MS).data.map((row) => row.effective_at);
    adopt(NOW, ['A', 'B']);
    adopt(NOW, ['A', 'C'], { effective_at: '2026-10-20T13:00:00Z' });
    expect(effective()).toEqual(['2026-10-21T12:00:00Z']);
    adopt(NOW + 1, ['A', 'C'], { effective_at: '2026-11-01T00:00:00Z' });
    expect(effective()).toEqual(['2026-11-01T00:00:00Z', '2026-10-21T12:00:00Z', '2026-10-21T12:00:00Z']);
    expect(titles(NOW + DAY_MS)).toEqual([
      'Reconstitution of PAIR',
      'Change of PAIR called off',
      'Reconstitution of PAIR',
    ]);
  });

  it('a change that is reverted before it takes effect is called off; new text alone changes nothing', () => {
    adopt(NOW, ['A', 'B']);
    adopt(NOW, ['A', 'C']);
    adopt(NOW + 1, ['A', 'C'], { name: 'Two' });
    expect(titles(NOW + DAY_MS)).toEqual(['Reconstitution of PAIR']);
    adopt(NOW + 2, ['A', 'B']);
    expect(titles(NOW + DAY_MS)).toEqual(['Change of PAIR called off', 'Reconstitution of PAIR']);
  });

  it('[2.8/1] a calendar rebalance is announced once, in the week before it', () => {
    const monthly = { scheme: 'equal', rebalances: { every: 'month', day: 28, time: '10:00' } };
    adopt(NOW, ['A', 'B'], { weighting: monthly });
    const first = NOW + 3 * DAY_MS;
    expect(titles(first)).toEqual([]);
    for (const days of [3, 4, 5]) adopt(NOW + days * DAY_MS, ['A', 'B'], { weighting: monthly });
    expect(ask('/announcements', NOW + 5 * DAY_MS).data).toMatchObject([
      {
        title: 'Rebalance of PAIR',
        announced_at: '2026-10-23T12:00:00Z',
        effective_at: '2026-10-28T14:00:00Z',
      },
    ]);
  });

  it('[2.8/1] an announced rebalance that is dropped is called off, and announced anew when it returns', () => {
    const weekly = { weighting: { scheme: 'equal', rebalances: { every: 'week', day: 1, time: '10:00' } } };
    const said = (days: number) =>
      ask('/announcements', NOW + days * DAY_MS, { tier: 'authenticated' }).data.map((row) => [
        row.title,
        row.effective_at,
      ]);
    const monday = '2026-10-26T14:00:00Z';
    adopt(NOW, ['A', 'B'], weekly);
    expect(said(0)).toEqual([['Rebalance of PAIR', monday]]);
    // Dropping the calendar on Wednesday cancels Monday's rebalance.
    adopt(NOW + 1, ['A', 'B']);
    const off = ['Change of PAIR called off', monday];
    expect(said(1)[0]).toEqual(off);
    adopt(NOW + 2, ['A', 'B']);
    expect(said(1)).toHaveLength(3);
    adopt(NOW + 3, ['A', 'B'], weekly);
    expect(said(1)[0]).toEqual(['Rebalance of PAIR', monday]);
    // Removing its file cancels it too.
    rmSync(join(folder, 'indices', 'pair.json'));
    const store = openStoreFile(storePath());
    expect(adoptFolder(store, contextAt(NOW + 4))).toEqual([]);
    const told = store.read((reader) => listAnnouncements(reader, { until: NOW + 4 }));
    expect(told[0]).toMatchObject({ title: off[0], effective_at: Date.parse(monday) });
    store.close();
  });

  describe('[2.8/1] while a change waits', () => {
    const monthly = {
      weighting: { scheme: 'equal', rebalances: { every: 'month', day: 28, time: '10:00' } },
    };
    const later = { effective_at: '2026-11-15T00:00:00Z' };
    const scheduledBy = (until: number) =>
      ask('/announcements', until, { tier: 'authenticated' })
        .data.filter((row) => String(row.body).endsWith('as scheduled.'))
        .map((row) => row.effective_at);

    it('the calendar in force is announced', () => {
      adopt(NOW, ['A', 'B'], monthly);
      for (const days of [1, 5, 35]) adopt(NOW + days * DAY_MS, ['A', 'B'], later);
      expect(scheduledBy(NOW + 35 * DAY_MS)).toEqual(['2026-10-28T14:00:00Z']);
    });

    it('its own calendar is announced only once it takes effect', () => {
      adopt(NOW, ['A', 'B']);
      for (const days of [1, 5, 35]) adopt(NOW + days * DAY_MS, ['A', 'B'], { ...monthly, ...later });
      expect(scheduledBy(NOW + 35 * DAY_MS)).toEqual(['2026-11-28T15:00:00Z']);
    });
  });

  it('[2.8/1] calendar rebalances before the index was adopted are not announced, though a first fill was cut off', () => {
    const monthly = { scheme: 'equal', rebalances: { every: 'month', day: 5, time: '10:00' } };
    adopt(NOW, ['A', 'B'], { weighting: monthly });
    const store = openStoreFile(storePath());
    const { definition_key = 0 } = store.read(listIndexDefinitions)[0] ?? {};
    const cutOffAt = Date.parse('2026-10-02T00:00:00Z');
    store.write((writer) =>
      setStanding(writer, { kind: 'index', ticker: 'PAIR' }, { calculated_to: cutOffAt, definition_key }),
    );
    store.close();
    adopt(NOW, ['A', 'B'], { weighting: monthly });
    expect(titles(NOW + DAY_MS)).toEqual([]);
  });

  it('[4.6/2] the public tier sees a notice fifteen minutes after its date, in the list and by itself', () => {
    adopt(NOW, ['A', 'B']);
    adopt(NOW, ['A', 'C']);
    const delay = 15 * MINUTE_MS;
    expect(titles(NOW + delay - 1)).toEqual([]);
    expect(titles(NOW + delay)).toEqual(['Reconstitution of PAIR']);
    expect(ask('/announcements/{id}', NOW + delay - 1, { id: '1' })).toBeUndefined();
    expect(ask('/announcements/{id}', NOW + delay, { id: '1' })).toMatchObject({ announcement_id: '1' });
    expect(ask('/announcements/{id}', NOW + delay, { id: '01' })).toBeUndefined();
    expect(titles(NOW, {}, { tier: 'authenticated' })).toEqual(['Reconstitution of PAIR']);
  });

  it('[4.6/1] are filtered by type, from, to and index, newest first', () => {
    adopt(NOW, ['A', 'B']);
    const say = (minutes: number, title: string, more: object = {}) =>
      announceCommand(contextAt(NOW + minutes * MINUTE_MS), {
        type: 'methodology_update',
        title,
        body: 'b',
        ...more,
      });
    say(0, 'first');
    say(1, 'second', { index: 'PAIR', type: 'corporate_action' });
    say(2, 'third', { effective: NOW + 100 * MINUTE_MS });
    const later = NOW + 60 * MINUTE_MS;
    expect(titles(later)).toEqual(['third', 'second', 'first']);
    expect(titles(later, { type: 'corporate_action' })).toEqual(['second']);
    expect(titles(later, { index: 'PAIR' })).toEqual(['second']);
    expect(titles(later, { index: '' })).toEqual(['third', 'second', 'first']);
    expect(titles(later, { from: '2026-10-20T12:01:00Z' })).toEqual(['third', 'second']);
    expect(titles(later, { to: '2026-10-20T12:01:00Z' })).toEqual(['second', 'first']);
    const [third] = ask('/announcements', later).data;
    expect(third).toMatchObject({ effective_at: '2026-10-20T13:40:00Z' });
    expect(third).not.toHaveProperty('added_markets');
    expect(() => say(3, 'of nothing', { index: 'NONE' })).toThrow('no index has the ticker NONE');
  });

  it('none is dated before the last run by a slow clock, since its date would stay', () => {
    adopt(NOW, ['A', 'B']);
    const store = openStoreFile(storePath());
    store.write((writer) => insertCalculation(writer, NOW + 1));
    store.close();
    const say = (now: number) =>
      announceCommand(contextAt(now), { type: 'corporate_action', title: 'said', body: 'b' });
    expect(() => say(NOW)).toThrow('now must not be before the last run');
    say(NOW + 1);
    expect(titles(NOW + DAY_MS)).toEqual(['said']);
  });

  it("[5/2] a notice about an organization's index is for its keys alone", () => {
    const own = { visibility: 'organization', organization: 'org_a' };
    adopt(NOW, ['A', 'B'], own);
    adopt(NOW, ['A', 'C'], own);
    const later = NOW + 60 * MINUTE_MS;
    expect(titles(later)).toEqual([]);
    expect(titles(later, {}, { tier: 'authenticated', organization: 'org_b' })).toEqual([]);
    expect(titles(later, {}, { tier: 'authenticated', organization: 'org_a' })).toHaveLength(1);
  });

  it('are never changed and never removed', () => {
    adopt(NOW, ['A', 'B']);
    adopt(NOW, ['A', 'C']);
    const store = openStoreFile(storePath());
    const attempt = (sql: string) => () => store.write((writer) => writer.run(sql));
    expect(attempt("UPDATE announcements SET title = 'x'")).toThrow('never changed');
    expect(attempt('DELETE FROM announcements')).toThrow('never removed');
    store.close();
  });
});

describe('an index that has printed keeps the fields that define its level', () => {
  const printed = (body: object) => {
    const store = openStoreFile(storePath());
    store.write((writer) =>
      setStanding(
        writer,
        { kind: 'index', ticker: 'PAIR' },
        { calculated_to: NOW, definition_key: 1, ...body },
      ),
    );
    store.close();
  };
  const changes = [
    { methodology: 'gauge', quote_convention: 'probability' },
    { base_at: '2026-11-01T00:00:00Z' },
    { base_level: 100 },
  ];

  it('another value is refused, and the earlier definition stays', () => {
    adopt(NOW, ['A', 'B']);
    printed({ body: { level: 1000, divisor: 1, cash: 0, lines: [] } });
    const found = changes.map((each) => refused(NOW + 1, each));
    expect(found.map((each) => each.problems)).toEqual([
      ['methodology: PAIR has printed, so this must stay "basket"'],
      ['base_at: PAIR has printed, so this must stay "2026-10-01T00:00:00Z"'],
      ['base_level: PAIR has printed, so this must stay 1000'],
    ]);
    for (const { inForce } of found)
      expect(inForce).toMatchObject({
        methodology: 'basket',
        base_level: 1000,
        base_at: '2026-10-01T00:00:00Z',
      });
    adopt(NOW + 1, ['A', 'B'], { base_at: '2026-10-01T00:00:00.000Z' });
    expect(titles(NOW + DAY_MS)).toEqual([]);
  });

  it('a total return keeps its base index', () => {
    for (const ticker of ['ONE', 'TWO']) {
      adopt(NOW, ['A', 'B'], { ticker });
      renameSync(join(folder, 'indices', 'pair.json'), join(folder, 'indices', `${ticker}.json`));
    }
    adopt(NOW, [], {
      methodology: 'total_return',
      base_index_id: 'ONE',
      weighting: undefined,
      constituents: undefined,
    });
    printed({ body: { level: 1000, divisor: 1, cash: 0, lines: [] } });
    expect(refused(NOW + 1, { base_index_id: 'TWO' }).problems).toEqual([
      'base_index_id: PAIR has printed, so this must stay "ONE"',
    ]);
  });

  it('before its first print everything may change', () => {
    adopt(NOW, ['A', 'B']);
    printed({});
    for (const each of changes) expect(refused(NOW + 1, each).problems).toEqual([]);
  });
});
