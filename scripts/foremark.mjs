// Starts the command in a clone. Plain JavaScript, since before the setup it may run on an old Node.
import { existsSync } from 'node:fs';

const installed = new URL('../node_modules/.package-lock.json', import.meta.url);

if (existsSync(installed)) await import('../src/main.mjs');
else {
  process.stderr.write('nothing is installed in this clone yet: node scripts/setup.mjs does it\n');
  process.exitCode = 2;
}
