import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printRate } from '../../../src/methodology/rate-families/print-rate.ts';
import { rateFamilyOf } from '../../../src/methodology/rate-families/rate-families.ts';
import { NO_HISTORY, type SourceHour } from '../../../src/methodology/rate-families/rate-history.ts';
import { weightedMedian } from '../../../src/methodology/rate-families/weighted-median.ts';
import { sourceHours } from '../../../src/methodology/source-hours.ts';
import type { MarketStatus, SeenStatus } from '../../../src/model/catalog.ts';
import { type PriceColumns, SERIES, type Series } from '../../../src/model/observation.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/model/time.ts';
import { toCents } from '../../../src/model/units.ts';
import { A, AT, B, defineRate, priced } from './rates.ts';

type Quote = { minute: number; price: number; last?: number; volume?: number; series?: Series };

/** Quotes of no width at minutes before AT, as the store gives them. */
function columns(quotes: readonly Quote[]): PriceColumns {
  const column = (value: (quote: Quote) => number | undefined) =>
    Float64Array.from(quotes, (quote) => value(quote) ?? Number.NaN);
  return {
    observed_at: column(({ minute }) => AT + minute * MINUTE_MS),
    series: Uint8Array.from(quotes, ({ series = 'quote' }) => SERIES.indexOf(series)),
    bid: column(({ price }) => price),
    ask: column(({ price }) => price),
    last: column(({ last }) => last),
    volume: column(({ volume }) => volume),
  };
}

function medianOf(
  quotes: Record<string, Quote[]>,
  least_trades = 3,
  statuses: Record<string, SeenStatus[]> = {},
  halted: readonly string[] = [],
) {
  const sources = Object.keys(quotes).map((market_id) => ({ market_id }));
  const definition = defineRate({ methodology: 'robust_median', least_trades, sources });
  const hours = new Map(
    Object.entries(quotes).map(([id, each]) => [id, sourceHours(columns(each), statuses[id] ?? [], [AT])[0]]),
  );
  const view = (id: string) =>
    halted.includes(id) ? undefined : priced(quotes[id]?.at(-1)?.price ?? 0.5, AT);
  return printRate(rateFamilyOf(definition), definition, view, AT, {
    ...NO_HISTORY,
    hour: (id) => hours.get(id),
  });
}

/** What a venue was seen to say of a contract, at a minute before AT. */
const seen = (minute: number, status: MarketStatus): SeenStatus => ({
  observed_at: AT + minute * MINUTE_MS,
  status,
  settled_at: null,
  payout: null,
  closes_at: null,
});

it('weightedMedian: half of the weight on either side, the mean of two where the half falls between them', () => {
  const of = (...pairs: [number, number][]) =>
    weightedMedian(pairs.map(([value, weight]) => ({ value, weight })));
  expect(of([0.4, 1], [0.5, 3])).toBe(0.5);
  expect(of([0.5, 2], [0.3, 1], [0.4, 1])).toBeCloseTo(0.45, 15);
  // 0.3 of 0.6 on either side, of which the binary sum is more than twice 0.3.
  expect(of([0.4, 0.3], [0.5, 0.1], [0.6, 0.2])).toBeCloseTo(0.45, 15);
  expect(of([0.9, 0], [0.2, 1])).toBe(0.2);
  expect(of()).toBeUndefined();
});

it('without trades: the mean over twelve parts of the marks weighted by how long each held', () => {
  // Worked by hand: 0.40 until 27 minutes before the print, 0.60 after. The part from 30 to 25 minutes before
  // had 0.40 for three of its five minutes; six parts are 0.40 and one is 0.40, five are 0.60.
  const print = medianOf({
    [A]: [
      { minute: -90, price: 0.4 },
      { minute: -27, price: 0.6 },
    ],
  });
  expect(print?.price).toBeCloseTo((7 * 0.4 + 5 * 0.6) / 12, 15);
  const document = readFileSync(join(import.meta.dirname, '../../../data/methodology.md'), 'utf8');
  expect(document).toContain(`seven parts are 0.40 and five 0.60 → ${toCents(print?.price ?? -1)} cents`);
  expect(print?.methodology_version).toBe('robust_median-1.7');
});

