import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { expandLeague, leagueDefinition } from '../../src/model/definitions/league-definition.ts';
import { rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { readWritten } from '../../src/model/written-value.ts';

const SIMULATED = join(import.meta.dirname, '../../data/simulated');
const SCHEMAS = { indices: indexDefinition, rates: rateDefinition, leagues: leagueDefinition };

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What may stand where something else should. */
const WRONG: Json[] = [null, '', 'x', -1, 0, 1e300, true, [], [null], {}, { x: 1 }];

/** A definition of each methodology, with its first three constituents or teams. */
function examples(kind: keyof typeof SCHEMAS): [string, Json][] {
  const files = readdirSync(join(SIMULATED, kind)).map(
    (name) => JSON.parse(readFileSync(join(SIMULATED, kind, name), 'utf8')) as { [key: string]: Json },
  );
  return files.map((each) => [String(each.methodology ?? 'league'), shortened(each)]);
}

function shortened(definition: { [key: string]: Json }): Json {
  const short = Object.entries(definition).map(([key, value]) => {
    const isLong = key === 'constituents' || key === 'teams';
    return [key, isLong && Array.isArray(value) ? value.slice(0, 3) : value];
  });
  return Object.fromEntries(short);
}

/** The variants of a value with one thing in it left out, misspelt or wrong. */
function* mistaken(json: Json): Generator<Json> {
  yield* WRONG;
  if (Array.isArray(json))
    for (const [i, entry] of json.entries()) for (const each of mistaken(entry)) yield json.with(i, each);
  else if (json !== null && typeof json === 'object')
    for (const [key, value] of Object.entries(json)) {
      const { [key]: _, ...others } = json;
      yield others;
      yield { ...others, [key.toUpperCase()]: value };
      for (const each of mistaken(value)) yield { ...json, [key]: each };
    }
}

const CASES = (['indices', 'rates', 'leagues'] as const).flatMap((kind) =>
  [...new Map(examples(kind))].map(([methodology, example]) => [methodology, kind, example] as const),
);

it.each(CASES)(
  'one mistake anywhere in a definition is a problem or none, never a fault: %s',
  (_, kind, example) => {
    expect(readWritten(SCHEMAS[kind], example).problems).toEqual([]);
    let found = 0;
    for (const variant of mistaken(example)) {
      const { value, problems } = readWritten(SCHEMAS[kind], variant);
      expect(value === undefined, JSON.stringify(variant)).toBe(problems.length > 0);
      if (value && 'teams' in value) expandLeague(value);
      found += problems.length;
    }
    expect(found).toBeGreaterThan(100);
  },
);
