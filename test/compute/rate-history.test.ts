import { expect, it } from 'vitest';
import { verify } from '../../src/compute/recalculation/verify.ts';
import type { Observation } from '../../src/model/observation.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';
import { findRatePrint } from '../../src/store/prints/rate-prints.ts';
import { A, B, defineRate } from '../methodology/rate-families/rates.ts';
import { computeRates } from './rate-worlds.ts';

const START = Date.parse('2026-11-02T00:00:00Z');
const sources = [{ market_id: A }, { market_id: B }];
const from = { start_at: '2026-11-02T00:00:00Z' };

const quote = (observed_at: number, price: number, rest: Partial<Observation> = {}): Observation => ({
  observed_at,
  bid: price,
  ask: price,
  ...rest,
});

it('[2.5.1/3] a volume is the one known at the print: later observations never enter, unknown ones are left out', () => {
  const definition = defineRate({ methodology: 'volume_weighted', ...from, sources });
  const store = computeRates(
    [definition],
    [
      {
        market_id: A,
        series: 'candle_60',
        observations: [1, 2, 3].map((hour) => quote(START + hour * HOUR_MS, 0.4, { volume: 100 })),
      },
      {
        market_id: B,
        series: 'quote',
        observations: [quote(START + HOUR_MS, 0.5), quote(START + 3 * HOUR_MS, 0.5, { volume: 900 })],
      },
    ],
    START + 3 * HOUR_MS,
  );
  const at = (hour: number) => store.read((reader) => findRatePrint(reader, 'RATE', START + hour * HOUR_MS));
  // At hour 2 the volume of B is unknown: the configured weights are used.
  expect(at(2)?.price).toBeCloseTo(0.45, 15);
  expect(at(2)?.lines.map((line) => line.volume)).toEqual([200, undefined]);
  // At hour 3: (300·0.40 + 900·0.50) / 1200 = 0.475.
  expect(at(3)?.price).toBeCloseTo(0.475, 15);
  expect(at(3)?.lines.map((line) => [line.volume, line.weight])).toEqual([
    [300, 0.25],
    [900, 0.75],
  ]);
});

it('a robust median sees the whole hour before each of its prints, and nothing after it', () => {
  const definition = defineRate({ methodology: 'robust_median', ...from, sources: sources.slice(0, 1) });
  const store = computeRates(
    [definition],
    [
      {
        market_id: A,
        series: 'quote',
        observations: [
          quote(START, 0.4),
          quote(START + HOUR_MS + 33 * MINUTE_MS, 0.6),
          quote(START + 2 * HOUR_MS + MINUTE_MS, 0.9),
        ],
      },
    ],
    START + 2 * HOUR_MS,
  );
  const print = store.read((reader) => findRatePrint(reader, 'RATE', START + 2 * HOUR_MS));
  expect(print?.price).toBeCloseTo((7 * 0.4 + 5 * 0.6) / 12, 15);
});

it('a robust median counts the trades that the venue listed and adds no growth in volume to them', () => {
  const definition = defineRate({ methodology: 'robust_median', ...from, sources: sources.slice(0, 1) });
  const traded = (minute: number, last: number, volume: number) => ({
    observed_at: START + HOUR_MS + minute * MINUTE_MS,
    last,
    volume,
  });
  const store = computeRates(
    [definition],
    [
      {
        market_id: A,
        series: 'quote',
        observations: [
          quote(START + HOUR_MS, 0.4, { last: 0.4, volume: 10 }),
          quote(START + HOUR_MS + 4 * MINUTE_MS, 0.4, { last: 0.9, volume: 500 }),
        ],
      },
      {
        market_id: A,
        series: 'trades',
        observations: [traded(1, 0.5, 10), traded(2, 0.6, 30), traded(3, 0.8, 5)],
      },
    ],
    START + 2 * HOUR_MS,
  );
  const print = store.read((reader) => findRatePrint(reader, 'RATE', START + 2 * HOUR_MS));
  // The first five minutes have three trades, whose median by volume is 0.6; the others the mark, 0.4.
  expect(print?.price).toBeCloseTo((0.6 + 11 * 0.4) / 12, 15);
});

it('a trade at the start of an hour is inferred from the count before it, whatever was seen in between', () => {
  const definition = defineRate({
    methodology: 'robust_median',
    least_trades: 1,
    ...from,
    start_at: '2026-11-02T02:00:00Z',
    sources: [{ market_id: A }],
  });
  const minute = (minutes: number) => START + HOUR_MS + minutes * MINUTE_MS;
  const observations = [
    quote(minute(-3), 0.4, { last: 0.4, volume: 100 }),
    quote(minute(-1), 0.4, { last: 0.4 }),
    quote(minute(1), 0.4, { last: 0.8, volume: 150 }),
  ];
  const store = computeRates(
    [definition],
    [{ market_id: A, series: 'quote', observations }],
    START + 2 * HOUR_MS,
  );
  const print = store.read((reader) => findRatePrint(reader, 'RATE', START + 2 * HOUR_MS));
  // 50 traded at 0.8 in the first five minutes; in the others the mark stood.
  expect(print?.price).toBeCloseTo((0.8 + 11 * 0.4) / 12, 15);
});

it('a volume carries over from one calculation window to the next', () => {
  const definition = defineRate({ methodology: 'volume_weighted', ...from, sources });
  const hours = Array.from({ length: 600 }, (_none, hour) => START + hour * HOUR_MS);
  const batches = [A, B].map((market_id, m) => ({
    market_id,
    series: 'candle_60' as const,
    observations: hours.map((at, i) =>
      quote(at, 0.3 + m / 5 + (i % 7) / 100, { volume: (i * (m + 3)) % 11 }),
    ),
  }));
  // 600 instants span two windows of calculation.
  const store = computeRates([definition], batches, hours.at(-1) as number);
  const last = store.read((reader) => findRatePrint(reader, 'RATE', hours.at(-1) as number));
  const volumes = [0, 1].map((m) => hours.reduce((sum, _at, i) => sum + ((i * (m + 3)) % 11), 0));
  expect(last?.lines.map((line) => line.volume)).toEqual(volumes);
  // And the stored inputs reproduce the prints.
  expect(store.read((reader) => verify(reader, []))).toMatchObject({ recalculated: 600, differences: [] });
});
