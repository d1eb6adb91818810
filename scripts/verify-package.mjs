// Packs the product, installs the tarball outside the clone and runs the command there, as a user would.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'foremark-package-'));
// Without the clone's own programs, which npm run puts first on the path, but with this Node.
const path = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)].filter(
  (each) => !each.endsWith(join('node_modules', '.bin')),
);

/**
 * Runs a program.
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @throws with its output when it fails
 */
function run(program, args, cwd) {
  process.stdout.write(`${[program, ...args].join(' ')}\n`);
  const env = { ...process.env, PATH: path.join(delimiter) };
  const shell = process.platform === 'win32';
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, shell, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} exited ${status}\n${stdout}${stderr}`);
}

/**
 * Fails unless a text holds what is expected of it.
 * @param {string} text
 * @param {RegExp} expected
 */
function expectText(text, expected) {
  if (!expected.test(text)) throw new Error(`expected ${expected}, got:\n${text}`);
}

try {
  run('npm', ['pack', '--loglevel=error', '--pack-destination', folder], root);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'elsewhere', private: true }));
  const tarball = join(folder, `foremark-${version}.tgz`);
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', tarball], folder);
  expectText(run('npx', ['--no-install', 'foremark', '--help'], folder), /^Usage: foremark/);
  const demo = run('npx', ['--no-install', 'foremark', 'demo', '--exit'], folder);
  expectText(demo, /^store {4}\d+ public indices, \d+ rates as of /m);
  process.stdout.write(`${demo}the package runs outside the clone, on Node ${process.versions.node}\n`);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : thrown}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
