import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/serve/serve.ts';
import { findIndexPrint, listIndexPrints } from '../../src/store/prints/index-prints.ts';
import { listCloses } from '../../src/store/prints/standings.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { fileTree } from '../helpers/file-tree.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { compareStores, hasPython } from '../oracle/season/season.ts';
import { hasRecorded } from '../replay/recorded.ts';
import { type Replay, startReplay } from '../replay/replay.ts';
import { realRun } from './real-run.ts';

const CLOCK = Date.parse('2024-11-05T00:00:00Z');
const TICKERS = ['USPRES24-R', 'USPRES24-R-GAUGE'] as const;

interface OracleIndex {
  levels: [string, number][];
  closes: [string, string, number][];
  latest_level: number;
  previous_close_1d: number;
  previous_close_7d: number;
  constituent_returns: Record<string, { weight: number; point_change: number; percent_change: number }>;
}

interface Detail {
  constituent_returns: { group: string; weight: number; point_change: number; percent_change: number }[];
}

interface Constituents {
  data: { weight: number; groups: { state: string } }[];
}

interface Correlation {
  matrix: (number | null)[][];
  changes: number[][];
}

/** Worked out by test/oracle/us-president-2024.py, which reads the recorded CSV and knows nothing of src/. */
const oracle: {
  base_at: string;
  print_count: number;
  last_print_at: string;
  complete_close_count: number;
  indices: Record<(typeof TICKERS)[number], OracleIndex>;
  correlation: { last_day: string; change_count: number; cells: [string, string, number][] };
} = JSON.parse(readFileSync(join(import.meta.dirname, '../oracle/us-president-2024.json'), 'utf8'));

if (!hasRecorded)
  console.warn('skipped: the recorded venue data whose figures are known is not beside the project');

describe.skipIf(!hasRecorded)(
  'the 2024 presidential election by state, as recorded, run as of 2024-11-05',
  () => {
    const folder = temporaryFolder();
    let replay: Replay;
    let store: Store;
    let again: string;
    let app: ReturnType<typeof createApp>;

    beforeAll(async () => {
      replay = await startReplay('us-president-2024');
      const run = realRun(replay, folder, 'us-president-2024');
      await run.at(CLOCK);
      again = join(folder, 'again');
      mkdirSync(again);
      await realRun(replay, again, 'us-president-2024').at(CLOCK);
      store = openStore(run.store, { readonly: true });
      const sites = { venue_a: 'https://a.example', venue_b_global: 'https://b.example' };
      app = createApp({ store, now: () => CLOCK, sites, label: '', report: () => {} });
    });

    afterAll(async () => {
      store?.close();
      await replay?.close();
    });

    const answer = async <Body>(path: string): Promise<Body> => {
      const response = await app.request(`/api/v1/public${path}`);
      return response.json() as Promise<Body>;
    };

    it('[C/1] at the same instant, on an empty store, publishes the same bytes', () => {
      const files = fileTree(join(folder, 'public'));
      expect(Object.keys(files).length).toBeGreaterThan(200);
      expect(fileTree(join(again, 'public'))).toEqual(files);
    });

    it.skipIf(!hasPython)('all that is published of it is what an independent program gives', () => {
      const { compared, differences } = compareStores([join(folder, 'foremark.db')]);
      expect(differences).toBe('');
      expect(compared).toBeGreaterThan(600_000);
    });

    it('prints every hour that has something newer, and no other', () => {
      for (const ticker of TICKERS) {
        const prints = store.read((reader) => listIndexPrints(reader, ticker, 0, CLOCK));
        expect(prints).toHaveLength(oracle.print_count);
        expect(prints[0]?.at).toBe(Date.parse(oracle.base_at));
        expect(prints.at(-1)?.at).toBe(Date.parse(oracle.last_print_at));
      }
    });

    it.each(TICKERS)('%s: hourly levels equal the independent calculation', (ticker) => {
      for (const [at, level] of oracle.indices[ticker].levels) {
        const print = store.read((reader) => findIndexPrint(reader, ticker, Date.parse(at)));
        expect(Math.abs((print?.level ?? 0) / level - 1), at).toBeLessThan(1e-12);
      }
    });

    it.each(TICKERS)('%s: closes are by the US Eastern day, through the end of summer time', (ticker) => {
      const closes = store.read((reader) => listCloses(reader, { kind: 'index', ticker }, '2024-11-04'));
      expect(closes).toHaveLength(oracle.complete_close_count);
      for (const [i, [day, at, level]] of oracle.indices[ticker].closes.entries()) {
        expect(closes[i]).toEqual({ day, at: Date.parse(at) });
        const print = store.read((reader) => findIndexPrint(reader, ticker, Date.parse(at)));
        expect(Math.abs((print?.level ?? 0) / level - 1), day).toBeLessThan(1e-12);
      }
    });

    it.each(TICKERS)(
      '[2.4/5] %s: weights and returns by state equal the independent calculation',
      async (ticker) => {
        const { constituent_returns } = await answer<Detail>(`/indices/${ticker}`);
        const expected = oracle.indices[ticker].constituent_returns;
        expect(constituent_returns).toHaveLength(Object.keys(expected).length);
        for (const row of constituent_returns) {
          expect(Math.abs(row.weight - (expected[row.group]?.weight ?? 0)), row.group).toBeLessThan(1e-12);
          expect(row.point_change).toBeCloseTo(expected[row.group]?.point_change ?? 0, 5);
          expect(row.percent_change).toBeCloseTo(expected[row.group]?.percent_change ?? 0, 5);
        }
      },
    );

    it('[2.4.1/2] the published weights of the 30 states sum to 1', async () => {
      const { data } = await answer<Constituents>('/indices/USPRES24-R/constituents');
      expect(data).toHaveLength(30);
      const total = data.reduce((sum, row) => sum + row.weight, 0);
      expect(Math.abs(total - 1)).toBeLessThan(1e-12);
    });

    it('[4.3/5] the 30 × 30 correlation equals the independent calculation', async () => {
      const { data } = await answer<Constituents>('/indices/USPRES24-R/constituents');
      const states = data.map((row) => row.groups.state);
      const { matrix, changes } = await answer<Correlation>('/indices/USPRES24-R/correlation');
      expect(matrix).toHaveLength(30);
      for (const [a, b, correlation] of oracle.correlation.cells) {
        expect(matrix[states.indexOf(a)]?.[states.indexOf(b)], `${a} ${b}`).toBeCloseTo(correlation, 12);
        expect(changes[states.indexOf(a)]?.[states.indexOf(b)]).toBe(oracle.correlation.change_count);
      }
    });
  },
);
