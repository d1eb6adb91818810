import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/serve/serve.ts';
import { insertReject, upsertFeed } from '../../src/store/feeds.ts';
import { noteLateHistory } from '../../src/store/late-history.ts';
import { insertFetch } from '../../src/store/payloads.ts';
import { findRatePrint, RateRecord } from '../../src/store/prints/rate-prints.ts';
import { finishRun, insertRun } from '../../src/store/runs.ts';
import { ended, startCli } from '../helpers/run-cli.ts';
import { bearer, type Row, rows, rowWith } from '../helpers/small-app.ts';
import { IDS, INDICES, NOW, RATES, SITES } from '../helpers/small-store.ts';
import { openSmallWorkspace, type SmallWorkspace, write } from '../helpers/small-workspace.ts';

let workspace: SmallWorkspace;
beforeEach(() => {
  workspace = openSmallWorkspace();
});
afterEach(() => workspace.close());

const json = async (...args: string[]): Promise<Row> => {
  const { code, out, err } = await workspace.run('--json', ...args);
  expect(code, err).toBe(0);
  return JSON.parse(out) as Row;
};

describe('run', () => {
  it('[C/1] goes through its stages under one lock, says what each did, and in a pipe writes plain lines', async () => {
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
    const { seconds, ...summary } = await json('run');
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
        usage: { writes: 1, reads: 5, bytes_written: expect.any(Number), usd: 0 },
      },
      exit_code: 0,
    });
    expect(Object.keys(seconds as Row)).toEqual(['ingest', 'compute', 'publish']);
  });

  it('forgets the report of an old run with its raw answers, but not that it ran', async () => {
    await json('compute');
    for (const day of ['2026-04-22T12:00:00Z', '2026-04-22T12:00:01Z']) await json('--now', day, 'compute');
    const runs = rows(await json('--now', '2026-04-22T12:00:01Z', 'status'), 'runs');
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
    expect(rows(await json('status'), 'runs')[0]).toMatchObject({ outcome: 'failed' });
    expect((await workspace.run('status')).out).toMatch(/^run {7}\d+ compute \S+ failed: refused$/m);
  });

  it('[C/1] runs each stage alone too', async () => {
    for (const stage of ['ingest', 'compute', 'publish'])
      expect(Object.keys(await json(stage))).toEqual([
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
    const app = createApp({
      store: workspace.small.store,
      now: () => NOW,
      sites: SITES,
      label: '',
      report: () => {},
    });
    const served = await app.request('/api/v1/public/indices/SMALL');
    const published = readFileSync(join(workspace.folder, 'public/api/v1/public/indices/SMALL.json'), 'utf8');
    expect(published).toBe(await served.text());
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

describe('explain', () => {
  it('shows level, divisor, and for each constituent its state with the reason, weight, mark with basis, and age', async () => {
    const { code, out } = await workspace.run('explain', 'SMALL');
    expect(code).toBe(0);
    expect(out).toMatch(/^SMALL \(index, basket-[\d.]+\) at 2026-04-15T12:00:00Z$/m);
    expect(out).toMatch(
      /^level 1037\.\d+ = \(sum of quantity x mark \+ cash 0\) \/ divisor [\d.]+, coverage 75\.9%$/m,
    );
    expect(out).toMatch(/^venue_a:KXSTEADY-26 +included +36\.888% +58\.1c mid +0 min .*KXSTEADY-26\?$/m);
    expect(out).toMatch(/^venue_a:KXONESIDE-26 +excluded \(one_sided_book\) +0\.000% +40c held +6 h/m);
    expect(out).toMatch(/^venue_a:KXNEVER-26 +unpriced +0\.000% +no price +- /m);
  });

  it('as JSON has the whole receipt, and with --at the print of that instant with its steps', async () => {
    const explanation = await json('explain', 'SMALL');
    expect(explanation).toMatchObject({
      ticker: 'SMALL',
      kind: 'index',
      at: '2026-04-15T12:00:00Z',
      revision: 0,
      index: { divisor: expect.any(Number), cash: 0, coverage: expect.any(Number) },
      steps: [],
    });
    const lines = rows(explanation, 'constituents');
    const value = lines.reduce((sum, line) => sum + Number(line.quantity) * Number(line.price ?? 0), 0);
    const { level, divisor } = explanation.index as { level: number; divisor: number };
    expect(value / divisor).toBeCloseTo(level, 6);
    expect(rowWith(lines, 'market_id', IDS.oneSided)).toMatchObject({
      state: 'excluded',
      exclude_reason: 'one_sided_book',
      basis: 'held',
      weight: 0,
      observed_at: '2026-04-15T06:00:00Z',
      age_ms: 21_600_000,
    });
    expect(await json('explain', 'SMALL', '--at', '2026-03-06T05:00:00Z')).toMatchObject({
      at: '2026-03-06T00:00:00Z',
      index: { level: 1000 },
      steps: [{ reason: 'base', at: '2026-03-06T00:00:00Z', level_before: 1000, level_after: 1000 }],
    });
  });

  it.each(['SMALL', 'GAUGE.K'])(
    'shows numbers that give the level of %s to its last digit',
    async (ticker) => {
      const { out } = await workspace.run('explain', ticker);
      const [, level, divisor = 1] = /^level (\S+) =.*?(?:divisor ([\d.]+))?, /m.exec(out) ?? [];
      const names = [...out.matchAll(/ ([\d.]+)c [a-z]+ +\d+ \w+ +([\d.]+) /g)].map((row) => row.map(Number));
      const value = names.reduce((sum, [, cents = 0, quantity = 0]) => sum + (quantity * cents) / 100, 0);
      const whole = names.reduce((sum, [, , quantity = 0]) => sum + quantity, 0);
      const given = ticker === 'SMALL' ? value / Number(divisor) : (100 * value) / whole;
      expect(Math.round(given * 1e6) / 1e6).toBe(Number(level));
    },
  );

  it('says that a gauge is a mean', async () => {
    const { out } = await workspace.run('explain', 'GAUGE.K');
    expect(out).toMatch(/^level [\d.]+ = 100 x sum of quantity x mark \/ sum of quantity, over /m);
  });

  it('explains a rate by its price, spread and sources', async () => {
    const { out } = await workspace.run('explain', 'R.MEAN');
    expect(out).toMatch(/^price 50\.7208 cents = mean of the included marks, spread 14\.7585 cents$/m);
    expect(out).toMatch(/^venue_a:KXSWING-26-UP +included +50\.000% +43\.3415\d*c mid/m);
    expect(await json('explain', 'R.MEAN')).toMatchObject({
      kind: 'rate',
      rate: { price: expect.any(Number) },
    });
  });

  it('asks which one is meant where an index and a rate share the ticker', async () => {
    workspace.small.store.write((writer) => {
      const print = findRatePrint(writer, 'R.MEAN', NOW);
      if (print) new RateRecord(writer, 'GAUGE.K').add(print, print);
    });
    expect(await workspace.run('explain', 'GAUGE.K')).toMatchObject({
      code: 2,
      err: 'foremark: an index and a rate have the ticker GAUGE.K; choose one with --kind\n',
    });
    for (const kind of ['index', 'rate'])
      expect(await json('explain', 'GAUGE.K', '--kind', kind)).toMatchObject({ ticker: 'GAUGE.K', kind });
    expect(await workspace.run('explain', 'SMALL', '--kind', 'rate')).toMatchObject({
      code: 2,
      err: 'foremark: no rate has the ticker SMALL\n',
    });
  });

  it('[C/1] exits 2 for a ticker that is unknown or has no print yet, and tells them apart', async () => {
    expect(await workspace.run('explain', 'NOPE')).toMatchObject({
      code: 2,
      err: expect.stringContaining('NOPE'),
    });
    expect(await workspace.run('explain', 'LATER')).toMatchObject({
      code: 2,
      err: 'foremark: LATER has no print at or before 2026-04-15T12:00:00Z\n',
    });
  });
});

describe('an unknown ticker', () => {
  it.each([
    ['index or rate', ['explain']],
    ['rate', ['explain', '--kind', 'rate']],
    ['index or rate', ['verify']],
    ['index or rate', ['backfill']],
    ['index', ['announce', '--type', 'corporate_action', '--title', 't', '--body', 'b', '--index']],
  ])(
    'is refused alike by every command, and the %s that differs only in case is suggested: %j',
    async (kind, command) => {
      const [right, wrong] = kind === 'rate' ? ['R.MEAN', 'r.Mean'] : ['SMALL', 'small'];
      expect(await workspace.run(...command, wrong)).toMatchObject({
        code: 2,
        err: `foremark: no ${kind} has the ticker ${wrong}; there is ${right}\n`,
      });
      expect(await workspace.run(...command, 'TYPO')).toMatchObject({
        code: 2,
        err: `foremark: no ${kind} has the ticker TYPO\n`,
      });
    },
  );
});

describe('verify', () => {
  it('recalculates the record, all of it or the given tickers, and knows no others', async () => {
    expect(await json('verify', 'SMALL')).toMatchObject({ tickers: 1, differences: [] });
    expect((await json('verify')).tickers).toBe(10);
    const day = ['--from', '2026-04-14T00:00:00Z', '--to', '2026-04-14T23:59:00Z'];
    expect(await json('verify', 'SMALL', ...day)).toMatchObject({
      chained: 163,
      recalculated: 4,
      differences: [],
    });
    expect(
      await workspace.run('verify', '--from', '2026-04-14T00:00:00Z', '--to', '2026-04-13T00:00:00Z'),
    ).toMatchObject({
      code: 2,
      err: 'foremark: to must not be before from, at 2026-04-14T00:00:00Z, got 2026-04-13T00:00:00Z\n',
    });
    expect(await workspace.run('verify', 'SMALL', 'TYPO')).toMatchObject({
      code: 2,
      err: 'foremark: no index or rate has the ticker TYPO\n',
    });
  });
});

describe('check', () => {
  it('counts good definitions and exits 0; a missing folder exits 2', async () => {
    const nothing = { problems: [], withdraws: [], unlisted: [] };
    expect(await json('check')).toEqual({ indices: 5, rates: 5, ...nothing });
    expect((await workspace.run('check', 'nowhere')).out).toContain('nowhere: folder does not exist');
    expect((await workspace.run('check', 'nowhere')).code).toBe(2);
  });

  it('shows what the store refuses, as the next run would, of the folder that the run reads', async () => {
    const [first] = INDICES;
    write(workspace.folder, 'definitions/indices/0.json', { ...first, base_at: '2026-01-02T00:00:00Z' });
    write(workspace.folder, 'other/indices/0.json', { ...first, base_at: '2026-01-02T00:00:00Z' });
    const checked = await workspace.run('check');
    const refused = checked.out.split('\n')[0] ?? '';
    expect(refused).toMatch(/0\.json at base_at: .* has printed, so that this must stay/);
    expect(checked.code).toBe(2);
    expect((await workspace.run('compute')).err).toContain(`definition left out: ${refused}`);
    expect((await workspace.run('check', 'other')).out).toContain('no problems');
  });

  it('names definitions about to be withdrawn, and markets missing from the catalog, before any announcement', async () => {
    const { folder, run } = workspace;
    const [first] = RATES;
    write(folder, 'definitions/rates/0.json', { ...first, sources: [{ market_id: 'venue_a:MISTYPED' }] });
    rmSync(join(folder, 'definitions/rates/4.json'));
    const gone = RATES[4]?.ticker;
    const checked = await run('check');
    expect(checked.code, checked.out).toBe(0);
    const [withdraws, unlisted] = checked.out.split('\n');
    expect(withdraws).toBe(`the next run withdraws ${gone}, whose file is gone`);
    expect(unlisted).toBe(
      'definitions/rates/0.json names venue_a:MISTYPED, which is not in the catalog so far',
    );
    expect((await run('compute')).err).toContain(`withdrawn: ${gone}`);
    expect((await run('check')).out).not.toContain('withdraws');
    write(folder, 'definitions/rates/1.json', '{');
    rmSync(join(folder, 'definitions/rates/3.json'));
    expect((await run('check')).out, 'a file with a problem keeps all').not.toContain('withdraws');
  });
});

describe('keys', () => {
  it('[5/2] are shown once, listed without their secret, and out of use once revoked', async () => {
    const made = await workspace.run('keys', 'create', '--organization', 'desk');
    expect(made.err).toContain('cannot be shown again');
    const key = made.out.trim();
    const app = createApp({
      store: workspace.small.store,
      now: () => NOW,
      sites: SITES,
      label: '',
      report: () => {},
    });
    const status = async () => (await app.request('/api/v1/indices', { headers: bearer(key) })).status;
    expect(await status()).toBe(200);
    const listed = rowWith(rows({ data: await json('keys', 'list') }), 'organization', 'desk');
    expect(listed).toEqual({
      key_id: key.slice(9, 17),
      organization: 'desk',
      scopes: ['markets:read'],
      created_at: '2026-04-15T12:00:00Z',
      revoked_at: null,
    });
    expect((await workspace.run('keys', 'list')).out).not.toContain(key);
    expect(readFileSync(workspace.small.path).includes(key.slice(18))).toBe(false);
    const id = String(listed.key_id);
    expect(await json('keys', 'revoke', id)).toEqual({ key_id: id, revoked: true });
    expect(await status()).toBe(401);
    expect(await workspace.run('keys', 'revoke', id)).toMatchObject({
      code: 2,
      err: expect.stringContaining(id),
    });
  });
});

describe('status', () => {
  it('names the backfill for late prices, as a run does, until it has been made', async () => {
    workspace.small.store.write((writer) => noteLateHistory(writer, NOW - 3_600_000, NOW));
    const line =
      /^late +prices arrived for hours that had already been calculated: backfill --from 2026-04-15T11:00:00Z restates them$/m;
    for (const command of ['status', 'ingest']) expect((await workspace.run(command)).out).toMatch(line);
    expect((await workspace.run('backfill', '--from', '2026-04-15T11:00:00Z')).code).toBe(0);
    for (const command of ['status', 'ingest']) expect((await workspace.run(command)).out).not.toMatch(line);
  });

  it('[C/1] shows catalog, prints, feeds with their lag, runs, and what was left out; a failed feed exits 1', async () => {
    const { store } = workspace.small;
    expect(await json('status')).toMatchObject({
      catalog: 'serving',
      counts: { markets: 10 },
      feeds: [],
      left_out: [],
    });
    await workspace.run('publish');
    const cost = { requests: 2, bytes: 2048, seconds: 1.5, day: '2026-04-15' };
    const feed = { feed: 'venue_a/events', rows_read: 3, rows_left_out: 1, ...cost };
    store.write((writer) => {
      const run_id = insertRun(writer, 'ingest', NOW - 60_000);
      const page = { run_id, feed: feed.feed, request: '/events', observed_at: NOW, body: Buffer.from('{}') };
      const fetch_id = insertFetch(writer, page);
      const row = { fetch_id, feed: feed.feed, native_id: null, path: 'price' };
      insertReject(writer, { ...row, position: 1, reason: 'odd' });
      for (const price of [2, 3])
        insertReject(writer, { ...row, position: price, reason: `price must be 0 to 1, got ${price}` });
      // Later runs fetched nothing.
      insertRun(writer, 'compute', NOW - 30_000);
      upsertFeed(writer, { ...feed, tried_at: NOW - 3_600_000, condition: 'good', message: null });
      upsertFeed(writer, { ...feed, tried_at: NOW, condition: 'failed', message: 'HTTP 500' });
    });
    const { code, out } = await workspace.run('status');
    expect(code).toBe(1);
    expect(out).toMatch(/^catalog {3}serving: 5 events, 10 markets$/m);
    expect(out).toMatch(
      /^feed {6}venue_a\/events +failed +good 60 min ago, 1 of 2 good today, 3 rows, 1 left out; 2 requests, 2 KiB, 1.5 s: HTTP 500$/m,
    );
    expect(out).toMatch(/^run {7}\d+ ingest 2026-04-15T11:59:00Z not finished$/m);
    expect(out).toMatch(
      /^left out {2}venue_a\/events +2, the first row 2: price must be 0 to 1, got 2\nleft out {2}venue_a\/events +1 row 1: odd$/m,
    );
    const status = JSON.parse((await workspace.run('--json', 'status')).out) as Row;
    expect(rows(status, 'left_out_reasons')).toMatchObject([{ rows: 2 }, { rows: 1 }]);
    expect(rows(status, 'left_out')).toHaveLength(3);
    expect(rows(status, 'feeds')).toMatchObject([{ good_at: '2026-04-15T11:00:00Z', lag_ms: 3_600_000 }]);
    expect(rows(status, 'runs')[2]).toMatchObject({
      command: 'publish',
      outcome: 'complete',
      finished_at: '2026-04-15T12:00:00Z',
      summary: { as_of: '2026-04-15T12:00:00Z' },
    });
  });
});

describe('status --within', () => {
  const later = (minutes: number) => ['--now', new Date(NOW + minutes * 60_000).toISOString()];

  it('exits 1 where no run ended well in so many minutes: failed and killed ones do not count', async () => {
    const { store } = workspace.small;
    const none = await workspace.run('status', '--within', '60');
    expect(none).toMatchObject({
      code: 1,
      err: expect.stringContaining('within 60 minutes: none ever has'),
    });
    await workspace.run('publish');
    store.write((writer) => {
      insertRun(writer, 'run', NOW + 30 * 60_000);
      finishRun(writer, insertRun(writer, 'run', NOW + 40 * 60_000), NOW + 50 * 60_000, 'failed', {});
    });
    expect((await workspace.run(...later(60), 'status', '--within', '60')).code).toBe(0);
    const late = await workspace.run(...later(61), 'status', '--within', '60');
    expect(late).toMatchObject({ code: 1, err: expect.stringContaining('the last finished 61 min ago') });
    expect((await workspace.run(...later(61), 'status')).code).toBe(0);
  });

  it('exits 1 after a run whose clock was ahead, since every other is refused', async () => {
    await workspace.run(...later(4000), 'compute');
    const { code, err } = await workspace.run(...later(0), 'status', '--within', '60');
    expect(code).toBe(1);
    expect(err).toContain('every run is refused until');
    expect(err).toContain('none ever has');
    expect((await workspace.run(...later(4000), 'status', '--within', '60')).code).toBe(0);
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
});
