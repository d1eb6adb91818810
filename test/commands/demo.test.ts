import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean } from 'simple-statistics';
import { expect, it } from 'vitest';
import { sitesOf } from '../../src/commands/context.ts';
import { config } from '../../src/model/config.ts';
import { createApp } from '../../src/serve/serve.ts';
import { takeRunLock } from '../../src/store/run-lock.ts';
import { openStore } from '../../src/store/store.ts';
import { fileTree } from '../helpers/file-tree.ts';
import { ended, MAIN, runCli } from '../helpers/run-cli.ts';
import { runHere } from '../helpers/run-here.ts';
import { findUnequalTwin, listTwins } from '../helpers/served-twins.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');

const folder = temporaryFolder();

it('a demo exits with 2 and leaves alone a store, documents and settings that no demo made', async () => {
  const place = join(folder, 'in-use');
  mkdirSync(join(place, 'public'), { recursive: true });
  writeFileSync(join(place, 'foremark.json'), '{ "ingest": { "contact": "desk@example.org" } }');
  writeFileSync(join(place, 'foremark.db'), 'prints of years');
  const before = fileTree(place);
  const { code, err } = await runHere(['demo', '--exit', '--folder', 'in-use'], { cwd: folder });
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('in-use holds foremark.db, public, foremark.json'),
  ]);
  expect(fileTree(place)).toMatchObject(before);
});

it.skipIf(process.platform === 'win32')(
  'a demo that finds no room exits with 4, names the file and leaves none of it',
  async () => {
    const place = join(folder, 'no-room');
    // No file may grow, as on a full disk.
    const limited = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`;
    const child = spawn('sh', ['-c', limited, process.execPath, MAIN, 'demo', '--exit', '--folder', place]);
    expect(await ended(child)).toMatchObject({
      code: 4,
      err: expect.stringMatching(/^foremark: .+\/no-room\/foremark\.json: EFBIG: file too large, write\n$/),
    });
    expect(readdirSync(place)).toEqual(['foremark.db.lock']);
  },
);

it('a demo refuses any clock but that of its world', async () => {
  const args = ['--now', '2026-11-02T00:00:00Z', 'demo', '--exit', '--folder', 'never-made'];
  const { code, err } = await runHere(args, { cwd: folder });
  expect([code, err]).toEqual([2, expect.stringContaining("'--now <instant>' cannot be used with demo")]);
  expect(existsSync(join(folder, 'never-made'))).toBe(false);
});

it('[C/1][C/2][C/3][C/4][C/5] the demo exits with 0, publishes, and serves what it published', async () => {
  const env = { npm_lifecycle_event: 'demo' };
  const { code, out, err } = await runCli(['demo', '--exit', '--folder', 'demo'], { cwd: folder, env });
  expect(code, err).toBe(0);
  expect(out).toMatch(/^store {4}\d\d public indices, \d\d rates as of 2026-10-29T12:00:00Z$/m);
  expect(err).toContain('the world is simulated: no price here is real');
  expect(out + err).not.toContain('\u001b');
  const say = (...args: string[]) => runHere(['--config', 'demo/foremark.json', ...args], { cwd: folder });
  const [, hint = ''] = /^then {5}npm run -s foremark -- (\S.*?) {3}/m.exec(out) ?? [];
  const explained = await runHere(hint.split(' '), { cwd: folder });
  expect(explained.out).toMatch(/^SIMUSPRES28\.G \(index, gauge-[\d.]+\) at 2026-10-29T12:00:00Z\nlevel /);
  const team = await say('explain', 'SIMAFLBOS');
  expect(team.out).toMatch(/^market +seat +state /m);
  expect(team.out).toMatch(/^venue_a:SIMAFL-26-BOS +championship +included /m);
  const median = await say('--json', 'explain', 'SIM.FED.2026-12.HOLD.M');
  const { rate, parts } = JSON.parse(median.out) as Record<'rate', { price: number }> &
    Record<'parts', { price: number; of: string }[]>;
  expect(parts).toHaveLength(12);
  expect(mean(parts.map((part) => part.price))).toBeCloseTo(rate.price, 12);
  const ingested = await say('--json', 'ingest');
  expect(JSON.parse(ingested.out)).toMatchObject({ ingest: { feeds: [] } });

  const files = fileTree(join(folder, 'demo', 'public'), 'api');
  expect(Object.keys(files).length).toBeGreaterThan(4000);

  const store = openStore(join(folder, 'demo', 'foremark.db'), { readonly: true });
  const sites = sitesOf(config.parse({}));
  const app = createApp({ store, now: () => NOW, sites, label: 'simulated', report: () => {} });
  const twins = listTwins(store);
  expect(await findUnequalTwin(app, files, twins)).toBeUndefined();
  const documents = Object.keys(files).filter((key) => key.startsWith('api/v1/public/'));
  expect(twins.map(({ key }) => key)).toEqual(expect.arrayContaining(documents));
  expect((await app.request('/api/v1/public/indices')).headers.get('x-data-label')).toBe('simulated');
  store.close();
}, 400_000);

it('[C/1] a demo leaves the folder of a running one as it is, and exits with 3', async () => {
  const place = join(folder, 'taken');
  mkdirSync(place);
  writeFileSync(join(place, 'foremark.db'), '');
  const unlock = takeRunLock(join(place, 'foremark.db'));
  const { code, err } = await runCli(['demo', '--exit', '--folder', 'taken'], { cwd: folder });
  unlock();
  expect([code, err]).toEqual([3, expect.stringContaining('another run is writing to taken/foremark.db')]);
  expect(readdirSync(place)).toEqual(['foremark.db', 'foremark.db.lock']);
}, 400_000);
