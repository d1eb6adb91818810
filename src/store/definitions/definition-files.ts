import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { TickerProblem } from '../../model/definitions/definition-fields.ts';
import { linkProblems } from '../../model/definitions/definition-links.ts';
import { type IndexDefinition, indexDefinition } from '../../model/definitions/index-definition.ts';
import { expandLeague, leagueDefinition } from '../../model/definitions/league-definition.ts';
import { type RateDefinition, rateDefinition } from '../../model/definitions/rate-definition.ts';
import { failureCode, messageOf } from '../../model/errors.ts';
import { parseWritten, readWritten } from '../../model/written-value.ts';

/** A problem of a definition: its file, the path in it, and what is expected there. */
export interface DefinitionProblem {
  file: string;
  path: string;
  message: string;
}

export interface DefinitionFiles {
  indices: IndexDefinition[];
  rates: RateDefinition[];
  problems: DefinitionProblem[];
  /** The file that defines each index, by ticker. */
  indexFiles: ReadonlyMap<string, string>;
  /** The file that defines each rate, by ticker. */
  rateFiles: ReadonlyMap<string, string>;
}

const KINDS = ['indices', 'rates', 'leagues'];

/**
 * Reads the definitions of a folder: `indices/*.json` and `rates/*.json`, one definition per file in the order of the
 * names, then the team indices of `leagues/*.json`. All problems of all files are reported. A file with a problem gives
 * no definition; if the problem concerns one team of a league, only that team's index is missing.
 */
export function readDefinitionFiles(folder: string): DefinitionFiles {
  const problems = unread(folder);
  const read = <Schema extends z.ZodType>(name: string, schema: Schema) =>
    readFolder(join(folder, name), schema, problems);
  const leagues = read('leagues', leagueDefinition).flatMap(({ file, definition }) => {
    const { indices, problems: found } = expandLeague(definition);
    for (const { path, message } of found) problems.push({ file, path: path.join('.'), message });
    return indices.map((index) => ({ file, definition: index }));
  });
  const indices = onePerTicker([...read('indices', indexDefinition), ...leagues], problems);
  const filedRates = onePerTicker(read('rates', rateDefinition), problems);
  const rates = filedRates.map((each) => each.definition);
  const indexFiles = filesOf(indices);
  const rateFiles = filesOf(filedRates);
  return { indices: linked(indices, rates, indexFiles, problems), rates, problems, indexFiles, rateFiles };
}

function filesOf(filed: readonly Filed<{ ticker: string }>[]): Map<string, string> {
  return new Map(filed.map(({ file, definition }) => [definition.ticker, file]));
}

/** The indices whose references to other definitions are valid; the problems of the others are added to `problems`. */
function linked(
  indices: readonly Filed<IndexDefinition>[],
  rates: readonly RateDefinition[],
  files: DefinitionFiles['indexFiles'],
  problems: DefinitionProblem[],
): IndexDefinition[] {
  const definitions = indices.map((each) => each.definition);
  const found = linkProblems(definitions, rates);
  problems.push(...found.map((each) => inFile(each, files)));
  const wrong = new Set(found.map((each) => each.ticker));
  return definitions.filter((each) => !wrong.has(each.ticker));
}

/** A problem of one of several definitions, as a problem of its file. @param files by ticker */
export function inFile(
  { ticker, path, message }: TickerProblem,
  files: ReadonlyMap<string, string>,
): DefinitionProblem {
  return { file: files.get(ticker) ?? '', path: path.join('.'), message: `${ticker} ${message}` };
}

interface Filed<Definition> {
  file: string;
  definition: Definition;
}

/** The first definition of each ticker; others are added to `problems`. */
function onePerTicker<Definition extends { ticker: string }>(
  filed: readonly Filed<Definition>[],
  problems: DefinitionProblem[],
): Filed<Definition>[] {
  const byTicker = new Map<string, Filed<Definition>>();
  for (const each of filed) {
    const { file, definition } = each;
    const first = byTicker.get(definition.ticker);
    if (first)
      problems.push({
        file,
        path: 'ticker',
        message: `${definition.ticker} is defined in ${first.file} already`,
      });
    else byTicker.set(definition.ticker, each);
  }
  return [...byTicker.values()];
}

/** Problems of a definitions folder's layout: files and folders in it that would be silently ignored. */
function unread(folder: string): DefinitionProblem[] {
  if (!existsSync(folder))
    return [
      {
        file: folder,
        path: '',
        message: 'folder does not exist; it should have indices/, rates/ or leagues/ in it',
      },
    ];
  const problems: DefinitionProblem[] = [];
  const refuse = (file: string, message: string) => problems.push({ file, path: '', message });
  if (!isFolder(folder)) refuse(folder, 'must be a folder');
  // Compared by name, because a link to a folder that is not mounted exists but leads nowhere.
  const named = isFolder(folder) ? KINDS.filter((kind) => readdirSync(folder).includes(kind)) : [];
  for (const kind of named) if (!isFolder(join(folder, kind))) refuse(join(folder, kind), 'must be a folder');
  // For instance an unmounted volume; this must not withdraw all definitions.
  if (problems.length === 0 && named.length === 0)
    refuse(folder, 'must have indices/, rates/ or leagues/ in it');
  for (const name of jsonFiles(folder))
    refuse(join(folder, name), 'must be in indices/, rates/ or leagues/ to be read');
  for (const kind of KINDS)
    for (const entry of entriesOf(join(folder, kind))) {
      const file = join(folder, kind, entry.name);
      if (entry.isDirectory()) refuse(file, `must be a file: folders in ${kind}/ are not read`);
      else if (isMisnamed(entry.name)) refuse(file, 'must have a name that ends in .json to be read');
    }
  return problems;
}

/** Whether the name of a file suggests a definition but does not end in `.json`. */
function isMisnamed(name: string): boolean {
  return /\.(json[c5]?|ya?ml)$/i.test(name) && !name.endsWith('.json');
}

/** Whether there is such a folder. @throws the system's error if it cannot tell */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes(failureCode(thrown) ?? '')) return false;
    throw thrown;
  }
}

/** The entries of a folder in the order of their names, without hidden ones; none if there is no such folder. */
function entriesOf(folder: string): Dirent[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The names of a folder's JSON files, in order. */
function jsonFiles(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.name.endsWith('.json') && !entry.isDirectory())
    .map((entry) => entry.name);
}

function readFolder<Schema extends z.ZodType>(
  folder: string,
  schema: Schema,
  problems: DefinitionProblem[],
): Filed<z.output<Schema>>[] {
  return jsonFiles(folder).flatMap((name) => {
    const file = join(folder, name);
    const definition = readDefinition(file, schema, problems);
    return definition === undefined ? [] : [{ file, definition }];
  });
}

function readDefinition<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  problems: DefinitionProblem[],
): z.output<Schema> | undefined {
  let json: unknown;
  try {
    // A link may lead to a device or a pipe, and reading that would never end.
    if (!statSync(file).isFile()) throw new Error('must be a file');
    json = parseWritten(readFileSync(file));
  } catch (thrown) {
    const kind = thrown instanceof SyntaxError ? 'is not JSON: ' : '';
    problems.push({ file, path: '', message: kind + messageOf(thrown) });
    return undefined;
  }
  const { value, problems: found } = readWritten(schema, json);
  for (const { path, message } of found) problems.push({ file, path: path.map(String).join('.'), message });
  return value;
}
