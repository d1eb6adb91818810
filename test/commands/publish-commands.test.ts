import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { findCurrentGeneration } from '../../src/publish/archive/current-generation.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { publishStore } from '../helpers/publish-store.ts';
import { runHere } from '../helpers/run-here.ts';
import { NOW, RATES } from '../helpers/small-store.ts';
import { openSmallWorkspace, write } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

const DETAIL = 'public/api/v1/public/indices/SMALL.json';
const at = (name: string) => join(workspace.folder, name);
const publishAt = (hours: number) => workspace.run('--now', formatInstant(NOW + hours * HOUR_MS), 'publish');

/** Runs a command that must succeed, and returns its output. */
async function said(...args: string[]): Promise<string> {
  const { code, out, err } = await workspace.run(...args);
  expect(code, err).toBe(0);
  return out;
}

it('publish --dry-run says what a publish then does, and writes nothing', async () => {
  const before = readdirSync(workspace.folder);
  const ahead = await said('publish', '--dry-run');
  expect(readdirSync(workspace.folder)).toEqual(before);
  const [, documents = ''] = /^would publish generation 1: (\d+) documents, \1 written/m.exec(ahead) ?? [];
  expect(ahead).toMatch(/^requests {6}[\d,]+ writes \([\d,]+ KiB\), 1 read, about \$0$/m);
  expect(await said('publish')).toContain(`generation 1: ${documents} documents, ${documents} written`);
});

