import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { messageOf } from '../model/errors.ts';
import { type IndexDefinition, indexDefinition } from '../model/index-definition.ts';
import { type RateDefinition, rateDefinition } from '../model/rate-definition.ts';

/** What is wrong with a definition: the file, the place in it, what it must be. */
export interface DefinitionProblem {
  file: string;
  path: string;
  message: string;
}

export interface DefinitionFiles {
  indices: IndexDefinition[];
  rates: RateDefinition[];
  problems: DefinitionProblem[];
}

/**
 * Reads the definitions of a folder: `indices/*.json` and `rates/*.json`, one definition a file, in the order
 * of their names. Every problem of every file is reported; a file with a problem gives no definition.
 */
export function readDefinitionFiles(folder: string): DefinitionFiles {
  const problems: DefinitionProblem[] = [];
  if (!existsSync(folder)) problems.push({ file: folder, path: '', message: 'folder does not exist' });
  const indices = readFolder(join(folder, 'indices'), indexDefinition, problems);
  const rates = readFolder(join(folder, 'rates'), rateDefinition, problems);
  return { indices, rates, problems };
}

function readFolder<Schema extends z.ZodType<{ ticker: string }>>(
  folder: string,
  schema: Schema,
  problems: DefinitionProblem[],
): z.output<Schema>[] {
  if (!existsSync(folder)) return [];
  const byTicker = new Map<string, { file: string; definition: z.output<Schema> }>();
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.json')) continue;
    const file = join(folder, name);
    const definition = readDefinition(file, schema, problems);
    if (!definition) continue;
    const first = byTicker.get(definition.ticker);
    if (first)
      problems.push({
        file,
        path: 'ticker',
        message: `${definition.ticker} is defined in ${first.file} already`,
      });
    else byTicker.set(definition.ticker, { file, definition });
  }
  return [...byTicker.values()].map((each) => each.definition);
}

function readDefinition<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  problems: DefinitionProblem[],
): z.output<Schema> | undefined {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (thrown) {
    problems.push({ file, path: '', message: `is not JSON: ${messageOf(thrown)}` });
    return undefined;
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  for (const issue of result.error.issues)
    problems.push({ file, path: issue.path.map(String).join('.'), message: issue.message });
  return undefined;
}
