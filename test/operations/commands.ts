/** Commands of a schedule and of operators: alone, at once, killed, on a full disk, by a clock that is behind. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { knownTickers } from './demands.ts';
import { EDITS, edit, MISTAKES } from './edits.ts';
import { DONE, killed, killedText, type Operation, pick } from './operation.ts';
import type { Workplace } from './workplace.ts';

export const stage: fc.Arbitrary<Operation> = fc
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

export const command: fc.Arbitrary<Operation> = fc
  .record({ which: fc.constantFrom(...COMMANDS.keys()), pick, killAfter: killed })
  .map(({ which, pick, killAfter }) => {
    const [args, codes] = COMMANDS[which] as (typeof COMMANDS)[number];
    return {
      name: `another command (${which}, ${pick})${killedText(killAfter)}`,
      act: (place) => place.must(args({ pick, place }), [0, ...codes], { killAfter }),
    };
  });

const AT_ONCE = [
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
];

/** Some commands at once, and an editor. Of those that write, one is refused, or overtaken. */
export const together: fc.Arbitrary<Operation> = fc
  .record({
    commands: fc.array(fc.constantFrom(...AT_ONCE), { minLength: 2, maxLength: 3 }),
    killAfter: killed,
    edited: fc.record({ edit: fc.constantFrom(...EDITS, ...MISTAKES), pick, after: fc.nat({ max: 2_000 }) }),
  })
  .map(({ commands, killAfter, edited }) => ({
    name: `at once: ${commands.join(' | ')}${killedText(killAfter)}, ${edited.edit} (${edited.pick}) after ${edited.after} ms`,
    async act(place) {
      const all = commands.map((text, i) => place.run(text.split(' '), i === 0 ? { killAfter } : {}));
      await setTimeout(edited.after);
      edit(place, edited.edit, edited.pick);
      for (const { code, err } of await Promise.all(all))
        assert(code !== 4, `commands at once are no reason to end with 4: ${err}`);
    },
  }));

/** No file can grow beyond a size, the store, its log or a document; once there is room, all goes on. */
export const full: fc.Arbitrary<Operation> = fc
  .record({
    command: fc.constantFrom('run', 'run', 'publish', 'compute', 'backfill', 'rebuild', 'mirror copy'),
    largest_file_kib: fc.integer({ min: 1, max: 6_000 }),
  })
  .map(({ command, largest_file_kib }) => ({
    name: `${command} with room for ${largest_file_kib} KiB`,
    act: (place) => place.must(command.split(' '), [...DONE, 4], { largest_file_kib }),
  }));

/** A clock that is behind is refused, and nothing is done. */
export const backwards: fc.Arbitrary<Operation> = fc
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
