import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { ForemarkError, messageOf } from '../model/errors.ts';
import { type SimilarityTables, similarityFiles } from '../model/similarity-tables.ts';

const FOLDER = join(import.meta.dirname, '../../data/similarity');

/**
 * Reads the tables used to compare texts, from the files shipped with the program.
 *
 * @throws ForemarkError invalid_definition, with the file and the place in it
 */
export function readSimilarityTables(): SimilarityTables {
  const read = <Name extends keyof typeof similarityFiles>(name: Name) =>
    readTable(join(FOLDER, `${name}.json`), similarityFiles[name]) as z.output<
      (typeof similarityFiles)[Name]
    >;
  const names = (['people', 'teams', 'places', 'institutions', 'tokens'] as const).map(read);
  return {
    names: names.flatMap((table) => table.groups),
    words: read('words'),
    facets: read('facets').facets,
    calendar: read('calendar'),
    units: read('units'),
  };
}

function readTable(file: string, schema: z.ZodType): unknown {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (thrown) {
    throw new ForemarkError('invalid_definition', `${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
}
