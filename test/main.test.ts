import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
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
