import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { listRatePrints, type RatePrintRow } from '../../src/store/prints/rate-prints.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { compareStores, hasPython } from '../oracle/season/season.ts';
import { hasRecorded } from '../replay/recorded.ts';
import { startReplay } from '../replay/replay.ts';
import { realRun } from './real-run.ts';

const TICKER = 'FED-2025-12-HOLD';

/** Worked out by test/oracle/fed-2025-12.py from the recorded books: instant, cents, spread in cents. */
const oracle: { recorded: [string, number, number][] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../oracle/fed-2025-12.json'), 'utf8'),
);

/** A run for each of 650 half-hours takes its time: every fifth, or all with REAL_ALL=1. */
const half_hours = oracle.recorded.filter((_, i) => process.env.REAL_ALL || i % 5 === 0);

if (!hasRecorded)
  console.warn('skipped: the recorded venue data whose figures are known is not beside the project');

describe.skipIf(!hasRecorded)(
  'the December 2025 hold rate of two venues, run live through recorded half-hours',
  () => {
    const folder = temporaryFolder();
    let prints: Map<number, RatePrintRow>;

    beforeAll(async () => {
      const replay = await startReplay('fed-dec-2025');
      const run = realRun(replay, folder, 'fed-2025-12');
      for (const [at] of half_hours) await run.at(Date.parse(at), ['ingest', 'compute']);
      await replay.close();
      const store = openStore(run.store, { readonly: true });
      const rows = store.read((reader) => listRatePrints(reader, TICKER, 0, Number.MAX_SAFE_INTEGER));
      store.close();
      prints = new Map(rows.map((row) => [row.at, row]));
    }, 600_000);

    it.skipIf(!hasPython)('all that is published of it is what an independent program gives', () => {
      const { compared, differences } = compareStores([join(folder, 'foremark.db')]);
      expect(differences).toBe('');
      expect(compared).toBeGreaterThan(1500);
    });

    it('prints at every run the mean of the two mids, as the independent calculation does', () => {
      expect(half_hours).toHaveLength(process.env.REAL_ALL ? 650 : 130);
      for (const [at, cents] of half_hours) {
        const print = prints.get(Date.parse(at));
        expect(print, at).toBeDefined();
        expect((print?.price ?? 0) * 100, at).toBeCloseTo(cents, 9);
      }
    });

    it('has as spread the highest minus the lowest mark of the sources that entered', () => {
      for (const [at, , spread] of half_hours)
        expect((prints.get(Date.parse(at))?.spread ?? 0) * 100, at).toBeCloseTo(spread, 9);
    });
  },
);
