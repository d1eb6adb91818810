/**
 * The operations that are tried in random order: what a schedule, operators, editors and accidents do to a store and what
 * it publishes. Each demands of its commands how they may end.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { FAULT_KINDS } from '../../scripts/world/http/faults.ts';
import { formatInstant, HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';
import { fileTree } from '../helpers/file-tree.ts';
import { copyStore, demandPublication, demandRecord, knownTickers } from './demands.ts';
import { EDITS, edit, MISTAKES } from './edits.ts';
import type { Outlet } from './outlet.ts';
import type { Workplace } from './workplace.ts';

export interface Operation {
  /** What it does, with what was chosen. */
  name: string;
  act(place: Workplace): unknown;
}

/** Chooses among as many as there are when it is its turn. */
const pick = fc.noBias(fc.nat({ max: 9_999 }));

/** A quarter of all commands is killed, most of them before they end by themselves. */
const killed = fc.option(fc.noBias(fc.integer({ min: 200, max: 6_000 })), { freq: 3, nil: undefined });

const killedText = (killAfter: number | undefined) =>
  killAfter === undefined ? '' : `, killed after ${killAfter} ms`;

/** What a stage may end with: a venue's faults and an editor's are not ours. */
export const DONE = [0, 1, 2];

const stage: fc.Arbitrary<Operation> = fc
  .record({
    command: fc.constantFrom('run', 'run', 'run', 'ingest', 'compute', 'publish'),
    killAfter: killed,
  })
  .map(({ command, killAfter }) => ({
    name: `${command}${killedText(killAfter)}`,
    act: (place) => place.must([command], DONE, { killAfter }),
  }));

/** Other commands, with what they may end with besides 0. */
const COMMANDS: [args: (chosen: { pick: number; place: Workplace }) => string[], codes: number[]][] = [
  // There may be no generation before, or it shows what has been closed since.
  [() => ['publish', '--rollback'], [2]],
  [({ pick }) => ['publish', '--rollback', String(1 + (pick % 20))], [2]],
  [() => ['publish', '--repair'], []],
  [() => ['publish', '--dry-run'], []],
  [() => ['publish', '--verify'], [1]],
  [({ pick }) => ['prune', '--keep-generations', String(2 + (pick % 4)), '--keep-days', '0'], []],
  [() => ['prune', '--keep-generations', '2', '--keep-days', '0', '--dry-run'], []],
  [() => ['mirror', 'copy'], []],
  [() => ['mirror', 'copy', '--repair'], []],
  [() => ['rebuild'], [1]],
  [() => ['backfill'], [1]],
  [({ place }) => ['backfill', '--from', formatInstant(place.now - 30 * HOUR_MS)], [1]],
  [
    ({ place, pick }) => [
      'backfill',
      tickerOf(place, pick),
      ...['--from', formatInstant(place.now - 9 * HOUR_MS), '--every', String(5 * (1 + (pick % 6)))],
      ...(pick % 2 ? ['--to', formatInstant(place.now - HOUR_MS)] : []),
    ],
    [1, 2],
  ],
  [
    ({ place, pick }) => [
      ...['announce', '--type', 'corporate_action', '--title', `Notice ${pick}`, '--body', 'What changes.'],
      ...(pick % 2 ? [] : ['--index', tickerOf(place, pick)]),
      '--effective',
      formatInstant(place.now + (pick % 50) * HOUR_MS),
    ],
    [2],
  ],
  [() => ['suggest', 'rates', '--folder', 'suggested', '--least', '0.2'], []],
  [() => ['check'], [2]],
  [() => ['status', '--within', '60'], [1]],
  [({ place, pick }) => ['explain', tickerOf(place, pick)], [1, 2]],
  [({ place, pick }) => ['verify', tickerOf(place, pick)], []],
  [({ place }) => ['verify', '--from', formatInstant(place.now - 20 * HOUR_MS)], []],
  [() => ['keys', 'list'], []],
];

const tickerOf = (place: Workplace, pick: number): string => {
  const all = place.read(knownTickers);
  return all[pick % all.length] ?? 'NOBODY';
};