describe('the publication', () => {
  it('[C/4] is checked against its digests by --verify, and --repair mends the live tree', async () => {
    await said('publish');
    expect(await said('publish', '--verify')).toMatch(/^1 generation, .*\neverything matches its digest\n$/);
    const whole = readFileSync(at(DETAIL), 'utf8');
    rmSync(at(DETAIL));
    writeFileSync(at(DETAIL), '{}');
    const damaged = await workspace.run('publish', '--verify');
    expect(damaged).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^problem: .*SMALL.*\n1 problem$/m),
    });
    expect(await said('publish', '--repair')).toMatch(
      /^generation 1: [\d,]+ documents .* read, 1 written, 0 files/,
    );
    expect(readFileSync(at(DETAIL), 'utf8')).toBe(whole);
    await said('publish', '--verify');
    for (const lost of ['public/publication.json', 'public/api']) rmSync(at(lost), { recursive: true });
    expect(await said('publish', '--repair')).toMatch(
      /^brought the live tree to generation 1\ngeneration 1: .* 0 written/,
    );
    expect(readFileSync(at(DETAIL), 'utf8')).toBe(whole);
  });

  it('[C/4] is rolled back to the previous generation, or to a named one', async () => {
    for (const hours of [0, 24, 48]) await publishAt(hours);
    const now = ['--now', formatInstant(NOW + 49 * HOUR_MS)];
    expect(await said(...now, 'publish', '--rollback')).toMatch(/^generation 4 restores generation 2: /);
    expect(await said(...now, 'publish', '--rollback', '1')).toMatch(/^generation 5 restores generation 1: /);
  });

  it('[C/4] is not replaced from a store that has published nothing yet, unless asked', async () => {
    await said('publish');
    for (const end of ['', '-wal', '-shm']) rmSync(at(`foremark.db${end}`), { force: true });
    const stands = readFileSync(at(DETAIL), 'utf8');
    // The second time the store is no longer new, and has still published nothing.
    for (const command of [['publish'], ['rebuild'], ['publish'], ['publish', '--dry-run']])
      expect(await workspace.run(...command), command.join(' ')).toMatchObject({
        code: 4,
        err: expect.stringContaining('this store has not published anything'),
      });
    expect(readFileSync(at(DETAIL), 'utf8')).toBe(stands);
    expect(await said('publish', '--take-over')).toContain('generation 2: ');
    expect(readFileSync(at(DETAIL), 'utf8')).not.toBe(stands);
    expect(await said('publish')).toContain('generation 2: ');
  });

  it('[C/4] is not replaced from a store that published elsewhere, nor rolled back, unless taken over', async () => {
    const other = openSmallWorkspace();
    const later = ['--now', formatInstant(NOW + HOUR_MS)];
    const here = { env: { FOREMARK_PUBLISH__FOLDER: join(workspace.folder, 'public') }, cwd: other.folder };
    try {
      for (const hours of [0, 24]) await publishAt(hours);
      await other.run(...later, 'publish');
      const pointer = readFileSync(at('public/archive/pointer.json'), 'utf8');
      for (const command of [['publish'], ['run'], ['publish', '--dry-run'], ['publish', '--rollback']])
        expect(await runHere([...later, ...command], here), command.join(' ')).toMatchObject({
          code: 4,
          err: expect.stringContaining(
            'of a store that ran first at 2026-04-15T12:00:00Z, but this store ran first at 2026-04-15T13:00:00Z: ',
          ),
        });
      expect(readFileSync(at('public/archive/pointer.json'), 'utf8')).toBe(pointer);
      const then = ['--now', formatInstant(NOW + 25 * HOUR_MS)];
      expect(await runHere([...then, 'publish', '--take-over'], here)).toMatchObject({ code: 0 });
      // From then on it is the other's, until that one brings back what was not.
      expect(await runHere([...then, 'publish'], here)).toMatchObject({ code: 0 });
      expect(await workspace.run(...then, 'publish')).toMatchObject({ code: 4 });
      expect(await runHere([...then, 'publish', '--rollback', '2'], here)).toMatchObject({ code: 0 });
      expect(await workspace.run(...then, 'publish')).toMatchObject({ code: 0 });
    } finally {
      other.close();
    }
  });

  it('[C/4] is continued from a backup of its store, which says that it is behind', async () => {
    await said('publish');
    workspace.small.store.close();
    copyFileSync(at('foremark.db'), at('backup.db'));
    await publishAt(24);
    copyFileSync(at('backup.db'), at('foremark.db'));
    expect(await publishAt(48)).toMatchObject({
      code: 0,
      out: expect.stringContaining('later than what this store had last published'),
    });
  });

  it('[C/4] of an older program, which names no store, is continued by the store and is its own from then on', async () => {
    const sink = folderSink(at('public'));
    const { store } = workspace.small;
    await publishStore(store, sink, NOW, { program: 'older' });
    expect((await findCurrentGeneration(sink))?.record).not.toHaveProperty('first_run_at');
    expect(await said('publish')).toContain('generation 2: ');
    expect((await findCurrentGeneration(sink))?.record).toMatchObject({ first_run_at: NOW });
  });

  it('[C/4] continues from a store of an older program, of which only the runs show that it published', async () => {
    await said('publish');
    workspace.small.store.write((writer) => {
      for (const table of ['answered', 'touch_epoch']) writer.run(`DELETE FROM ${table}`);
    });
    await said('publish');
  });

  it('[C/4] is pruned by the settings, unless told otherwise, and a dry run removes nothing', async () => {
    for (const hours of [0, 24, 48]) await publishAt(hours);
    const now = ['--now', formatInstant(NOW + 49 * HOUR_MS)];
    expect(await said(...now, 'prune')).toMatch(/^kept 3 generations, removed 0 with 0 objects/);
    const few = ['prune', '--keep-generations', '2', '--keep-days', '0'];
    const ahead = await said(...now, ...few, '--dry-run');
    expect(ahead).toMatch(/^would keep 2 generations, remove 1 with [1-9]/);
    expect(await said(...now, ...few)).toBe(ahead.replace('would keep', 'kept').replace('remove', 'removed'));
    expect(await said(...now, 'publish', '--verify')).toMatch(/^2 generations, /);
  });

  it('[C/4] is mirrored to a folder, which is checked and mended offline', async () => {
    await said('publish');
    expect(await said('mirror', 'copy')).toMatch(
      /^generation 1: [\d,]+ objects \([\d,]+ KiB\) copied to .*copy$/m,
    );
    expect(await said('mirror', 'copy')).toContain('generation 1: 0 objects');
    expect(await said('mirror', 'copy', '--check')).toContain('everything matches its digest');
    const [object = ''] = readdirSync(at('copy/archive/objects'), {
      recursive: true,
      encoding: 'utf8',
    }).filter((name) => /[0-9a-f]{20}/.test(name.slice(name.lastIndexOf('/'))));
    writeFileSync(at(`copy/archive/objects/${object}`), 'other bytes');
    expect((await workspace.run('mirror', 'copy', '--check')).code).toBe(1);
    expect(await said('mirror', 'copy', '--repair')).toContain('generation 1: 1 object (');
    expect(await said('mirror', 'copy', '--check')).toContain('everything matches its digest');
    expect(await workspace.run('mirror', 'nowhere', '--check')).toMatchObject({
      code: 2,
      err: 'foremark: there is no folder nowhere\n',
    });
    expect(existsSync(at('nowhere'))).toBe(false);
  });

  it('is not mirrored into a folder that is itself published to, least of all its own', async () => {
    await said('publish');
    const { code, err } = await workspace.run('mirror', 'public');
    expect(err).toMatch(/public is published to, so it can hold no copy; choose another folder\n$/);
    expect(code).toBe(2);
  });
});

describe('publish --rollback', () => {
  it('refuses a generation that shows the public a rate which was made private since', async () => {
    await workspace.run('publish');
    const [steady] = RATES;
    const close = { ...steady, visibility: 'organization', organization: 'acme' };
    write(workspace.folder, 'definitions/rates/0.json', close);
    const later = ['--now', new Date(NOW + 3_600_000).toISOString()];
    await workspace.run(...later, 'publish');
    const { code, err } = await workspace.run(...later, 'publish', '--rollback');
    expect(err).toContain(
      'generation 1 is closed: it holds api/v1/public/rates/R.STEADY.json, which only acme',
    );
    expect(code).toBe(2);
    expect(existsSync(join(workspace.folder, 'public/api/v1/public/rates/R.STEADY.json'))).toBe(false);
    write(workspace.folder, 'definitions/rates/0.json', steady);
    await workspace.run(...later, 'publish');
    expect((await workspace.run(...later, 'publish', '--rollback', '1')).code).toBe(0);
  });
});
