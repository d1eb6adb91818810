// Installs the dependencies when they are missing or older than the lock file, and builds the explorer when it is
// missing or older than its sources. Plain JavaScript without imports from npm: it is the first thing that runs on
// a fresh clone, on whatever Node runs npm there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const stamp = join(root, 'node_modules', '.foremark-lock');
const digest = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest) {
  process.stderr.write('installing dependencies (npm ci), once …\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status } = spawnSync(npm, ['ci', '--loglevel=error', '--no-fund', '--no-audit'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    process.stderr.write('npm ci failed; is the npm registry reachable from here?\n');
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, digest);
}

await import('./build-explorer.mjs');