const command: fc.Arbitrary<Operation> = fc
  .record({ which: fc.nat({ max: COMMANDS.length - 1 }), pick, killAfter: killed })
  .map(({ which, pick, killAfter }) => {
    const [args, codes] = COMMANDS[which] as (typeof COMMANDS)[number];
    return {
      name: `another command (${which}, ${pick})${killedText(killAfter)}`,
      act: (place) => place.must(args({ pick, place }), [0, ...codes], { killAfter }),
    };
  });

/** Two commands at once. The one that comes second is refused, or overtaken. */
const together: fc.Arbitrary<Operation> = fc
  .record({
    commands: fc.array(
      fc.constantFrom(
        'run',
        'publish',
        'ingest',
        'compute',
        'rebuild',
        'backfill',
        'publish --repair',
        'prune --keep-generations 2 --keep-days 0',
        'mirror copy',
        'keys create --organization other',
        'announce --type methodology_update --title T --body B',
        'verify',
        'check',
      ),
      { minLength: 2, maxLength: 3 },
    ),
    killAfter: killed,
  })
  .map(({ commands, killAfter }) => ({
    name: `at once: ${commands.join(' | ')}${killedText(killAfter)}`,
    async act(place) {
      const all = commands.map((text, i) => place.run(text.split(' '), i === 0 ? { killAfter } : {}));
      for (const { code, err } of await Promise.all(all))
        assert(code !== 4, `two commands at once are no reason to end with 4: ${err}`);
    },
  }));

const time: fc.Arbitrary<Operation> = fc
  .constantFrom(0.001, 1, 10, 15, 60, 60, 61, 180, 720, 1440, 2 * 1440, 8 * 1440)
  .map((minutes) => ({
    name: `${minutes} minutes on`,
    act: (place) => place.goOn(minutes * MINUTE_MS),
  }));

/** A clock that is behind is refused, and nothing is done. */
const backwards: fc.Arbitrary<Operation> = fc
  .constantFrom(
    'run',
    'compute',
    'rebuild',
    'publish',
    'announce --type methodology_update --title T --body B',
  )
  .map((command) => ({
    name: `${command} by a clock that is behind`,
    act: (place) =>
      place.must(['--now', formatInstant(place.now - 30 * 24 * HOUR_MS), ...command.split(' ')], [2]),
  }));

const editing: fc.Arbitrary<Operation> = fc
  .array(
    fc.record({
      edit: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...EDITS) },
        { weight: 1, arbitrary: fc.constantFrom(...MISTAKES) },
      ),
      pick,
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((edits) => ({
    name: edits.map((each) => `${each.edit} (${each.pick})`).join(', '),
    act(place) {
      for (const each of edits) edit(place, each.edit, each.pick);
    },
  }));

/** All first definitions, as they were. */
const restoring: fc.Arbitrary<Operation> = fc.constant({
  name: 'restore all definitions',
  act(place) {
    for (const { path, text } of place.first) writeFileSync(path, text);
  },
});

const VENUES = ['venue_a', 'venue_b_global', 'venue_b_us', 'venue_c', 'venue_c_forecastex'];

const SETTINGS: Record<string, (settings: Record<string, Record<string, unknown>>, pick: number) => unknown> =
  {
    'a venue off or on': ({ venues = {} }, pick) => {
      const venue = venues[VENUES[pick % VENUES.length] as string] as Record<string, unknown>;
      venue.enabled = venue.enabled === false;
    },
    'the registry off or on': ({ registries = {} }) => {
      const cftc = registries.cftc as Record<string, unknown>;
      cftc.enabled = cftc.enabled === false;
    },
    'other news': ({ news = {} }) => (news.feeds as unknown[]).push((news.feeds as unknown[]).shift()),
    scope: (settings, pick) =>
      (settings.scope = [
        {},
        { min_volume: 1000 },
        { series: ['SIMFED'] },
        { without_categories: ['Economics'] },
      ][pick % 4] as Record<string, unknown>),
    variants: (settings, pick) =>
      (settings.publish = { ...settings.publish, variants: [[], ['gz'], ['gz', 'br']][pick % 3] }),
    bulk: (settings) => (settings.publish = { ...settings.publish, bulk: settings.publish?.bulk === false }),
    cards: (settings) =>
      (settings.publish = { ...settings.publish, cards: settings.publish?.cards === false }),
    label: (settings, pick) => Object.assign(settings, { data_label: ['', 'simulated'][pick % 2] }),
    crawls: ({ ingest = {} }, pick) => (ingest.full_crawl_minutes = [0, 90, 600][pick % 3]),
  };

