/** Command: writes the demo's definitions over the simulated world: one file per index and rate, and one per league. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listDerivedIndices } from './definitions/derived-indices.ts';
import { listIndexDefinitions } from './definitions/indices.ts';
import { listLeagueFiles } from './definitions/league-files.ts';
import { createFinder } from './definitions/market-finder.ts';
import { listRateDefinitions } from './definitions/rates.ts';
import { createWorld } from './world.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'data/simulated' } } });
const find = createFinder(createWorld().catalog);

function writeFolder(folder: string, files: readonly { name: string; definition: object }[]): void {
  const path = join(values.out, folder);
  mkdirSync(path, { recursive: true });
  // Removes the files of definitions that no longer exist.
  for (const name of readdirSync(path)) if (name.endsWith('.json')) rmSync(join(path, name));
  for (const { name, definition } of files)
    writeFileSync(join(path, `${name.toLowerCase()}.json`), `${JSON.stringify(definition, null, 2)}\n`);
  process.stderr.write(`${files.length} ${folder} written to ${path}\n`);
}

const named = (definition: { ticker: string }) => ({ name: definition.ticker, definition });
writeFolder('indices', [...listIndexDefinitions(find), ...listDerivedIndices()].map(named));
writeFolder('rates', listRateDefinitions(find).map(named));
writeFolder('leagues', listLeagueFiles(find));
