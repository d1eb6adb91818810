import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenPairOf } from './board.ts';
import { hasRecorded, isRow, rowsOf, type WireRow } from './recorded.ts';
import { type Replay, startReplay } from './replay.ts';
import { newestAt, type Point } from './series.ts';
import { states } from './states.ts';

const clock = '2024-11-05T00:00:00Z';
const fortnight = 14 * 86_400;

function readOracle(name: string): WireRow {
  const parsed: unknown = JSON.parse(
    readFileSync(resolve(import.meta.dirname, `../oracle/${name}.json`), 'utf8'),
  );
  if (!isRow(parsed)) throw new Error(`${name}.json must hold an object`);
  return parsed;
}

/** Numbers of an oracle's table: instant first, then values. */
function tableOf(list: unknown): [at: string, ...values: number[]][] {
  if (!Array.isArray(list)) throw new Error('a table was expected');
  return list;
}

describe.skipIf(!hasRecorded)('the oracle reads what the replay answers (needs the recorded data)', () => {
  let replay: Replay;
  const prices = new Map<string, Point[]>();

  beforeAll(async () => {
    replay = await startReplay('us-president-2024', { now: clock });
    for (const { code } of states) prices.set(code, await hourlyPrices(code));
  });
  afterAll(() => replay.close());

  const hourlyPrices = async (code: string): Promise<Point[]> => {
    const [token] = tokenPairOf(`us-president-2024:${code}:Donald Trump`);
    const points: Point[] = [];
    const [from, to] = [Date.parse('2024-07-05T00:00:00Z') / 1000, Date.parse(clock) / 1000];
    for (let start = from; start < to; start += fortnight) {
      const query = `token_id=${token}&start=${start}&end=${start + fortnight}&bucket_seconds=3600`;
      const page: unknown = await (await fetch(`${replay.endpoints.data}/v2/prices-history?${query}`)).json();
      points.push(
        ...rowsOf(page, 'data').map(({ timestamp, price, resolution_seconds }) => ({
          at_ms: Number(timestamp) * 1000,
          price: Number(price),
          resolution_seconds: Number(resolution_seconds),
        })),
      );
    }
    return points;
  };

  it('gives the oracle gauge level at every sampled instant and close, from hourly history alone', () => {
    const indices = readOracle('us-president-2024').indices;
    const gauge = isRow(indices) ? indices['USPRES24-R-GAUGE'] : undefined;
    if (!isRow(gauge)) throw new Error('the oracle must hold the gauge');
    const closes = tableOf(gauge.closes).map(([, at, level]) => [`${at}`, Number(level)] as const);
    const levels = tableOf(gauge.levels).map(([at, level]) => [at, Number(level)] as const);
    const votes = states.reduce((sum, state) => sum + state.electoral_votes, 0);
    for (const [at, level] of [...levels, ...closes]) {
      const sum = states.reduce((total, { code, electoral_votes }) => {
        const mark = newestAt(prices.get(code) ?? [], Date.parse(at));
        return total + electoral_votes * (mark?.price ?? Number.NaN);
      }, 0);
      expect((100 * sum) / votes, at).toBeCloseTo(level, 9);
    }
    expect(levels.length + closes.length).toBeGreaterThan(100);
  });

  it('gives the oracle rate at every recorded half-hour, from both venues as quoted then', async () => {
    const fed = await startReplay('fed-dec-2025');
    for (const [at, price, spread] of tableOf(readOracle('fed-2025-12').recorded)) {
      fed.setNow(at);
      const [kalshi, polymarket] = await Promise.all(
        [`${fed.endpoints.venue_a}/markets`, `${fed.endpoints.gamma}/markets/keyset`].map(
          async (url): Promise<WireRow> => rowsOf(await (await fetch(url)).json(), 'markets')[0] ?? {},
        ),
      );
      const a = 50 * (Number(kalshi?.yes_bid_dollars) + Number(kalshi?.yes_ask_dollars));
      const b = 50 * (Number(polymarket?.bestBid) + Number(polymarket?.bestAsk));
      expect((a + b) / 2, at).toBeCloseTo(price ?? Number.NaN, 9);
      expect(Math.abs(a - b), at).toBeCloseTo(spread ?? Number.NaN, 9);
    }
    await fed.close();
  });
});
