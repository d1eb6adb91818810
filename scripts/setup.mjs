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

/** Runs npm; what it says goes to standard error. @returns its exit code */
function npm(...args) {
  const { status } = spawnSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  return status ?? 1;
}

const hasNode = () => existsSync(join(root, 'node_modules', 'node', 'bin'));

const isNew = !isInstalled();
if (isNew) {
  process.stderr.write('installing dependencies (npm ci), once …\n');
  // The Node that the scripts run on is of these, and what builds the explorer.
  const all = ['--include=dev', '--include=optional'];
  // From a lock file npm also compiles what comes compiled, which takes Python and make.
  const status = npm('ci', '--ignore-scripts', '--loglevel=error', '--no-fund', '--no-audit', ...all);
  if (status !== 0) {
    process.stderr.write('npm ci failed; is the npm registry reachable from here?\n');
    process.exit(status);
  }
}

// A script of its own brings it; no other package needs one.
if (!hasNode() && (isNew || !process.features.typescript)) npm('rebuild', '--loglevel=error', 'node');

// Where npm may run none, the next program would be run by a Node that knows no TypeScript.
if (!process.features.typescript && !hasNode()) {
  process.stderr.write(
    'npm brought no Node: it was told to run no install scripts. This does: npm rebuild node --ignore-scripts=false\n',
  );
  process.exit(1);
}

await import('./build-explorer.mjs');
