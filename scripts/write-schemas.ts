// Writes the JSON Schemas of definitions and settings from the shapes that parse them, so that editors can complete and check
// them. A test holds the files to the shapes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { config } from '../src/model/config.ts';
import { indexDefinition } from '../src/model/definitions/index-definition.ts';
import { leagueDefinition } from '../src/model/definitions/league-definition.ts';
import { rateDefinition } from '../src/model/definitions/rate-definition.ts';

const SCHEMAS = {
  'index-definition': { title: 'Foremark index definition', shape: indexDefinition },
  'rate-definition': { title: 'Foremark rate definition', shape: rateDefinition },
  'league-definition': { title: 'Foremark league of team indices', shape: leagueDefinition },
  config: { title: 'Foremark settings', shape: config },
} as const;

/** The schema files' texts by name. */
export function schemaFiles(): Map<string, string> {
  const files = Object.entries(SCHEMAS).map(([name, { title, shape }]) => {
    const schema = { title, ...z.toJSONSchema(shape, { io: 'input' }) };
    return [`${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`] as const;
  });
  return new Map(files);
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '..', 'data', 'schemas');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of schemaFiles()) writeFileSync(join(folder, name), text);
}
