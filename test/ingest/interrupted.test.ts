import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { takeRunLock } from '../../src/store/run-lock.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { rounds } from '../helpers/rounds.ts';
import { openStoreFile } from '../helpers/store-file.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { type FixtureVenue, Raw, startFixtureVenue } from './fixture-venue.ts';
import { configFor, factsOf, feedOf, NOW, nameMarkets, runIngest } from './run-ingest.ts';
import {
  conditionId,
  gammaEvent,
  gammaMarket,
  kalshiCandle,
  kalshiEvent,
  kalshiMarket,
} from './wire-fixtures.ts';

const BASE = '2026-10-10T00:00:00Z';
const NAMED = ['venue_a:KX-0-0', 'venue_a:KX-1-1', `venue_b:${conditionId(1)}`];
const PAGES = 3;

/** Some kilobytes that do not compress, so that a run needs room. */
function longText(seed: string): string {
  return Array.from({ length: 100 }, (_, i) => hash('sha256', `${seed} ${i}`)).join(' ');
}

describe('an interrupted run', () => {
  let venue: FixtureVenue;
  const folder = temporaryFolder();
  /** Called with each request before it is answered; what it returns is answered instead. */
  let onRequest: (number: number) => Raw | undefined = () => undefined;
  let reference: unknown;
  let requestsOfARun = 0;

  const answerInFull = () => {
    onRequest = () => undefined;
    const on = (path: string, answer: (query: URLSearchParams) => unknown) =>
      venue.on(path, (query) => onRequest(venue.requests.length) ?? answer(query));
    on('/kalshi/events', (query) => {
      const page = Number(query.get('cursor') ?? 0);
      const markets = [0, 1].map((i) => {
        const ticker = `KX-${page}-${i}`;
        return kalshiMarket(ticker, { event_ticker: `EV-${page}`, rules_secondary: longText(ticker) });
      });
      return {
        events: [kalshiEvent(markets, { event_ticker: `EV-${page}` })],
        cursor: page + 1 < PAGES ? String(page + 1) : '',
      };
    });
    on('/kalshi/markets/candlesticks', (query) => ({
      markets: (query.get('market_tickers') ?? '').split(',').map((market_ticker) => ({
        market_ticker,
        candlesticks: Array.from({ length: 300 }, (_, i) => kalshiCandle(NOW / 1000 - i * 3600)),
      })),
    }));
    on('/kalshi/series', () => ({ series: [{ ticker: 'KXRAIN', title: 'Rain' }] }));
    on('/kalshi/markets', () => ({ markets: [], cursor: '' }));
    on('/gamma/events/keyset', () => ({ events: [gammaEvent([gammaMarket(1)])] }));
    on('/clob/prices-history', () => ({ history: [] }));
    on('/data/v2/prices-history', (query) => ({
      data: query.has('interval')
        ? []
        : [0, 1, 2]
            .map((i) => ({
              timestamp: NOW / 1000 - (9 - i) * 3600,
              price: 0.4 + i / 100,
              resolution_seconds: 3600,
            }))
            .filter(
              ({ timestamp }) =>
                timestamp >= Number(query.get('start')) && timestamp <= Number(query.get('end')),
            ),
    }));
  };

  beforeAll(async () => {
    venue = await startFixtureVenue();
    answerInFull();
    const store = memoryStore();
    nameMarkets(store, NAMED, BASE);
    await runIngest(store, configFor(venue.origin));
    reference = factsOf(store);
    requestsOfARun = venue.requests.length;
    store.close();
  });

  beforeEach(answerInFull);

  afterAll(async () => {
    await venue.close();
  });

  const startRun = (path: string) =>
    spawn(
      process.execPath,
      [
        fileURLToPath(new URL('./ingest-process.ts', import.meta.url)),
        path,
        venue.origin,
        String(NOW),
        BASE,
        ...NAMED,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );

  const complete = async (store: Store) => {
    const report = await runIngest(store, configFor(venue.origin));
    expect(report.feeds.map((each) => each.condition)).toEqual(Array(report.feeds.length).fill('good'));
    return factsOf(store);
  };

  it('killed at any request, leaves complete pages, and the next run completes them to the same facts', async () => {
    expect(requestsOfARun).toBeGreaterThan(6);
    // Each third request, or with ROUNDS=3 each.
    for (let at = 1; at <= requestsOfARun; at += Math.max(1, Math.floor(3 / rounds(1)))) {
      const path = join(folder, `killed-${at}.db`);
      openStoreFile(path).close();
      venue.requests.length = 0;
      const run = startRun(path);
      const ended = once(run, 'exit');
      onRequest = (number) => {
        if (number < at) return undefined;
        run.kill('SIGKILL');
        return new Raw(() => {});
      };
      expect((await ended)[1]).toBe('SIGKILL');
      onRequest = () => undefined;
      takeRunLock(path)();
      const store = openStore(path);
      const nested = store.read((reader) =>
        reader.all(
          'SELECT count(*) FROM markets GROUP BY event_id HAVING count(*) % 2 = 1 AND family = ?',
          'venue_a',
        ),
      );
      expect(nested).toEqual([]);
      expect(await complete(store)).toEqual(reference);
      store.close();
    }
  });

  it('while it runs, a second one is refused, with a message', async () => {
    const path = join(folder, 'locked.db');
    venue.requests.length = 0;
    const asked = new Promise<void>((resolve) => {
      onRequest = () => {
        resolve();
        return new Raw(() => {});
      };
    });
    const run = startRun(path);
    const ended = once(run, 'exit');
    await asked;
    expect(() => takeRunLock(path)).toThrow(/another run is writing to .*locked\.db/);
    run.kill('SIGKILL');
    await ended;
    onRequest = () => undefined;
    takeRunLock(path)();
  });

  it('with a full disk, says so, leaves complete pages, and the next run with room completes', async () => {
    let refused = 0;
    // Page by page at first, where a run is small, then in wider steps.
    for (let room = 0; ; room += 1 + Math.floor(room / 4)) {
      const path = join(folder, `full-${room}.db`);
      const store = openStoreFile(path);
      nameMarkets(store, NAMED, BASE);
      const used = store.read((reader) => reader.get<{ page_count: number }>('PRAGMA page_count'));
      store.read((reader) => reader.get(`PRAGMA max_page_count = ${(used?.page_count ?? 0) + room}`));
      let full = false;
      try {
        await runIngest(store, configFor(venue.origin));
      } catch (thrown) {
        expect(String(thrown)).toMatch(/store .*full-\d+\.db: the disk is full/);
        full = true;
      }
      store.close();
      if (!full) break;
      refused++;
      const roomy = openStore(path);
      expect(await complete(roomy)).toEqual(reference);
      roomy.close();
    }
    expect(refused).toBeGreaterThan(5);
  });

  it('that reads an empty list removes nothing', async () => {
    const store = memoryStore();
    nameMarkets(store, NAMED, BASE);
    await runIngest(store, configFor(venue.origin));
    venue.on('/kalshi/events', () => ({ events: [], cursor: '' }));
    for (const path of ['/kalshi/markets', '/kalshi/historical/markets'])
      venue.on(path, () => ({ markets: [], cursor: '' }));
    const report = await runIngest(store, configFor(venue.origin), { only: 'venue_a' });
    expect(feedOf(report, 'venue_a/events')).toMatchObject({
      condition: 'partial',
      message: 'the venue listed nothing',
    });
    expect(factsOf(store)).toEqual(reference);
  });
});