const setting: fc.Arbitrary<Operation> = fc
  .record({ what: fc.constantFrom(...Object.keys(SETTINGS)), pick })
  .map(({ what, pick }) => ({
    name: `settings: ${what} (${pick})`,
    act(place) {
      const { settings } = place;
      SETTINGS[what]?.(settings, pick);
      place.settings = settings;
    },
  }));

const fault: fc.Arbitrary<Operation> = fc
  .record({
    // What hangs or is slow takes long, and bombs take memory; others test them.
    kind: fc.constantFrom(...FAULT_KINDS.filter((kind) => !['hang', 'slow', 'bomb'].includes(kind))),
    path_prefix: fc.constantFrom(
      '/kalshi',
      '/gamma',
      '/clob',
      '/us',
      '/hyperliquid',
      '/forecastex',
      '/cftc',
      '/',
    ),
    times: fc.integer({ min: 1, max: 60 }),
    after: fc.nat({ max: 5 }),
  })
  .map((fault) => ({
    name: `venues: ${JSON.stringify(fault)}`,
    act: (place) => place.open.setFaults({ ...fault, code: 503 }),
  }));

const cured: fc.Arbitrary<Operation> = fc.constant({
  name: 'venues: all well',
  act: (place) => place.open.clearFaults(),
});

const FAILURES: Parameters<Outlet['fail']>[1][] = [
  { kind: 'status', status: 503, code: 'SlowDown' },
  { kind: 'status', status: 500, code: 'InternalError' },
  { kind: 'reset_before' },
  { kind: 'reset_after' },
  { kind: 'cut' },
];

/** A bucket that fails now and then is asked again; nobody notices. */
const failing: fc.Arbitrary<Operation> = fc
  .record({ one_in: fc.constantFrom(0, 0, 5, 20, 100), failure: fc.constantFrom(...FAILURES) })
  .map(({ one_in, failure }) => ({
    name: `one in ${one_in} requests to the bucket fails: ${JSON.stringify(failure)}`,
    act: (place) => place.outlet.fail(one_in, failure),
  }));

