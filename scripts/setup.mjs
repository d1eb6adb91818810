// Installs the dependencies when what is installed is not what the lock file names, and builds the explorer when it
// is missing or older than its sources. Plain JavaScript without imports from npm: it is the first thing that runs on
// a fresh clone, on whatever Node runs npm there. The scripts of package.json call it in parentheses, a shell of its
// own: a shell remembers where it found `node`, and the install has just put another one before it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/** The packages that a lock file names, by path; none when there is no such file. */
function packagesOf(...path) {
  const file = join(root, ...path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** Whether npm's own record of what it installed agrees with the lock file; packages of other platforms may lack. */
function isInstalled() {
  const named = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules', '.package-lock.json');
  return Object.entries(named).every(
    ([path, { version, optional }]) =>
      path === '' || (path in installed ? installed[path].version === version : optional === true),
  );
}

if (!isInstalled()) {
  process.stderr.write('installing dependencies (npm ci), once …\n');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // The Node that the scripts run on is of these, and what builds the explorer.
  const all = ['--include=dev', '--include=optional'];
  const { status } = spawnSync(npm, ['ci', '--loglevel=error', '--no-fund', '--no-audit', ...all], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    process.stderr.write('npm ci failed; is the npm registry reachable from here?\n');
    process.exit(status ?? 1);
  }
}

// An install script brings it; where npm may run none, the next program would be run by a Node that knows no TypeScript.
if (!process.features.typescript && !existsSync(join(root, 'node_modules', 'node', 'bin'))) {
  process.stderr.write(
    'npm brought no Node: it was told to run no install scripts. This does: npm rebuild node --ignore-scripts=false\n',
  );
  process.exit(1);
}

await import('./build-explorer.mjs');
