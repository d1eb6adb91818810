import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAIN } from './helpers/run-cli.ts';
import { temporaryFolder } from './helpers/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..');

/** The version of a program that says it is a Node, as a number such as 20.20; undefined when it does not. */
function versionOf(node: string): number | undefined {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return major === undefined ? undefined : Number(major) + Number(minor) / 100;
}

/** A Node of this machine that is older than the command needs. */
const older = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .filter(existsSync)
  .find((node) => (versionOf(node) ?? 99) < 22.18);

describe('the built command', () => {
  const folder = temporaryFolder();
  beforeAll(() => {
    for (const name of ['src', 'scripts', 'data', 'package.json', 'package-lock.json', 'tsconfig.json'])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const { status, stdout } = spawnSync(process.execPath, ['scripts/build.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status, stdout).toBe(0);
  });

  const run = (node: string, ...args: string[]) =>
    spawnSync(node, ['dist/src/main.js', ...args], { cwd: folder, encoding: 'utf8' });

  it('runs as JavaScript, with the migrations beside it', () => {
    expect(run(process.execPath, '--help')).toMatchObject({ status: 0, stderr: '' });
    expect(run(process.execPath, 'keys', 'create', '--organization', 'x').stdout).toMatch(/^fmk_live_/);
    expect(run(process.execPath, 'check', 'data/simulated').stdout).toMatch(
      /: \d\d indices, \d\d rates, no problems/,
    );
  });

  it.skipIf(older === undefined)(
    'on an older Node says what it needs and exits 2 before anything native loads (needs such a Node on the PATH)',
    () => {
      const { status, stdout, stderr } = run(older ?? '', 'status');
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^foremark needs Node 22\.18 or newer, this is \d+\.\d+\.\d+$/m);
      expect(stderr).not.toContain('    at ');
    },
  );
});

describe('the compile cache', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const start = (env: Record<string, string>, more: { uid?: number; gid?: number } = {}) =>
    spawnSync(process.execPath, [MAIN, '--version'], { cwd: folder, encoding: 'utf8', env, ...more });

  it("is in the folder of the user's caches", () => {
    expect(start({ HOME: join(folder, 'home') }).status).toBe(0);
    expect(existsSync(join(folder, 'home/.cache/foremark'))).toBe(true);
    start({ HOME: join(folder, 'home'), XDG_CACHE_HOME: join(folder, 'caches') });
    expect(existsSync(join(folder, 'caches/foremark'))).toBe(true);
  });

  it('spares a start the stripping of types: the stripper is not even loaded', () => {
    const loaded = 'process.moduleLoadList.some((name) => name.includes("amaro"))';
    writeFileSync(join(folder, 'told.mjs'), `process.on('exit', () => console.log('stripper', ${loaded}));`);
    const env = { HOME: folder, NODE_OPTIONS: '--import ./told.mjs' };
    expect(start(env).stdout).toContain('stripper true');
    expect(start(env).stdout).toContain('stripper false');
  });

  it('is never in a folder that depends on where the command was started, nor at the root', () => {
    start({ HOME: join(folder, 'home'), XDG_CACHE_HOME: 'caches' });
    start({ HOME: 'elsewhere' });
    expect(readdirSync(folder)).toEqual(['home']);
    start({ HOME: join(folder, 'home'), XDG_CACHE_HOME: '' });
    expect(existsSync('/foremark')).toBe(false);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'is nowhere for a user without a home, as in many a container (needs root)',
    () => {
      expect(start({}, { uid: 54_321, gid: 54_321 })).toMatchObject({ status: 0, stderr: '' });
    },
  );
});
