import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planHistory } from '../../src/ingest/venues/polymarket-us/history-plan.ts';
import { candlesOf, parseHistory } from '../../src/ingest/venues/polymarket-us/parse-history.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { NOW } from './run-ingest.ts';

const AT = NOW / 1000;
const point = (timestamp: number, longPrice: unknown, shortPrice: unknown) => ({
  timestamp,
  longPrice,
  shortPrice,
});
const parse = (...history: unknown[]) => parseHistory({ history });

describe('display prices', () => {
  it('[2.1.2/2] the ask is the long price, the bid a dollar less the short price', () => {
    expect(parse(point(AT, 0.43, 0.59)).points).toEqual([{ at: NOW, bid: 0.41, ask: 0.43 }]);
    expect(parse(point(AT, 0.1 + 0.2, 0.9)).points).toEqual([{ at: NOW, bid: 0.1, ask: 0.3 }]);
  });

  it('[2.5.2/1] a bid of 0 and an ask of 1 are empty sides, and so is a missing price', () => {
    expect(parse(point(AT, 1, 1), point(AT, null, 0.5)).points).toEqual([
      { at: NOW, bid: undefined, ask: undefined },
      { at: NOW, bid: 0.5, ask: undefined },
    ]);
  });

  it('leaves out a point without any price, which says nothing about the book', () => {
    const page = parse(point(AT, undefined, undefined), point(AT, undefined, 0.5));
    expect(page.rejections.map(({ reason }) => reason)).toEqual(['longPrice or shortPrice must be there']);
    expect(page.points).toEqual([{ at: NOW, bid: 0.5, ask: undefined }]);
  });

  it('leaves out the point that cannot be read, and says where it stood', () => {
    const page = parse(point(AT - 60, 0.4, 0.6), point(AT, 1.7, 0.5), point(AT, 0.4, 0.6));
    expect(page.rejections.map(({ reason }) => reason)).toEqual(['longPrice must be 0 to 1, got 1.7']);
    expect([page.points.length, page.heldAt]).toEqual([2, NOW - 60_000]);
  });
});

describe('hourly candles of display prices', () => {
  const span = { from: NOW - 4 * HOUR_MS, to: NOW };
  const at = (minutes: number, bid: number) => ({ at: NOW - minutes * 60_000, bid, ask: undefined });

  it('end at their hour with its last point; an hour without points has none', () => {
    expect(candlesOf([at(150, 0.1), at(130, 0.2), at(60, 0.3), at(59, 0.4)], span)).toEqual([
      { observed_at: NOW - 2 * HOUR_MS, bid: 0.2 },
      { observed_at: NOW - HOUR_MS, bid: 0.3 },
      { observed_at: NOW, bid: 0.4 },
    ]);
  });

  it('cover no hour before the span or not yet over', () => {
    expect(candlesOf([at(250, 0.1), at(-1, 0.2)], span)).toEqual([]);
  });

  it('take the later of two points at one instant', () => {
    expect(candlesOf([at(30, 0.1), at(30, 0.2)], span)).toEqual([{ observed_at: NOW, bid: 0.2 }]);
  });

  it('are the same in any order of points', () => {
    const points = Array.from({ length: 30 }, (_, i) => at(i * 7, (i + 1) / 100));
    fc.assert(
      fc.property(fc.shuffledSubarray(points, { minLength: 30 }), (shuffled) => {
        expect(candlesOf(shuffled, span)).toEqual(candlesOf(points, span));
      }),
    );
  });
});

describe('the plan of a history', () => {
  const plan = (from: number, to = NOW) =>
    planHistory({ from, to }, NOW).map(({ parameters, long }) => [
      long
        ? parameters.fixedInterval
        : Number(parameters['timestamp.endTimestamp']) - Number(parameters['timestamp.startTimestamp']),
      parameters.fidelity,
    ]);

  it('requests every point for a day, three-hourly for a month, and from the beginning beyond', () => {
    expect(plan(NOW - HOUR_MS)).toEqual([[3600, 1]]);
    expect(plan(NOW - DAY_MS)).toEqual([[86_400, 1]]);
    expect(plan(NOW - 3 * DAY_MS)).toEqual([
      ['INTERVAL_1M', 180],
      [86_400, 1],
    ]);
    expect(plan(NOW - 90 * DAY_MS)).toEqual([
      ['INTERVAL_ALL', 180],
      ['INTERVAL_1M', 180],
      [86_400, 1],
    ]);
  });

  it('requests a span that ended long ago from the beginning', () => {
    expect(plan(NOW - 90 * DAY_MS, NOW - 60 * DAY_MS)).toEqual([
      ['INTERVAL_ALL', 180],
      [86_400, 1],
    ]);
  });
});
