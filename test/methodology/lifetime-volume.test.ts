import { expect, it } from 'vitest';
import { lifetimeVolumes } from '../../src/methodology/lifetime-volume.ts';
import { SERIES, type Series } from '../../src/model/observation.ts';
import { HOUR_MS } from '../../src/model/time.ts';

function columns(rows: [hour: number, series: Series, volume: number][]) {
  return {
    observed_at: Float64Array.from(rows, ([hour]) => hour * HOUR_MS),
    series: Uint8Array.from(rows, ([, series]) => SERIES.indexOf(series)),
    volume: Float64Array.from(rows, ([, , volume]) => volume),
  };
}

const at = (...hours: number[]) => hours.map((hour) => hour * HOUR_MS);

it('sums the candles until the venue gives its own count, and continues from that', () => {
  const prices = columns([
    [1, 'candle_60', 5],
    [2, 'candle_60', 7],
    [2.5, 'quote', 100],
    [3, 'candle_60', 9],
    [4, 'candle_60', 4],
  ]);
  // The candle that ends at 3 began before the count of 2.5, which may hold part of it.
  expect(lifetimeVolumes(prices, at(0, 1, 2, 2.5, 3, 4))).toEqual([undefined, 5, 12, 100, 100, 104]);
});

it('does not count a day again after its hours were counted, and counts the day of 23 hours after it', () => {
  const prices = columns([
    [24, 'candle_60', 5],
    [24, 'candle_1440', 50],
    [47, 'candle_1440', 8],
  ]);
  expect(lifetimeVolumes(prices, at(24, 47))).toEqual([5, 13]);
});

it('does not count a day that was counted in part', () => {
  const prices = columns([
    [10, 'candle_60', 5],
    [24, 'candle_1440', 50],
  ]);
  expect(lifetimeVolumes(prices, at(24))).toEqual([5]);
});

it('ignores a price history and a missing volume', () => {
  const prices = columns([
    [1, 'history', 3],
    [2, 'quote', Number.NaN],
  ]);
  expect(lifetimeVolumes(prices, at(3))).toEqual([undefined]);
});
