import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { startServer } from '../../src/commands/serve.ts';
import { formatInstant, MINUTE_MS } from '../../src/model/time.ts';
import { isSearchReady } from '../../src/store/catalog/search-index.ts';
import { setCatalogState } from '../../src/store/runs.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { quietContext } from '../helpers/quiet-context.ts';
import { ended, MAIN, startCli } from '../helpers/run-cli.ts';
import { bearer } from '../helpers/small-app.ts';
import { IDS, NOW } from '../helpers/small-store.ts';
import { openSmallWorkspace } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

async function startServing(
  env: Record<string, string> = {},
  options: string[] = [],
): Promise<{ child: ChildProcess; origin: string }> {
  const child = startCli(['--json', ...options, 'serve'], { cwd: workspace.folder, env });
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return { child, origin: (JSON.parse(line.toString()) as { origin: string }).origin };
}

const LIST = 'public/api/v1/public/markets.json';
const published = (name: string) => join(workspace.folder, name);

describe('rebuild', () => {
  it('[3/2] gives the same documents, and ends the state that an interrupted one had left', async () => {
    expect((await workspace.run('publish')).code).toBe(0);
    const before = readFileSync(published(LIST), 'utf8');
    const { store } = workspace.small;
    store.write((writer) => {
      setCatalogState(writer, 'rebuilding', NOW);
      writer.run('UPDATE search_state SET rules = 0');
    });
    expect((await workspace.run('publish')).code).toBe(0);
    expect(existsSync(published(LIST))).toBe(false);
    expect(await workspace.run('rebuild')).toMatchObject({
      code: 0,
      out: expect.stringContaining('rebuilt'),
    });
    expect(readFileSync(published(LIST), 'utf8')).toBe(before);
    expect(JSON.parse((await workspace.run('--json', 'status')).out)).toMatchObject({ catalog: 'serving' });
  });

  it('[C/4] keeps the files beside the documents, and the next publish recognizes its store', async () => {
    workspace.publishCards();
    const runAt = (minutes: number, command: string) =>
      workspace.run('--now', formatInstant(NOW + minutes * MINUTE_MS), command);
    const standing = () =>
      readdirSync(published('public'), { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.startsWith('archive'))
        .sort();
    await runAt(0, 'publish');
    const before = standing();
    expect(before).toEqual(expect.arrayContaining(['cards/sparklines.json']));
    await runAt(1, 'rebuild');
    expect(standing()).toEqual(before);
    expect((await runAt(2, 'publish')).out).not.toContain('restored from a backup');
  });

  it('[3/2] leaves the lists served when it cannot withdraw them, and is reported as failed', async () => {
    const runAt = (minutes: number, ...args: string[]) =>
      workspace.run('--now', formatInstant(NOW + minutes * MINUTE_MS), ...args);
    await runAt(10, 'publish');
    expect((await runAt(5, 'rebuild')).code).toBe(3);
    const { catalog, runs } = JSON.parse((await runAt(11, '--json', 'status')).out);
    expect({ catalog, last: runs[0] }).toMatchObject({
      catalog: 'serving',
      last: { command: 'rebuild', outcome: 'failed' },
    });
    await runAt(11, 'publish');
    expect(existsSync(published(LIST))).toBe(true);
  });

  it('[3/2] is refused under an earlier instant than the last run', async () => {
    await workspace.run('--now', formatInstant(NOW + MINUTE_MS), 'compute');
    expect(await workspace.run('--now', formatInstant(NOW), 'rebuild')).toMatchObject({
      code: 2,
      err: expect.stringContaining('now must not be before the last run'),
    });
  });

  it('[3/2] is not what a scheduled run does: that never leaves the serving state, and fills a missing search', async () => {
    const { store } = workspace.small;
    const states = () => store.read((reader) => reader.get('SELECT state, since FROM catalog_state'));
    const before = states();
    store.write((writer) => writer.run('UPDATE search_state SET rules = 0'));
    await workspace.run('run');
    expect(states()).toEqual(before);
    expect(store.read(isSearchReady)).toBe(true);
  });
});

describe('serve with a fixed clock', () => {
  it('[C/1] is refused at an instant before the last run, whose constituents would stand beside earlier levels', async () => {
    await workspace.run('--now', formatInstant(NOW + MINUTE_MS), 'compute');
    expect(await workspace.run('--now', formatInstant(NOW), 'serve')).toMatchObject({
      code: 2,
      err: expect.stringContaining('now must not be before the last run into this store'),
    });
  });

  it('[5/1] answers again once the window of a budget has passed, as in a demo', async () => {
    const one = { FOREMARK_SERVE__BUDGET_REQUESTS: '1', FOREMARK_SERVE__KEY_BUDGET_REQUESTS: '1' };
    const { child, origin } = await startServing({ ...one, FOREMARK_SERVE__BUDGET_WINDOW_SECONDS: '2' }, [
      '--now',
      formatInstant(NOW),
    ]);
    const headers = bearer(workspace.small.keys.other);
    const seen = { public: [0], member: [0] };
    await vi.waitFor(
      async () => {
        seen.public.push((await fetch(`${origin}/api/v1/public/indices/SMALL`)).status);
        seen.member.push((await fetch(`${origin}/api/v1/rates`, { headers })).status);
        for (const each of Object.values(seen)) expect(each.join()).toMatch(/200,(429,)+200/);
      },
      { timeout: 20_000, interval: 100 },
    );
    const end = ended(child);
    child.kill('SIGINT');
    expect(await end).toMatchObject({ code: 0 });
  });
});

describe('serve, when it is told to end', () => {
  it('[2.10/1] has written every request that it counted, though a run held the store', async () => {
    const { child, origin } = await startServing();
    const headers = bearer(workspace.small.keys.other);
    for (let i = 0; i < 7; i++) await (await fetch(`${origin}/api/v1/indices`, { headers })).text();
    const holder = new Database(workspace.small.path);
    holder.exec('BEGIN IMMEDIATE');
    const end = ended(child);
    child.kill('SIGINT');
    await wait(1_500);
    holder.exec('COMMIT');
    holder.close();
    expect(await end).toMatchObject({ code: 0, err: '' });
    const sql = `SELECT successful FROM request_counts WHERE organization = 'other'`;
    expect(workspace.small.store.read((reader) => reader.all(sql))).toEqual([{ successful: 7 }]);
  });

  it('cuts nobody off who watches /readyz: it says no first and goes on answering', async () => {
    const { child, origin } = await startServing({
      FOREMARK_SERVE__BUDGET_REQUESTS: '1000000',
      // Long enough for every client to look, on a machine that does other work meanwhile.
      FOREMARK_SERVE__DRAIN_SECONDS: '5',
    });
    const end = ended(child);
    let asked = 0;
    const failures: unknown[] = [];
    const client = async () => {
      for (;;) {
        if ((await fetch(`${origin}/readyz`)).status === 503) return;
        for (let i = 0; i < 5; i++)
          try {
            await (await fetch(`${origin}/api/v1/public/indices/SMALL`)).text();
            asked++;
          } catch (thrown) {
            failures.push(thrown);
          }
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, client));
    await expect.poll(() => asked, { timeout: 60_000 }).toBeGreaterThan(100);
    child.kill('SIGTERM');
    await clients;
    expect(await end).toMatchObject({ code: 0, err: '' });
    expect(failures).toEqual([]);
  });

  it('ends when npm was told to, though the shell in between passes nothing on', async () => {
    const serve = `"${process.execPath}" "${MAIN}" --json serve; exit $?`;
    const shell = spawn('sh', ['-c', serve], {
      cwd: workspace.folder,
      env: { ...process.env, npm_lifecycle_event: 'foremark' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    await once(shell.stdout, 'data');
    shell.kill('SIGTERM');
    // Both ends of its pipes are closed once nobody is left.
    const left = await Promise.race([once(shell, 'close'), wait(20_000, 'still running')]);
    if (left === 'still running' && shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    expect(left).toEqual([null, 'SIGTERM']);
  });
});

describe('serve, when another file replaces its store', () => {
  it.each([
    ['moved to its place', renameSync],
    [
      'copied into it, its log removed',
      (copy: string, path: string) => {
        for (const log of ['-wal', '-shm']) rmSync(path + log);
        copyFileSync(copy, path);
      },
    ],
  ])('exits with 4 and says so, not answering from one that is abandoned: %s', async (_, replace) => {
    const { child } = await startServing();
    const end = ended(child);
    const { path } = workspace.small;
    copyFileSync(path, `${path}.copy`);
    replace(`${path}.copy`, path);
    const left = await Promise.race([end, wait(20_000, 'still serving', { ref: false })]);
    child.kill('SIGKILL');
    expect(left).toMatchObject({
      code: 4,
      err: expect.stringMatching(/^foremark: store foremark\.db: it was replaced by another file; .+\n$/),
    });
  });
});

describe('serve', () => {
  it('[C/5] says where it listens, answers from there, and exits 0 when told to end', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const child = startCli(['--json', 'serve'], { cwd: workspace.folder });
      const end = ended(child);
      const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
      const { origin } = JSON.parse(line.toString()) as { origin: string };
      expect((await fetch(`${origin}/readyz`)).status).toBe(200);
      expect((await fetch(`${origin}/api/v1/public/markets/${encodeURIComponent(IDS.wild)}`)).status).toBe(
        200,
      );
      expect((await fetch(`${origin}/api/v1/public/indices/SMALL`, { method: 'HEAD' })).status).toBe(200);
      child.kill(signal);
      expect(await end).toMatchObject({ code: 0, err: '' });
    }
  });

  it('[4.1/2] tells the operator what failed at a request, by the id that the caller got, and the caller nothing else', async () => {
    const { small, folder } = workspace;
    const said: string[] = [];
    const context = quietContext({ store: small.path, publish: { folder: join(folder, 'public') } }, NOW);
    const err = (text: string) => said.push(text);
    const serving = await startServer({ ...context, err }, { host: '127.0.0.1', port: 0 });
    small.store.write((writer) => writer.run('DROP TABLE market_marks'));
    const answer = await fetch(`${serving.origin}/api/v1/public/markets/${IDS.steady}`);
    const body = (await answer.json()) as { request_id: string };
    await serving.close();
    expect(answer.status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('table');
    expect(said).toEqual([expect.stringMatching(`^request ${body.request_id}: .*no such table: `)]);
  });
});
