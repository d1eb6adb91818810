import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { MAIN } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const start = (env: Record<string, string>, more: { uid?: number; gid?: number } = {}) =>
  spawnSync(process.execPath, [MAIN, '--version'], { cwd: folder, encoding: 'utf8', env, ...more });

describe('the compile cache', () => {
  it("is in the folder of the user's caches", () => {
    expect(start({ HOME: join(folder, 'home') }).status).toBe(0);
    expect(existsSync(join(folder, 'home/.cache/foremark'))).toBe(true);
    start({ HOME: join(folder, 'home'), XDG_CACHE_HOME: join(folder, 'caches') });
    expect(existsSync(join(folder, 'caches/foremark'))).toBe(true);
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