it('the first quote takes the place of the half cents before it, within the hour too', () => {
  const EMPTY = Number.NaN;
  const print = medianOf({
    [A]: [
      { minute: -90, price: EMPTY },
      { minute: -2, price: 0.6 },
    ],
  });
  expect(print?.price).toBe(0.6);
  // At the print itself nothing has stood yet.
  expect(
    medianOf({
      [A]: [
        { minute: -90, price: EMPTY },
        { minute: 0, price: 0.6 },
      ],
    }),
  ).toBeUndefined();
});

it('with trades: each part is their median by volume; one outlying quote moves at most one part', () => {
  const steady = (minute: number): Quote => ({ minute, price: 0.5, last: 0.5, volume: 1000 + 60 + minute });
  const minutes = Array.from({ length: 61 }, (_none, i) => i - 60);
  const quiet = medianOf({ [A]: minutes.map(steady) }, 1);
  expect(quiet?.price).toBeCloseTo(0.5, 15);
  // A burst of 500 at 0.90 in the part from 10 to 5 minutes before, and everything else at 0.50.
  const burst = minutes.map((minute) => {
    const quote = steady(minute);
    const later = { ...quote, volume: (quote.volume ?? 0) + (minute >= -7 ? 500 : 0) };
    return minute === -7 ? { ...later, last: 0.9 } : later;
  });
  expect(medianOf({ [A]: burst }, 1)?.price).toBeCloseTo((11 * 0.5 + 0.9) / 12, 15);
  // With trades left aside the burst, which moved no quote, moves nothing.
  expect(medianOf({ [A]: burst }, 100)?.price).toBeCloseTo(0.5, 15);
});

it('a trade counts in the part of the hour that it ends, and as few as the definition asks for are enough', () => {
  const definition = defineRate({
    methodology: 'robust_median',
    least_trades: 1,
    sources: [{ market_id: A }],
  });
  const start = AT - HOUR_MS;
  const hour: SourceHour = {
    views: Array.from({ length: 12 }, (_none, i) => ({
      at: start + i * 5 * MINUTE_MS,
      view: priced(0.5, start),
    })),
    trades: [{ at: start + 5 * MINUTE_MS, price: 0.9, volume: 1 }],
  };
  const history = { ...NO_HISTORY, hour: () => hour };
  const print = printRate(rateFamilyOf(definition), definition, () => priced(0.5), AT, history);
  expect(print?.price).toBeCloseTo((0.9 + 11 * 0.5) / 12, 15);
  expect(rateFamilyOf(definition).breakdown?.(() => true, AT, history)[0]).toMatchObject({
    from: start,
    to: start + 5 * MINUTE_MS,
    price: 0.9,
  });
});

it('a source that does not enter has no part in the hour, and one that is only seen at its end gives no price', () => {
  const halted = medianOf({ [A]: [{ minute: -90, price: 0.4 }], [B]: [{ minute: -90, price: 0.6 }] }, 3, {}, [
    B,
  ]);
  expect(halted?.price).toBeCloseTo(0.4, 15);
  expect(halted?.lines[1]).toMatchObject({ state: 'unpriced', weight: 0.5 });
  expect(medianOf({ [A]: [{ minute: 0, price: 0.4 }] })).toBeUndefined();
});

it('quotes further apart than five minutes do not date a trade', () => {
  const [hour] = sourceHours(
    columns([
      { minute: -30, price: 0.5, last: 0.5, volume: 10 },
      { minute: -20, price: 0.5, last: 0.7, volume: 50 },
      { minute: -15, price: 0.5, last: 0.6, volume: 55 },
    ]),
    [],
    [AT],
  );
  expect(hour?.trades).toEqual([{ at: AT - 15 * MINUTE_MS, price: 0.6, volume: 5 }]);
});

