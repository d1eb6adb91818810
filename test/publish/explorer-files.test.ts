import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import { upsertFeed } from '../../src/store/feeds.ts';
import { finishRun, insertRun } from '../../src/store/runs.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { publishStore } from '../helpers/publish-store.ts';
import { IDS, NOW, openSmallStore, put } from '../helpers/small-store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const small = ofEachTest(openSmallStore);
let folder: string;
let built: string;
beforeEach(async () => {
  folder = join(small.folder, 'public');
  built = temporaryFolder();
  writeFileSync(join(built, 'index.html'), '<!doctype html>');
  small.store.write((writer) => {
    upsertFeed(writer, {
      feed: 'venue_a/events',
      tried_at: NOW,
      condition: 'failed',
      message: 'https://operator.example refused',
      rows_read: 3,
      rows_left_out: 1,
      requests: 1,
      bytes: 10,
      seconds: 1,
      day: '2026-04-15',
    });
    const run = insertRun(writer, 'ingest', NOW - HOUR_MS);
    finishRun(writer, run, NOW, 'partial', { secret: 'summary' });
    insertRun(writer, 'publish', NOW);
  });
  await publishAt(NOW);
});

const publishAt = (now: number) =>
  publishStore(small.store, folderSink(folder), now, { bulk: true, explorer: built });
const read = (key: string) => readFileSync(join(folder, key), 'utf8');
const written = (key: string) => JSON.parse(read(key));

describe('daily marks', () => {
  it('equal those of the bulk file of constituents, in cents, for every public index and rate', () => {
    expect(readdirSync(join(folder, 'explorer/marks/indices')).sort()).toEqual(
      ['GAUGE.K', 'LATER', 'QUIET', 'SMALL'].map((ticker) => `${ticker}.json`),
    );
    expect(readdirSync(join(folder, 'explorer/marks/rates'))).not.toContain('R.SECRET.json');
    const printed = ['indices', 'rates'].flatMap((kind) =>
      readdirSync(join(folder, 'bulk', kind)).map((ticker) => `${kind}/${ticker}`),
    );
    for (const series of printed) {
      const [, ...lines] = read(`bulk/${series}/constituents.csv`).trimEnd().split('\n');
      const included = lines
        .map((line) => line.split(','))
        .filter((cells) => cells[3] === 'included' && cells[6] !== '')
        .map((cells) => `${cells[1]} ${cells[2]} ${Number(Number(cells[6]).toPrecision(6))}`);
      const { closes, names } = written(`explorer/marks/${series}.json`);
      const drawn = Object.entries<(number | null)[]>(names).flatMap(([name, ofName]) =>
        ofName.flatMap((mark, i) => (mark === null ? [] : [`${closes[i]} ${name} ${mark}`])),
      );
      expect(drawn.sort(), series).toEqual(included.sort());
    }
    const { closes } = written('explorer/marks/indices/SMALL.json');
    expect(closes.length).toBeGreaterThan(30);
  });

  it('have no close before the first print', () => {
    expect(written('explorer/marks/indices/LATER.json')).toEqual({ closes: [], names: {} });
  });

  it('are made again only when a day has closed', async () => {
    const marks = () => read('explorer/marks/indices/SMALL.json');
    const before = marks();
    compute(small.store, NOW + HOUR_MS, () => {});
    await publishAt(NOW + HOUR_MS);
    expect(marks()).toBe(before);
    put(small.store, { market_id: IDS.swinging, status: 'paused' }, NOW + HOUR_MS);
    compute(small.store, NOW + DAY_MS, () => {});
    await publishAt(NOW + DAY_MS);
    const after = JSON.parse(marks());
    expect(after.closes.length).toBe(JSON.parse(before).closes.length + 1);
    // A name that is left out has no mark.
    expect(after.names[IDS.swinging].at(-1)).toBeNull();
    expect(after.names[IDS.steady].at(-1)).not.toBeNull();
  });
});

it('names are the markets of public indices and rates, with the rate where no index holds one', () => {
  const { data } = written('explorer/names.json');
  const ids = data.map((row: { market_id: string }) => row.market_id);
  expect(ids).toEqual(ids.toSorted());
  expect(ids).toContain(IDS.global);
  for (const hidden of [IDS.wild, IDS.staged]) expect(ids).not.toContain(hidden);
  expect(data).toContainEqual({ market_id: IDS.settled, question: 'KXDONE-26?', rate: 'R.DONE' });
  expect(data).toContainEqual({ market_id: IDS.steady, question: 'KXSTEADY-26?' });
});

it('the status shows how feeds and earlier runs went, without their messages', async () => {
  await publishAt(NOW + HOUR_MS);
  const status = written('explorer/status.json');
  expect(status.feeds).toContainEqual({
    feed: 'venue_a/events',
    condition: 'failed',
    tried_at: '2026-04-15T12:00:00Z',
    rows_read: 3,
    rows_left_out: 1,
  });
  expect(status.runs.map((run: { outcome?: string }) => run.outcome)).toEqual([undefined, 'partial']);
  expect(JSON.stringify(status)).not.toMatch(/operator|secret/);
});

it('a build that takes its folder away while a publish goes on changes nothing', async () => {
  writeFileSync(join(built, 'index.html'), 'a new page');
  const sink = folderSink(folder);
  const beside: Sink = {
    ...sink,
    find(key) {
      rmSync(built, { recursive: true, force: true });
      return sink.find(key);
    },
  };
  await publishStore(small.store, beside, NOW + HOUR_MS, { explorer: built });
  expect([existsSync(built), read('index.html')]).toEqual([false, 'a new page']);
});
