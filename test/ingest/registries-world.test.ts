import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { settingsFor } from '../../scripts/world/settings.ts';
import type { IngestReport } from '../../src/ingest/ingest.ts';
import { LISTS } from '../../src/ingest/registries/cftc/lists.ts';
import type { Config } from '../../src/model/config.ts';
import type { FilingChange } from '../../src/model/filing.ts';
import { DAY_MS } from '../../src/model/time.ts';
import { listFilingChanges } from '../../src/store/filings/filing-changes.ts';
import { listTexts } from '../../src/store/filings/filing-documents.ts';
import { type FilingRow, findFiling } from '../../src/store/filings/filings.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { readAttachmentsHere } from '../helpers/read-attachments-here.ts';
import { type OpenWorld, openWorld, type Row, rows } from '../world/open-world.ts';
import { withHungOverdue } from './hung-requests.ts';
import { configFor, feedOf, runIngest } from './run-ingest.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');
const LIST = '/cftc/IndustryOversight/IndustryFilings/PTCDCMRules';
const FILES = '/cftc/filings/';

describe('registries and news of the simulated world', () => {
  let open: OpenWorld;

  const settings = ({ served } = open): Config => {
    const used = configFor(served.origin);
    for (const venue of Object.values(used.venues)) venue.enabled = false;
    used.registries.cftc.enabled = true;
    used.news.feeds = settingsFor(served.origin).news.feeds;
    return used;
  };
  const run = (store: Store, now = NOW, used = settings()) => runIngest(store, used, { now });
  const truth = async (kind: 'filings' | 'articles'): Promise<Row[]> => {
    const path = kind === 'filings' ? '/_world/truth/filings' : '/_world/truth/news';
    return rows((await open.get(path)).body, kind);
  };

  let store: Store;
  let report: IngestReport;
  beforeAll(async () => {
    open = await openWorld({ now: NOW, days: 60, markets: 300 });
    store = memoryStore();
    report = await run(store);
  });
  afterEach(async () => {
    open.world.setNow(NOW);
    await open.clearFaults();
  });
  afterAll(async () => {
    store.close();
    await open.served.close();
  });

  it('[2.7/1][C/2] every filing that the registries list is in the store, with status and text', async () => {
    expect(report.feeds.map((each) => [each.feed, each.condition])).toEqual([
      ...['ptc_dcm_rules', 'dcm_products', 'dco', 'dco_rules', 'records', 'attachments'].map((name) => [
        `cftc/${name}`,
        'good',
      ]),
      ...['wire', 'ledger', 'herald'].map((name) => [`news/${name}`, 'good']),
    ]);
    const filings = await truth('filings');
    expect(filings.length).toBeGreaterThan(200);
    store.read((reader) => {
      for (const { id, segment, status, status_at, documents } of filings) {
        const row = findFiling(reader, Number(id));
        const feed = LISTS.find((list) => list.segment === segment)?.feed;
        expect(row).toMatchObject({ feed, status, status_day: String(status_at).slice(0, 10) });
        if (String(status_at) < '2026-07-02') continue;
        const texts = listTexts(reader, Number(id));
        expect(texts.map((each) => new URL(each.url).pathname)).toEqual(documents);
        expect(texts.every((each) => each.markdown !== null)).toBe(true);
      }
      expect(reader.get('SELECT count(*) AS n FROM filings')).toEqual({ n: filings.length });
    });
  });

  it('every story of the feeds is in the store once', async () => {
    const stories = new Map((await truth('articles')).map((each) => [each.url, each]));
    const kept = store.read((reader) =>
      reader.all<{ url: string; title: string; summary: string; published_at: number }>(
        'SELECT * FROM news_articles',
      ),
    );
    expect(kept.length).toBeGreaterThan(120);
    expect(new Set(kept.map((each) => each.url)).size).toBe(kept.length);
    for (const { url, title, summary } of kept) {
      expect(stories.get(url)).toMatchObject({ title });
      expect(summary).not.toMatch(/[<>]/);
    }
  });

  it('[2.7.1/1] daily runs see each receipt, status and late attachment once, as it happens', async () => {
    const store = memoryStore();
    const from = NOW - 7 * DAY_MS;
    const used = settings();
    // What is in the attachments is another matter; which there are is told by the records.
    used.registries.cftc.attachments_a_run = 0;
    used.news.feeds = [];
    for (let now = from; now <= NOW; now += DAY_MS) {
      open.world.setNow(now);
      await run(store, now, used);
    }
    const changes = store
      .read((reader) => listFilingChanges(reader, {}, 10_000))
      .filter((each) => !each.backfill);
    const told = (kind: FilingChange['kind']) =>
      changes.filter((each) => each.kind === kind).map((each) => each.filing_id);
    const within = (at: number) => at > from && at <= NOW;
    const filings = open.world.filings();
    const happened = {
      received: filings.filter((each) => within(each.received_at)),
      status_changed: filings.filter((each) => each.steps.slice(1).some((step) => within(step.at))),
      documents_added: filings.filter(
        (each) =>
          each.received_at <= NOW &&
          each.attachments.some((file) => file.at > each.received_at && within(file.at)),
      ),
    };
    for (const [kind, expected] of Object.entries(happened)) {
      const ids = told(kind as FilingChange['kind']);
      expect(expected.length, kind).toBeGreaterThan(0);
      expect(ids.toSorted(), kind).toEqual(expected.map((each) => each.id).toSorted());
    }
  });

  describe('in trouble', () => {
    readAttachmentsHere();
    // Fewer filings, on two pages still.
    let small: OpenWorld;
    const IN_TRANSIT = [
      { kind: 'cut' },
      { kind: 'html' },
      { kind: 'reset' },
      { kind: 'bomb', megabytes: 10 },
      { kind: 'status', code: 503 },
    ];
    const IN_ROWS = [{ kind: 'truncate' }, { kind: 'missing_id' }, { kind: 'empty' }];
    const REPEATED = [{ kind: 'repeat_page' }, { kind: 'bad_price' }];
    const SLOW = [{ kind: 'hang' }, { kind: 'status', code: 429, retry_after: 0 }];
    const PATHS = [
      { path_prefix: LIST, after: 1, faults: [...IN_TRANSIT, ...IN_ROWS, ...REPEATED, ...SLOW] },
      { path_prefix: `${LIST}/`, after: 2, faults: IN_ROWS },
      // Of a file that comes short under a length that says so nobody can tell.
      { path_prefix: FILES, after: 2, faults: IN_TRANSIT },
      { path_prefix: '/news/wire.rss', after: 0, faults: [...IN_TRANSIT, ...IN_ROWS] },
    ];
    // Each run is struck on every path that still has a fault to show; a list's pages and its records apart.
    const most = Math.max(...PATHS.map(({ faults }) => faults.length));
    const STRUCK = Array.from({ length: most }, (_, i) => {
      const faults = PATHS.flatMap(({ faults: kinds, ...place }) => {
        const fault = kinds[i];
        return fault ? [{ ...place, ...fault }] : [];
      });
      return { names: faults.map(({ kind }) => kind).join(', '), faults };
    });
    let clean: { files: unknown; noFiles: unknown };

    // The attachments of a few days are enough to be struck; where none is, none is read, which takes a process.
    const few = ({ files }: { files: boolean }): Config => {
      const used = settings(small);
      used.registries.cftc = { ...used.registries.cftc, attachment_days: 4, feeds: ['ptc_dcm_rules'] };
      if (!files) used.registries.cftc.attachments_a_run = 0;
      used.news.feeds = used.news.feeds.filter((each) => each.name === 'wire');
      return used;
    };
    const factsOf = (store: Store) =>
      store.read((reader) => ({
        filings: reader.all<FilingRow>(
          'SELECT filing_id, title, status, status_day, org FROM filings ORDER BY 1',
        ),
        documents: reader.all('SELECT filing_id, url, digest FROM filing_documents ORDER BY 1, 2'),
        articles: reader.all('SELECT url, title FROM news_articles ORDER BY 1'),
      }));

    const factsOfRun = async (used: Config) => {
      const store = memoryStore();
      await run(store, NOW, used);
      const facts = factsOf(store);
      store.close();
      return facts;
    };
    beforeAll(async () => {
      small = await openWorld({ now: NOW, days: 30, topics: ['us-states', 'central-banks'] });
      clean = {
        files: await factsOfRun(few({ files: true })),
        noFiles: await factsOfRun(few({ files: false })),
      };
    });

    afterEach(() => small.clearFaults());
    afterAll(() => small.served.close());

    it.each(STRUCK)('$names: the run ends with a report and the next one completes', async ({ faults }) => {
      const store = memoryStore();
      const files = faults.some(({ path_prefix }) => path_prefix === FILES);
      await small.setFaults(...faults);
      const report = await withHungOverdue(small, (effects) =>
        runIngest(store, few({ files }), { now: NOW, effects }),
      );
      const { body } = await small.get('/_world/faults');
      expect(rows(body, 'faults').map(({ times }) => times)).toEqual(faults.map(() => 0));
      for (const feed of report.feeds)
        if (feed.condition !== 'good') expect(feed.message, feed.feed).toMatch(/\w/);
      await small.clearFaults();
      // What was spoilt and looked right is put right by the next walk to the end.
      for (const days of [1, 2]) await run(store, NOW + days * DAY_MS, few({ files }));
      expect(factsOf(store)).toEqual(files ? clean.files : clean.noFiles);
    });

    it('a registry that never answers is reported, and the news is read', async () => {
      await open.setFaults({ path_prefix: '/cftc', kind: 'status', code: 500, times: 1000 });
      const store = memoryStore();
      const report = await run(store);
      expect(feedOf(report, 'cftc/ptc_dcm_rules')).toMatchObject({
        condition: 'failed',
        message: expect.stringContaining('answered 500'),
      });
      expect(feedOf(report, 'news/wire').condition).toBe('good');
    });
  });
});