it('volume is inferred from quotes alone, up to the first trade that the venue reports', () => {
  const [hour] = sourceHours(
    columns([
      { minute: -20, price: 0.5, last: 0.5, volume: 10 },
      { minute: -19, price: 0.5, last: 0.8, volume: 300, series: 'candle_60' },
      { minute: -18, price: 0.5, last: 0.6, volume: 15 },
      { minute: -16, price: 0.5, last: 0.7, volume: 17 },
      { minute: -16, price: 0.5, last: 0.7, volume: 2, series: 'trades' },
      { minute: -14, price: 0.5, last: 0.7, volume: 18 },
    ]),
    [],
    [AT],
  );
  expect(hour?.trades).toEqual([
    { at: AT - 18 * MINUTE_MS, price: 0.6, volume: 5 },
    { at: AT - 16 * MINUTE_MS, price: 0.7, volume: 2 },
  ]);
});

it('the rate lies within the marks of its hour, in any order of sources, with shares that sum to 1', () => {
  const quotes = fc
    .array(
      fc.record({
        minute: fc.integer({ min: -59, max: 0 }),
        price: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      }),
      { minLength: 1, maxLength: 20 },
    )
    .map((list) => [{ minute: -60, price: 0.5 }, ...list].sort((a, b) => a.minute - b.minute));
  fc.assert(
    fc.property(quotes, quotes, (a, b) => {
      const print = medianOf({ [A]: a, [B]: b });
      const prices = [...a, ...b].map((quote) => quote.price);
      expect(print?.price).toBeGreaterThanOrEqual(Math.min(...prices) - 1e-12);
      expect(print?.price).toBeLessThanOrEqual(Math.max(...prices) + 1e-12);
      expect(medianOf({ [B]: b, [A]: a })?.price).toBeCloseTo(print?.price ?? -1, 12);
      const weights = print?.lines.map((line) => line.weight) ?? [];
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    }),
  );
});

it('a source enters the hour from the instant it was first seen to trade', () => {
  const statuses = { [B]: [seen(-90, 'paused'), seen(-33, 'active')] };
  const print = medianOf(
    { [A]: [{ minute: -90, price: 0.4 }], [B]: [{ minute: -90, price: 0.6 }] },
    3,
    statuses,
  );
  // Of the part from 35 to 30 minutes before the print B stood for three of eight minutes, and half of the six after it.
  expect(print?.price).toBeCloseTo((6 * 0.4 + 6 * 0.5) / 12, 15);
  expect(print?.lines.map((line) => line.weight)[1]).toBeCloseTo((3 / 8 + 6 / 2) / 12, 15);
});

it('the hour of a source ends at its instant, and is the same whichever others are calculated with it', () => {
  const minute = fc.integer({ min: -150, max: 0 });
  const inOrder = (minutes: readonly number[]) => [...new Set(minutes)].sort((a, b) => a - b);
  fc.assert(
    fc.property(fc.array(minute), fc.array(minute), fc.array(minute), (quoted, told, asked) => {
      const quotes = inOrder(quoted).map((minute, i) => {
        const price = 0.3 + (i % 7) / 20;
        return { minute, price, last: price, volume: i * i };
      });
      const statuses = inOrder(told).map((minute, i) => seen(minute, i % 2 === 0 ? 'paused' : 'active'));
      const minutes = inOrder([...asked, 0]);
      const instants = minutes.map((minute) => AT + minute * MINUTE_MS);
      const hours = sourceHours(columns(quotes), statuses, instants);
      for (const [i, at] of instants.entries()) {
        const until = quotes.filter((quote) => quote.minute <= (minutes[i] as number));
        const known = statuses.filter((status) => status.observed_at <= at);
        const alone = sourceHours(columns(until), known, [at])[0];
        // The last view may be of the end itself, from which no part begins.
        const partsOf = (hour: SourceHour | undefined) => hour?.views.filter((each) => each.at !== at);
        expect(partsOf(hours[i])).toEqual(partsOf(alone));
        expect(hours[i]?.trades).toEqual(alone?.trades);
        expect(hours[i]?.trades.every((trade) => trade.at > at - HOUR_MS)).toBe(true);
      }
    }),
  );
});
