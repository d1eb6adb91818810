import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { assert, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { planChange } from '../../src/methodology/index-changes.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import type { Observation } from '../../src/model/observation.ts';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { insertAnnouncement } from '../../src/store/definitions/announcements.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { HASHED_FIELDS, linkHash } from '../../src/store/prints/print-chain.ts';
import { findRatePrint, RateRecord } from '../../src/store/prints/rate-prints.ts';
import { openStore, type Value } from '../../src/store/store.ts';
import { basket, rate as defineRate } from '../helpers/hand-definitions.ts';
import { announceChange } from '../helpers/hand-store.ts';
import { market } from '../helpers/small-store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Row = Record<string, Value>;

const START = Date.parse('2026-03-01T00:00:00Z');
const IDS = ['venue_a:ONE', 'venue_a:TWO'] as const;

const index = indexDefinition.parse(
  basket('PAIR', ['ONE', 'TWO'], { name: 'Two names', base_at: formatInstant(START) }),
);
const rate = rateDefinition.parse(defineRate('MEAN', ['ONE', 'TWO'], { start_at: formatInstant(START) }));

describe('verify', () => {
  /** The file of a store after the three runs. */
  let whole: Buffer;
  let path: string;

  beforeAll(() => {
    const made = join(temporaryFolder(), 'foremark.db');
    const store = openStore(made);
    store.write((writer) => {
      for (const market_id of IDS) upsertMarket(writer, market({ market_id }), START);
      adoptDefinitions(writer, { indices: [index], rates: [rate] }, START, { keepMissing: false });
    });
    // Three runs: each brings four hours of quotes and calculates.
    for (const run of [1, 2, 3]) {
      const now = START + run * 4 * HOUR_MS;
      store.write((writer) => {
        for (const [i, id] of IDS.entries())
          for (let hour = 4 * run - 4; hour <= 4 * run; hour++) {
            const bid = 0.3 + 0.01 * ((hour * (i + 2)) % 7);
            const observations = [{ observed_at: START + hour * HOUR_MS, bid, ask: bid + 0.02 }];
            insertObservations(writer, marketKey(writer, id), { series: 'quote', observations }, now);
          }
      });
      compute(store, now, () => {});
    }
    store.close();
    whole = readFileSync(made);
  });

  beforeEach(() => {
    path = join(temporaryFolder(), 'foremark.db');
    writeFileSync(path, whole);
  });

  const verified = (tickers: string[] = [], [from, to]: readonly [number, number] = [0, 1e3]) => {
    const store = openStore(path, { readonly: true });
    const range = { from: START + from * HOUR_MS, to: START + to * HOUR_MS };
    const report = store.read((reader) => verify(reader, tickers, range));
    store.close();
    return report;
  };

  /** Opens the file behind the store's back, without the triggers that protect prints. */
  const openUnprotected = () => {
    const database = new Database(path);
    database.pragma('foreign_keys = OFF');
    const triggers = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    for (const name of triggers) database.exec(`DROP TRIGGER ${name}`);
    return database;
  };

  const tamper = (sql: string) => {
    const database = openUnprotected();
    database.exec(sql);
    database.close();
  };

  /** Replaces the prints up to an hour by those another version of the methodology would have made, all with old hashes. */
  const remake = (table: keyof typeof HASHED_FIELDS, ticker: string, hour: number, change: Row) => {
    const database = openUnprotected();
    const blobs = database.prepare(
      table === 'index_prints'
        ? `SELECT receipt, market_keys, quantities FROM index_prints JOIN index_receipts USING (print_id)
           JOIN holdings USING (holding_id) WHERE print_id = ?`
        : 'SELECT market_keys, receipt FROM rate_prints WHERE print_id = ?',
    );
    const prints = database.prepare(`SELECT * FROM ${table} WHERE ticker = ? ORDER BY print_id`).all(ticker);
    let last: Buffer | null = null;
    for (const print of prints as (Row & { print_id: number; at: number })[]) {
      const made: Row = { ...print, ...(print.at <= START + hour * HOUR_MS ? change : {}) };
      const row = Object.fromEntries(HASHED_FIELDS[table][0].map((field) => [field, made[field] ?? null]));
      const hash: Buffer = linkHash(last, row, Object.values(blobs.get(print.print_id) as object));
      const set = [...Object.keys(change), 'previous_hash', 'hash'].map((field) => `${field} = ?`).join();
      const values = [...Object.keys(change).map((field) => made[field]), last, hash, print.print_id];
      database.prepare(`UPDATE ${table} SET ${set}, hash_form = 0 WHERE print_id = ?`).run(...values);
      last = hash;
    }
    database.close();
  };

  it('recalculates every print of every run to the same values', () => {
    expect(verified()).toEqual({
      tickers: 2,
      chained: 26,
      recalculated: 26,
      of_other_versions: {},
      announcements: 0,
      differences: [],
    });
    expect(verified(['PAIR'])).toMatchObject({ tickers: 1, chained: 13, recalculated: 13 });
  });

  it('checks the hash chain of prints by another methodology version, and recalculates those after them', () => {
    remake('index_prints', 'PAIR', 4, { methodology_version: 'basket-0.9', level: 1 });
    remake('rate_prints', 'MEAN', 8, { methodology_version: 'simple_average-0.9', price: 0.99 });
    const of_other_versions = { 'basket-0.9': 5, 'simple_average-0.9': 9 };
    expect(verified()).toMatchObject({ chained: 26, recalculated: 12, of_other_versions, differences: [] });
    expect(verified([], [0, 4])).toMatchObject({ recalculated: 0, differences: [] });
    expect(verified([], [6, 9])).toMatchObject({ recalculated: 5, differences: [] });
    tamper(`UPDATE price_tail SET bid = bid + 0.005 WHERE observed_at = ${START + 6 * HOUR_MS}`);
    expect(verified().differences).toMatchObject([{ ticker: 'PAIR', at: START + 6 * HOUR_MS }]);
  });

  it('recalculates nothing that another version made, but all of a later recalculation', () => {
    const made = { methodology_version: 'simple_average-0.9', price: 0.99 };
    remake('rate_prints', 'MEAN', 12, made);
    tamper(`UPDATE standings SET body = json_patch(body, '${JSON.stringify(made)}') WHERE ticker = 'MEAN'`);
    expect(verified(['MEAN'])).toMatchObject({ chained: 13, recalculated: 0, differences: [] });
    const store = openStore(path);
    const now = START + 13 * HOUR_MS;
    backfill(store, { tickers: ['MEAN'], from: START + 6 * HOUR_MS, to: now }, now, () => {});
    store.close();
    expect(verified(['MEAN'])).toMatchObject({ chained: 20, recalculated: 7, differences: [] });
  });
  it('does not repeat a recalculation that another version made', () => {
    const store = openStore(path);
    const now = START + 13 * HOUR_MS;
    const late = { observed_at: START + 6.5 * HOUR_MS, bid: 0.4, ask: 0.42 };
    store.write((writer) =>
      insertObservations(writer, marketKey(writer, IDS[0]), { series: 'quote', observations: [late] }, now),
    );
    backfill(
      store,
      { tickers: ['MEAN'], from: START + 6 * HOUR_MS, to: now, every_minutes: 30 },
      now,
      () => {},
    );
    store.close();
    const made = { methodology_version: 'simple_average-0.9' };
    remake('rate_prints', 'MEAN', 13, made);
    tamper(`UPDATE standings SET body = json_patch(body, '${JSON.stringify(made)}') WHERE ticker = 'MEAN';
      UPDATE price_tail SET bid = bid + 0.005 WHERE observed_at = ${START + 7 * HOUR_MS}`);
    expect(verified(['MEAN'])).toMatchObject({ recalculated: 0, differences: [] });
  });

  it('recalculates only the prints of a range, starting from the one before it, and checks the whole chain', () => {
    expect(verified(['PAIR'], [5, 8])).toMatchObject({ chained: 13, recalculated: 4, differences: [] });
    expect(verified(['MEAN'], [5.5, 8.5])).toMatchObject({ chained: 13, recalculated: 3, differences: [] });
    expect(verified([], [-9, -1])).toMatchObject({ chained: 26, recalculated: 0, differences: [] });
    expect(verified([], [20, 30])).toMatchObject({ chained: 26, recalculated: 0, differences: [] });
  });

  it('finds an altered input through the ranges that rest on it', () => {
    tamper(`UPDATE price_tail SET bid = bid + 0.005 WHERE observed_at = ${START + 6 * HOUR_MS}`);
    for (const range of [
      [6, 6],
      [0, 7],
      [5.5, 20],
    ] as const)
      expect(verified(['PAIR'], range)).toMatchObject({ differences: [{ at: START + 6 * HOUR_MS }] });
    for (const range of [
      [0, 5],
      [6.5, 20],
    ] as const)
      expect(verified([], range).differences).toEqual([]);
  });

  it('uses what was known at each run: a late price changes no earlier print', () => {
    const store = openStore(path);
    const late = START + 13 * HOUR_MS;
    store.write((writer) => {
      const observations = [{ observed_at: START + 2 * HOUR_MS, bid: 0.9, ask: 0.92 }];
      insertObservations(writer, marketKey(writer, IDS[0]), { series: 'quote', observations }, late);
    });
    store.close();
    expect(verified().differences).toEqual([]);
  });

  it.each([
    ['a level is altered', 'UPDATE index_prints SET level = level + 1e-9 WHERE print_id = 5', 4],
    [
      'a receipt is altered',
      'UPDATE index_receipts SET receipt = zeroblob(length(receipt)) WHERE print_id = 5',
      4,
    ],
    ['a quantity is altered', 'UPDATE holdings SET quantities = zeroblob(16) WHERE holding_id = 1', 0],
    ['a print is gone', 'DELETE FROM index_prints WHERE print_id = 5', 5],
    ['the last print is gone', 'DELETE FROM index_prints WHERE print_id = 13', 12],
    [
      'no run is known that made it',
      `DELETE FROM calculations WHERE calculated_at > ${START + 8 * HOUR_MS}`,
      9,
    ],
    ['the ledger is altered', 'UPDATE divisor_steps SET level_after = 999', 0],
    ['a step is gone', 'DELETE FROM divisor_steps', 0],
    ['a definition is altered', `UPDATE definitions SET body = replace(body, 'Two names', 'Three')`, 0],
    [
      'a definition is under another ticker',
      `UPDATE definitions SET ticker = 'PEAR' WHERE ticker = 'PAIR'`,
      0,
    ],
    ['a close is altered', 'UPDATE daily_closes SET at = at - 3600000', 4],
    ['the standing is altered', `UPDATE standings SET body = replace(body, '"level":', '"level":1')`, 12],
  ])('names the first print where %s', (_what, sql, hour) => {
    tamper(sql);
    const [first] = verified(['PAIR']).differences;
    expect(first).toMatchObject({ kind: 'index', ticker: 'PAIR', at: START + hour * HOUR_MS });
  });

  it.each([
    ['the standing', `UPDATE standings SET body = replace(body, '{', '[') WHERE ticker = 'PAIR'`],
    ['a line of the ledger', `UPDATE divisor_steps SET market_ids = replace(market_ids, '[', '{')`],
  ])('names a series of which %s cannot be read, and verifies the others', (_what, sql) => {
    tamper(sql);
    tamper('UPDATE daily_closes SET at = at - 3600000');
    expect(verified().differences).toMatchObject([
      { ticker: 'PAIR', at: START + 12 * HOUR_MS, reason: expect.stringMatching(/of PAIR.* cannot be read/) },
      { ticker: 'MEAN', at: START + 4 * HOUR_MS },
    ]);
  });

  it('names a definition that cannot be read', () => {
    tamper(`UPDATE definitions SET body = replace(body, '{', '['), digest = 'unread' WHERE ticker = 'PAIR'`);
    expect(() => verified()).toThrow('the definition of PAIR cannot be read');
  });

  it.each([
    ['is gone', 'DELETE FROM restatements'],
    ['has another value', 'UPDATE restatements SET old_value = old_value + 1'],
    ['has another reason', `UPDATE restatements SET reason = 'revised_price'`],
    ['stands alone', 'UPDATE restatements SET revision = revision + 1'],
  ])('names a print whose restatement %s', (_what, sql) => {
    const store = openStore(path);
    const now = START + 13 * HOUR_MS;
    store.write((writer) => {
      const observations = [{ observed_at: START + 2 * HOUR_MS + 1, bid: 0.9, ask: 0.92 }];
      insertObservations(writer, marketKey(writer, IDS[0]), { series: 'quote', observations }, now);
    });
    backfill(store, { tickers: [], from: START, to: now, every_minutes: 30 }, now, () => {});
    store.close();
    expect(verified().differences).toEqual([]);
    tamper(sql);
    const at = START + 2.5 * HOUR_MS;
    expect(verified().differences).toMatchObject([
      { ticker: 'PAIR', at },
      { ticker: 'MEAN', at },
    ]);
  });

  it('uses the definitions each run had, even when they changed at its very instant and it was repeated', () => {
    const now = START + 12 * HOUR_MS;
    const store = openStore(path);
    const second = rateDefinition.parse({ ...rate, sources: [{ market_id: IDS[1] }] });
    for (const rates of [[second], [], [rate]]) {
      store.write((writer) => adoptDefinitions(writer, { indices: [], rates }, now, { keepMissing: false }));
      compute(store, now, () => {});
    }
    store.close();
    expect(verified()).toMatchObject({ tickers: 2, chained: 26, recalculated: 26, differences: [] });
  });

  describe('checks announcements', () => {
    const now = START + 13 * HOUR_MS;

    beforeEach(() => {
      const store = openStore(path);
      const before = { type: 'methodology_update' as const, body: 'Which?', added: [], removed: [] };
      const three = { ...index, constituents: [...index.constituents, { market_id: 'venue_a:THREE' }] };
      store.write((writer) => {
        insertAnnouncement(writer, { ...before, title: 'Old', announced_at: START, effective_at: START });
        adoptDefinitions(writer, { indices: [indexDefinition.parse(three)], rates: [rate] }, now, {
          keepMissing: false,
          effectOf: (earlier, after) => announceChange(writer, planChange(earlier, after, now)),
        });
        insertAnnouncement(writer, { ...before, title: 'New', announced_at: now, effective_at: now });
      });
      store.close();
    });

    it('and counts them', () => {
      expect(verified(['MEAN'])).toMatchObject({ announcements: 3, differences: [] });
      expect(verified().differences).toEqual([]);
    });

    it.each([
      [
        'the text of an old one was altered',
        `UPDATE announcements SET body = 'That' WHERE title = 'Old'`,
        null,
        0,
      ],
      ['the markets that it adds were altered', `UPDATE announcements SET added = '[]'`, 'PAIR', 13],
      [
        'its instant was altered',
        "UPDATE announcements SET effective_at = effective_at + 1 WHERE title = 'New'",
        null,
        13,
      ],
      ['one is gone', `DELETE FROM announcements WHERE ticker = 'PAIR'`, 'PAIR', 13],
      ['the newest is gone', `DELETE FROM announcements WHERE title = 'New'`, null, 13],
    ])('and names the first where %s', (_what, sql, ticker, hour) => {
      tamper(sql);
      const at = START + hour * HOUR_MS;
      expect(verified().differences[0]).toMatchObject({ kind: 'announcement', ticker, at });
    });

    it('and names a change whose announcement is gone', () => {
      tamper('DELETE FROM announcements WHERE announcement_id > 1');
      expect(verified().differences).toMatchObject([
        { kind: 'announcement', ticker: 'PAIR', at: now },
        { kind: 'index', ticker: 'PAIR', at: now, reason: expect.stringContaining('no notice') },
      ]);
    });
  });

  it('names a record besides prints that is altered or gone, of the given tickers or of all', () => {
    tamper('UPDATE definitions SET takes_effect_at = takes_effect_at - 1');
    tamper(`DELETE FROM calculations WHERE calculated_at = ${START + 4 * HOUR_MS}`);
    const [all, run] = [verified().differences, { kind: 'run', ticker: null, at: START + 4 * HOUR_MS }];
    expect(all).toMatchObject([{ ticker: 'PAIR' }, { ticker: 'MEAN' }, run]);
    expect(verified(['MEAN']).differences).toMatchObject([{ ticker: 'MEAN' }, run]);
  });

  describe('recalculates the revisions of half-cent prints', () => {
    beforeEach(() => {
      const store = openStore(path);
      const now = START + 13 * HOUR_MS;
      const quoted = (market_id: string, observation: Observation) => {
        store.write((writer) => {
          const { market_key } = upsertMarket(writer, market({ market_id }), START);
          insertObservations(writer, market_key, { series: 'quote', observations: [observation] }, now);
        });
      };
      quoted('venue_a:NEW', { observed_at: START });
      const definition = rateDefinition.parse({
        ...rate,
        ticker: 'NEW',
        sources: [{ market_id: 'venue_a:NEW' }],
      });
      store.write((writer) =>
        adoptDefinitions(writer, { indices: [index], rates: [rate, definition] }, now, {
          keepMissing: false,
        }),
      );
      compute(store, now, () => {});
      quoted('venue_a:NEW', { observed_at: now + HOUR_MS, last: 0.3 });
      compute(store, now + HOUR_MS, () => {});
      store.close();
    });

    it('and counts them', () => {
      expect(verified(['NEW'])).toMatchObject({ chained: 3, recalculated: 3, differences: [] });
    });

    it('and all of them where a range begins or ends among them', () => {
      const quoted = { chained: 3, recalculated: 3, differences: [] };
      for (const range of [
        [0, 0],
        [13, 13],
        [14, 14],
      ] as const)
        expect(verified(['NEW'], range)).toMatchObject(quoted);
    });

    it('and names one with another price', () => {
      const store = openStore(path);
      store.write((writer) => {
        const standing = findRatePrint(writer, 'NEW', START);
        assert(standing);
        const made = { definition_key: standing.definition_key, recorded_at: standing.recorded_at };
        new RateRecord(writer, 'NEW').restate(
          { revision: standing.revision, value: standing.price },
          { ...standing, price: 0.4 },
          { ...made, reason: 'half_cent_replaced' },
        );
      });
      store.close();
      expect(verified().differences).toMatchObject([{ kind: 'rate', ticker: 'NEW', at: START }]);
    });
  });

  describe('knows what the runs calculated', () => {
    const recorded = (at: number, known = at) => {
      const store = openStore(path);
      store.write((writer) => {
        for (const id of IDS) {
          const observations = [{ observed_at: at, bid: 0.4 + (at % 7) / 100, ask: 0.5 }];
          insertObservations(writer, marketKey(writer, id), { series: 'quote', observations }, known);
        }
      });
      return store;
    };
    const MINUTE_MS = HOUR_MS / 60;

    it('where one was cut off and a later one completed it', () => {
      const store = recorded(START + 20 * HOUR_MS);
      const cut = () => compute(store, START + 800.5 * HOUR_MS, () => assert.fail('cut off'));
      expect(cut).toThrow('cut off');
      expect(store.read((reader) => verify(reader, []).differences)).toEqual([]);
      store.close();
      const after = recorded(START + 801 * HOUR_MS);
      compute(after, START + 801.2 * HOUR_MS, () => {});
      after.close();
      expect(verified().differences).toEqual([]);
    });

    it('where the calculation of one index failed, and that of another did not', () => {
      const store = openStore(path);
      const other = indexDefinition.parse({ ...index, ticker: 'OTHER' });
      store.write((writer) =>
        adoptDefinitions(writer, { indices: [index, other], rates: [rate] }, START + 12 * HOUR_MS, {
          keepMissing: false,
        }),
      );
      store.close();
      tamper(`CREATE TRIGGER fails BEFORE INSERT ON index_prints WHEN new.ticker = 'PAIR'
        BEGIN SELECT raise(ABORT, 'fails'); END`);
      const failing = recorded(START + 12.8 * HOUR_MS);
      expect(compute(failing, START + 13.1 * HOUR_MS, () => {}).failures).toHaveLength(1);
      failing.close();
      tamper('SELECT 1');
      // Only the index that failed has used this price for 13:00.
      recorded(START + 12.9 * HOUR_MS, START + 13.5 * HOUR_MS).close();
      const after = recorded(START + 14 * HOUR_MS);
      compute(after, START + 14.1 * HOUR_MS, () => {});
      after.close();
      expect(verified().differences).toEqual([]);
    });

    it('where a price of a market was read before its venue listed it', () => {
      const [id, now] = ['venue_a:LATER', START + 13 * HOUR_MS];
      const store = openStore(path);
      const definition = rateDefinition.parse({ ...rate, ticker: 'LATER', sources: [{ market_id: id }] });
      store.write((writer) => {
        adoptDefinitions(writer, { indices: [index], rates: [rate, definition] }, now, {
          keepMissing: false,
        });
        const observations = [{ observed_at: now, bid: 0.4, ask: 0.5 }];
        insertObservations(writer, marketKey(writer, id), { series: 'quote', observations }, now);
      });
      compute(store, now, () => {});
      store.write((writer) => upsertMarket(writer, market({ market_id: id }), now + HOUR_MS));
      compute(store, now + HOUR_MS, () => {});
      store.close();
      expect(verified(['LATER'])).toMatchObject({ chained: 1, recalculated: 1, differences: [] });
    });

    it('where a venue moves a close that lay before a market was seen', () => {
      const [id, first] = ['venue_a:CLOSED', START + 13 * HOUR_MS];
      const closing = (hour: number, seenAt: number) => {
        const store = openStore(path);
        const closes_at = START + hour * HOUR_MS;
        store.write((writer) => upsertMarket(writer, market({ market_id: id, closes_at }), seenAt));
        return store;
      };
      const store = closing(2, first);
      const definition = rateDefinition.parse({ ...rate, ticker: 'CLOSED', sources: [{ market_id: id }] });
      store.write((writer) => {
        const observations = [0, 3, 4].map((hour) => ({
          observed_at: START + hour * HOUR_MS,
          bid: 0.4,
          ask: 0.5,
        }));
        insertObservations(writer, marketKey(writer, id), { series: 'quote', observations }, first);
        adoptDefinitions(writer, { indices: [index], rates: [rate, definition] }, first, {
          keepMissing: false,
        });
      });
      compute(store, first, () => {});
      store.close();
      closing(30, first + HOUR_MS).close();
      expect(verified(['CLOSED'])).toMatchObject({ chained: 2, recalculated: 2, differences: [] });
    });

    it('where a definition was adopted before its first instant', () => {
      const store = openStore(path);
      const first = START + 13 * HOUR_MS + 20 * MINUTE_MS;
      const base_at = new Date(first).toISOString();
      store.write((writer) =>
        adoptDefinitions(
          writer,
          { indices: [index, { ...index, ticker: 'LATER', base_at }], rates: [rate] },
          START + 12 * HOUR_MS,
          { keepMissing: false },
        ),
      );
      store.close();
      for (const hour of [13, 14, 15]) {
        const run = recorded(START + hour * HOUR_MS);
        compute(run, START + hour * HOUR_MS + MINUTE_MS, () => {});
        run.close();
      }
      expect(verified(['LATER'])).toMatchObject({ chained: 3, recalculated: 3, differences: [] });
    });
  });

  it('names the first print that its inputs no longer reproduce', () => {
    tamper(
      `UPDATE price_tail SET bid = 0.5, ask = 0.52 WHERE observed_at = ${START + 6 * HOUR_MS} AND market_key = 1`,
    );
    const at = START + 6 * HOUR_MS;
    expect(verified().differences).toMatchObject([
      { ticker: 'PAIR', at, reason: 'level differs from what the stored inputs give' },
      { ticker: 'MEAN', at, reason: 'price differs from what the stored inputs give' },
    ]);
  });
});
