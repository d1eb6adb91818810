import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askNobody } from '../../src/commands/demo-settings.ts';
import { fileTree } from '../helpers/file-tree.ts';
import { basket } from '../helpers/hand-definitions.ts';
import { makeFolder } from '../helpers/make-folder.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { runCli } from '../helpers/run-cli.ts';
import { openSmallApp, type Row, rows } from '../helpers/small-app.ts';
import { NOW, RATES } from '../helpers/small-store.ts';
import { openSmallWorkspace, write } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

describe('run', () => {
  it('[C/1] goes through its stages under one lock, says what each did, and in a pipe writes plain lines', async () => {
    workspace.publishCards();
    const { code, out, err } = await workspace.runAlone('run');
    expect(code).toBe(0);
    expect(out).toMatch(/^ingest {3}done in .* s$/m);
    expect(out).toMatch(/^compute {2}\d+ index prints, \d+ rate prints, .* s$/m);
    expect(out).toMatch(
      /^publish {2}generation 1: (\d+) documents, \1 written \(\d+ KiB\), 0 removed, in .*public, .* s$/m,
    );
    expect(out).toMatch(/^as of {4}2026-04-15T12:00:00Z$/m);
    expect(out + err).not.toContain('\u001b');
    expect(err).toMatch(/^publish (\d+) of \1$/m);
  });

  it('[C/1] again at the same instant changes nothing; its JSON has one shape', async () => {
    await workspace.run('run');
    const { seconds, ...summary } = await workspace.json('run');
    expect(summary).toEqual({
      as_of: '2026-04-15T12:00:00Z',
      definition_problems: 0,
      ingest: { feeds: [], first_fill: false, compacted: 0, answers_forgotten: 0, late_from: null },
      compute: { markets_marked: 0, index_prints: 0, rate_prints: 0, restated: 0, failures: [] },
      relations: { texts: 20, read: 0, compared: 0, waiting: 0 },
      publish: {
        generation: 1,
        documents: expect.any(Number),
        finished_before: false,
        written: 0,
        removed: 0,
        bytes_written: 0,
        place: join(workspace.folder, 'public'),
        usage: { writes: 1, reads: 5, lists: 0, bytes_written: expect.any(Number), usd: 0 },
      },
      exit_code: 0,
    });
    expect(Object.keys(seconds as Row)).toEqual(['ingest', 'compute', 'publish']);
  });

  it('forgets the report of an old run with its raw answers, but not that it ran', async () => {
    await workspace.json('compute');
    for (const day of ['2026-04-22T12:00:00Z', '2026-04-22T12:00:01Z'])
      await workspace.json('--now', day, 'compute');
    const runs = rows(await workspace.json('--now', '2026-04-22T12:00:01Z', 'status'), 'runs');
    expect(runs.map((each) => [each.started_at, each.outcome, each.summary === null])).toEqual([
      ['2026-04-22T12:00:01Z', 'complete', false],
      ['2026-04-22T12:00:00Z', 'complete', false],
      ['2026-04-15T12:00:00Z', 'complete', true],
    ]);
  });

  it('has failed when it breaks off while adopting definitions; only a killed run has no end', async () => {
    const refused = `BEFORE INSERT ON definitions BEGIN SELECT RAISE(ABORT, 'refused'); END`;
    workspace.small.store.write((writer) => writer.run(`CREATE TRIGGER refused ${refused}`));
    write(workspace.folder, 'definitions/rates/0.json', { ...RATES[0], name: 'Another' });
    expect((await workspace.runAlone('compute')).err).toContain('refused');
    expect(rows(await workspace.json('status'), 'runs')[0]).toMatchObject({ outcome: 'failed' });
    expect((await workspace.run('status')).out).toMatch(/^run {7}\d+ compute \S+ failed: refused$/m);
  });

  it('[C/1] runs each stage alone too', async () => {
    for (const stage of ['ingest', 'compute', 'publish'])
      expect(Object.keys(await workspace.json(stage))).toEqual([
        'as_of',
        'definition_problems',
        'seconds',
        stage,
        ...(stage === 'compute' ? ['relations'] : []),
        'exit_code',
      ]);
  });

  it('[C/4] publishes what the server of the same store answers', async () => {
    await workspace.run('publish');
    const { app } = openSmallApp(workspace.small);
    const served = await app.request('/api/v1/public/indices/SMALL');
    const published = readFileSync(join(workspace.folder, 'public/api/v1/public/indices/SMALL.json'), 'utf8');
    expect(published).toBe(await served.text());
  });
});

describe('the time zone and the language of the machine', () => {
  const env = { TZ: 'Asia/Kolkata', LC_ALL: 'tr_TR.UTF-8' };

  it('do not move a rebalance: of an hour that New York has twice, every machine takes the first', async () => {
    const folder = makeFolder();
    write(folder, 'foremark.json', { definitions: 'definitions', ...askNobody() });
    const weighting = { scheme: 'equal', rebalances: { every: 'week', day: 7, time: '01:30' } };
    const twice = basket('TWICE', ['A'], { weighting, base_at: '2026-10-31T00:00:00Z' });
    write(folder, 'definitions/indices/twice.json', twice);
    const { err } = await runCli(['--now', '2026-10-31T12:00:00Z', 'compute'], { cwd: folder, env });
    expect(err).toMatch(/^announced for 2026-11-01T05:30:00Z: Rebalance of TWICE/m);
    rmSync(folder, { recursive: true });
  });

  it('change no byte of what is published', async () => {
    const { folder, publishCards, run } = workspace;
    publishCards();
    const read = () => fileTree(join(folder, 'public'));
    await run('publish');
    const here = read();
    rmSync(join(folder, 'public'), { recursive: true });
    const now = new Date(NOW).toISOString();
    await runCli(['--now', now, 'publish', '--take-over'], { cwd: folder, env });
    expect(read()).toEqual(here);
  });
});

it.each(['ingest', 'compute', 'publish', 'run'])(
  '%s under an instant before the last run does nothing and says so',
  async (command) => {
    const { code, err } = await workspace.run('--now', '2026-04-15T11:00:00Z', command);
    expect(code).toBe(2);
    expect(err).toContain(
      'now must not be before the last run into this store, at 2026-04-15T12:00:00Z, got 2026-04-15T11:00:00Z',
    );
  },
);
