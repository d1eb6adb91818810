import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { isDue, refuseChanged, refuseDamaged } from '../../src/store/damage.ts';
import { writeChecksums } from '../../src/store/page-checksums.ts';
import { insertRun } from '../../src/store/runs.ts';
import { openStore } from '../../src/store/store.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { NOW } from '../helpers/small-store.ts';
import { openSmallWorkspace } from '../helpers/small-workspace.ts';

const PAGE = 8192;
const workspace = ofEachTest(openSmallWorkspace);

describe('[F21] a damaged store', () => {
  let file: string;
  let whole: Buffer;
  let pages: number[];
  beforeEach(() => {
    const { store, path } = workspace.small;
    pages = store.read((reader) => reader.column<number>('SELECT pageno FROM dbstat WHERE pageno > 1'));
    store.close();
    file = path;
    whole = readFileSync(path);
  });

  /** Fills a page of the file with one byte. */
  function damage(page: number, byte: number): void {
    writeFileSync(file, Buffer.from(whole).fill(byte, (page - 1) * PAGE, page * PAGE));
  }

  const check = () => refuseDamaged(file, NOW);

  it('is refused whichever page is damaged', () => {
    expect(check).not.toThrow();
    expect(pages.length).toBeGreaterThan(100);
    for (const [i, page] of pages.entries()) {
      damage(page, i % 2 === 0 ? 0 : 0xff);
      expect(check, `page ${page}`).toThrow(expect.objectContaining({ code: 'store_unusable' }));
    }
  });

  it('is refused by every command that writes numbers, and by verify, before anything is written', async () => {
    const store = openStore(file);
    const root = store.read((reader) =>
      reader.value<number>("SELECT rootpage FROM sqlite_schema WHERE name = 'news_articles'"),
    );
    store.close();
    damage(root as number, 0xff);
    const damaged = readFileSync(file);
    for (const command of ['run', 'compute', 'publish', 'rebuild', 'verify', 'backfill']) {
      const { code, err } = await workspace.run(command);
      expect([command, code, err]).toEqual([
        command,
        4,
        expect.stringMatching(/foremark\.db: the file is damaged; restore it from a backup \(.+\)\n$/s),
      ]);
      expect(readFileSync(file).equals(damaged)).toBe(true);
    }
  });

  it('is refused after a run wherever a bit changed, until somebody vouches for the file', async () => {
    expect(await workspace.run('compute')).toMatchObject({ code: 0 });
    const left = readFileSync(file);
    const at = left.lastIndexOf('will') + 1;
    expect(at).toBeGreaterThan(PAGE);
    left[at] = (left[at] as number) ^ 1;
    writeFileSync(file, left);
    for (const command of ['run', 'compute', 'publish', 'rebuild', 'backfill'])
      expect(await workspace.run(command), command).toMatchObject({
        code: 4,
        err: expect.stringContaining(
          `foremark.db: the file is damaged; restore it from a backup. Page ${Math.floor(at / PAGE) + 1} is not as the ` +
            'last run left it; if another program changed it on purpose, remove foremark.db.checksums',
        ),
      });
    expect(readFileSync(file).equals(left)).toBe(true);
    rmSync(`${file}.checksums`);
    expect(await workspace.run('compute')).toMatchObject({ code: 0 });
  });

  it('is looked for in the structure where the file was written since', async () => {
    expect(await workspace.run('compute')).toMatchObject({ code: 0 });
    const store = openStore(file);
    store.write((writer) => insertRun(writer, 'run', NOW));
    store.close();
    const left = readFileSync(file);
    writeFileSync(file, left.fill(0xff, left.length - PAGE));
    expect(await workspace.run('compute')).toMatchObject({ code: 4 });
  });

  it('is not seen in another history of a copy that happens to be as long', () => {
    const transaction = (at: number) => {
      const store = openStore(file);
      store.write((writer) => insertRun(writer, 'run', at));
      store.close();
    };
    const copy = readFileSync(file);
    transaction(NOW);
    writeChecksums(file);
    writeFileSync(file, copy);
    expect(refuseChanged(file)).toBe(false);
    transaction(NOW + 1);
    expect(refuseChanged(file)).toBe(false);
  });

  it('is found by the first run of a day where checking takes long, otherwise by each', () => {
    const [small, large] = [256 * 2 ** 20, 256 * 2 ** 20 + 1];
    const [before, later] = ['2026-04-15T23:59:59.999Z', '2026-04-16T00:00:00Z'].map(Date.parse);
    expect(isDue(small, NOW, NOW)).toBe(true);
    expect(isDue(large, NOW, before as number)).toBe(false);
    expect(isDue(large, NOW, later as number)).toBe(true);
    expect(isDue(large, undefined, NOW)).toBe(true);
  });
});
