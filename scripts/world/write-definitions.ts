/** Command: writes the demo's index and rate definitions over the simulated world, one file each. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listIndexDefinitions } from './definitions/indices.ts';
import { createFinder } from './definitions/market-finder.ts';
import { listRateDefinitions } from './definitions/rates.ts';
import { createWorld } from './world.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'data/simulated' } } });
const find = createFinder(createWorld().catalog);

function writeFolder(folder: string, definitions: { ticker: string }[]): void {
  const path = join(values.out, folder);
  mkdirSync(path, { recursive: true });
  // A definition that is gone leaves no file behind.
  for (const name of readdirSync(path)) if (name.endsWith('.json')) rmSync(join(path, name));
  for (const definition of definitions) {
    writeFileSync(
      join(path, `${definition.ticker.toLowerCase()}.json`),
      `${JSON.stringify(definition, null, 2)}\n`,
    );
  }
  process.stderr.write(`${definitions.length} ${folder} written to ${path}\n`);
}

writeFolder('indices', listIndexDefinitions(find));
writeFolder('rates', listRateDefinitions(find));