/** Someone damages the live tree. */
const damage: fc.Arbitrary<Operation> = fc
  .array(fc.record({ pick, how: fc.constantFrom('other bytes', 'gone', 'added') }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((damages) => ({
    name: `damage: ${damages.map(({ pick, how }) => `${how} (${pick})`).join(', ')}`,
    async act(place) {
      // A publish that was cut off is finished first, and would mend what it writes.
      await place.must(['publish', '--repair']);
      const keys = Object.keys(place.outlet.files()).filter((key) => key.startsWith('api/'));
      for (const { pick, how } of damages) {
        const key = keys[pick % keys.length] as string;
        if (how === 'added') place.outlet.write(`${key}.json`, '{}');
        else if (how === 'gone') place.outlet.remove(key);
        else place.outlet.write(key, '{"error":"other"}');
      }
      await place.must(['publish', '--verify'], [1]);
      await place.must(['publish', '--repair']);
      await place.must(['publish', '--verify']);
    },
  }));

/** The publication is lost, and comes back from the mirror or from nothing. */
const loss: fc.Arbitrary<Operation> = fc.boolean().map((fromMirror) => ({
  name: `the publication is lost${fromMirror ? ' and restored from a mirror' : ''}`,
  async act(place) {
    if (fromMirror) await place.must(['mirror', 'spare']);
    place.outlet.clear();
    if (!fromMirror) {
      await place.must(['publish'], DONE);
      return;
    }
    for (const key of Object.keys(fileTree(place.path('spare'), 'archive')))
      place.outlet.write(key, readFileSync(place.path(`spare/${key}`)));
    rmSync(place.path('spare'), { recursive: true });
    await place.must(['publish', '--repair']);
    await place.must(['publish', '--verify']);
  },
}));

/** No file can grow beyond a size, the store, its log or a document; once there is room, all goes on. */
const full: fc.Arbitrary<Operation> = fc
  .record({
    command: fc.constantFrom('run', 'run', 'publish', 'compute', 'backfill', 'rebuild', 'mirror copy'),
    largest_file_kib: fc.noBias(fc.integer({ min: 1, max: 6_000 })),
  })
  .map(({ command, largest_file_kib }) => ({
    name: `${command} with room for ${largest_file_kib} KiB`,
    act: (place) => place.must(command.split(' '), [...DONE, 4], { largest_file_kib }),
  }));

/** A key reads until it is revoked. */
const keys: fc.Arbitrary<Operation> = fc.constantFrom('desk', 'other').map((organization) => ({
  name: `a key of ${organization} is made, used and revoked`,
  async act(place) {
    const made = await place.must(['--json', 'keys', 'create', '--organization', organization]);
    const { key } = JSON.parse(made.out) as { key: string };
    const ask = () => place.server?.ask('/api/v1/rates', { authorization: `Bearer ${key}` });
    assert.notEqual((await ask())?.status ?? 200, 401, 'a new key is known');
    await place.must(['keys', 'revoke', key.split('_')[2]?.slice(0, 8) ?? '']);
    assert.equal((await ask())?.status ?? 401, 401, 'a revoked key is refused');
  },
}));

const serving: fc.Arbitrary<Operation> = fc.constant({
  name: 'serve is started again',
  async act(place) {
    await place.stopServer();
    await place.startServer();
  },
});

/** The store is copied, and a later operation puts the copy in its place. */
const backup: fc.Arbitrary<Operation> = fc.constant({
  name: 'the store is copied',
  act: (place) => copyStore(place.path('foremark.db'), place.path('backup.db')),
});

const comeBack: fc.Arbitrary<Operation> = fc.constant({
  name: 'the copy is put in place of the store',
  async act(place) {
    if (!existsSync(place.path('backup.db'))) return;
    await place.stopServer();
    for (const more of ['-wal', '-shm']) rmSync(place.path(`foremark.db${more}`), { force: true });
    cpSync(place.path('backup.db'), place.path('foremark.db'));
    // What was printed since is lost with the store.
    place.forgetPrints();
    await place.startServer();
  },
});

/** Publishes, and compares what is published with everything that it must equal. */
export const publishAndCompare = (pick: number): Operation => ({
  name: `publish and compare (${pick})`,
  async act(place) {
    await place.must(['publish'], DONE);
    await demandPublication(place, pick);
  },
});

export const checkRecord: Operation = { name: 'check the record', act: demandRecord };

/** All operations by how often they are chosen. */
export const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 20, arbitrary: stage },
  { weight: 16, arbitrary: command },
  { weight: 16, arbitrary: editing },
  { weight: 14, arbitrary: time },
  { weight: 6, arbitrary: together },
  { weight: 6, arbitrary: fault },
  { weight: 5, arbitrary: setting },
  { weight: 8, arbitrary: pick.map(publishAndCompare) },
  { weight: 3, arbitrary: full },
  { weight: 5, arbitrary: fc.constant(checkRecord) },
  { weight: 2, arbitrary: cured },
  { weight: 4, arbitrary: restoring },
  { weight: 2, arbitrary: failing },
  { weight: 2, arbitrary: damage },
  { weight: 2, arbitrary: keys },
  { weight: 2, arbitrary: serving },
  { weight: 1, arbitrary: loss },
  { weight: 1, arbitrary: backwards },
  { weight: 1, arbitrary: backup },
  { weight: 1, arbitrary: comeBack },
);
