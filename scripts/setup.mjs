// Installs the dependencies unless they match the lock file, and builds the explorer if it is missing or out of date. This
// is the first thing to run in a fresh clone, on whatever Node runs npm there, so it is plain JavaScript without packages.
//
// The scripts of package.json call it in parentheses, a subshell: a shell remembers where it found `node`, and must look
// again after the install, which puts the pinned Node first on the path.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');

/**
 * The packages that a lock file names, by path; none when there is no such file.
 * @param {string[]} path
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(...path) {
  const file = join(root, ...path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** Whether npm's record of what it installed matches the lock file. Packages for other platforms may be missing. */
function isInstalled() {
  const named = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules', '.package-lock.json');
  return Object.entries(named).every(
    ([path, { version, optional }]) =>
      path === '' || (path in installed ? installed[path]?.version === version : optional === true),
  );
}

/**
 * Runs npm with its output on standard error.
 * @param {string[]} args
 * @returns its exit code
 */
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
  // Among these are the Node that the scripts run on, and what builds the explorer.
  const all = ['--include=dev', '--include=optional'];
  // No install scripts: npm would also compile packages that come precompiled, which takes Python and make.
  const status = npm('ci', '--ignore-scripts', '--loglevel=error', '--no-fund', '--no-audit', ...all);
  if (status !== 0) {
    process.stderr.write('npm ci failed; is the npm registry reachable from here?\n');
    process.exit(status);
  }
}

// The pinned Node comes by an install script, the only one that is needed.
if (!hasNode() && (isNew || !process.features.typescript)) npm('rebuild', '--loglevel=error', 'node');

// If npm may not run even that, the next program would run on a Node without TypeScript.
if (!process.features.typescript && !hasNode()) {
  process.stderr.write(
    'npm brought no Node: it was told to run no install scripts. This does: npm rebuild node --ignore-scripts=false\n',
  );
  process.exit(1);
}

await import('./build-explorer.mjs');
