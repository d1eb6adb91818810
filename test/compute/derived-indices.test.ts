import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { listDivisorSteps } from '../../src/store/prints/divisor-steps.ts';
import { findIndexPrint, listIndexPrints } from '../../src/store/prints/index-prints.ts';
import { ALL, at, basket, index, START } from '../helpers/hand-definitions.ts';
import { HandStore, type Prices } from '../helpers/hand-store.ts';

const totalReturn = (base: string) => index(`${base}.TR`, 'total_return', { base_index_id: base });
const composite = (more: object = {}) =>
  index('WHOLE', 'composite', {
    weighting: { categories: { sports: 3, politics: 1 } },
    constituents: [
      { index: 'S1', category: 'sports' },
      { index: 'S2', category: 'sports' },
      { index: 'P', category: 'politics' },
    ],
    ...more,
  });

function play(definitions: object[], boards: readonly Prices[]) {
  const hand = new HandStore();
  hand.adopt(definitions);
  for (const [i, board] of boards.entries()) hand.at(at(i), board);
  const levels = (ticker: string) =>
    hand.store.read((reader) => listIndexPrints(reader, ticker, 0, ALL).map((print) => print.level));
  return { hand, levels };
}

describe('a composite', () => {
  const parts = [basket('S1', ['A']), basket('S2', ['B']), basket('P', ['C'])];

  it('[4.3] correlates its indices by the returns of their levels', () => {
    const hand = new HandStore();
    hand.adopt([composite(), ...parts]);
    // One is the square of the other: their logarithms move together, their levels do not.
    const moves = Array.from({ length: 24 }, (_none, day) => Math.exp(Math.sin(day * day) / 3));
    for (const [day, move] of moves.entries())
      hand.at(at(24 * day), { A: 0.4 * move, B: 0.5, C: 0.4 * move ** 2 });
    const body = hand.ask('/indices/{id}/correlation', { id: 'WHOLE' });
    expect(body?.market_ids).toEqual(['index:S1', 'index:S2', 'index:P']);
    expect(body?.matrix?.[0]).toEqual([1, null, expect.closeTo(1, 9)]);
  });

  it('holds indices by their levels and splits weight by category, equally inside one', () => {
    const { levels, hand } = play(
      [composite(), ...parts],
      [
        { A: 0.5, B: 0.5, C: 0.5 },
        { A: 0.6, B: 0.5, C: 0.4 },
      ],
    );
    // 375 of S1 up a fifth, 250 of P down a fifth.
    expect(levels('WHOLE')).toEqual([1000, expect.closeTo(1025, 9)]);
    const rows = hand.ask('/indices/{id}/constituents', { id: 'WHOLE' })?.data;
    expect(rows?.[0]).toMatchObject({
      kind: 'index',
      index: 'S1',
      level: 1200,
      weight: expect.closeTo(450 / 1025, 12),
    });
    const returns = hand.ask('/indices/{id}', { id: 'WHOLE' })?.constituent_returns;
    expect(returns).toEqual([]);
  });

  it('settles an index that has ended at 0, and does not hold it when the settlement is taken back', () => {
    const whole = composite({
      base_at: new Date(at(1)).toISOString(),
      constituents: [
        { index: 'S1', category: 'sports' },
        { index: 'P', category: 'politics' },
      ],
    });
    const { levels, hand } = play(
      [whole, basket('S1', ['A']), basket('P', ['C'])],
      [
        { A: 0.5, C: 0.5 },
        { A: { pays: 0 }, C: 0.5 },
        { A: 0.5, C: 0.6 },
        { A: 0.6, C: 0.6 },
        { A: 0.6, C: { pays: 0 } },
      ],
    );
    expect(levels('S1').at(-1)).toBeCloseTo(1200, 9);
    expect(levels('WHOLE')).toEqual([1000, ...[1200, 1200].map((level) => expect.closeTo(level, 9)), 0]);
    const last = hand.store.read((reader) => findIndexPrint(reader, 'WHOLE', at(4)));
    expect(last?.lines).toMatchObject([{ market_id: 'index:P', state: 'settled', price: 0 }]);
    expect(hand.store.read((reader) => verify(reader, []).differences)).toEqual([]);
  });

  it('admits an index that first prints later with a step that does not move its level', () => {
    const later = { ...basket('P', ['C']), base_at: new Date(at(1)).toISOString() };
    const { levels, hand } = play(
      [composite(), parts[0] as object, parts[1] as object, later],
      [
        { A: 0.5, B: 0.5, C: 0.5 },
        { A: 0.6, B: 0.5, C: 0.5 },
      ],
    );
    expect(levels('WHOLE')).toEqual([1000, expect.closeTo(1100, 9)]);
    const [, step] = hand.store.read((reader) => listDivisorSteps(reader, 'WHOLE'));
    expect(step).toMatchObject({ reason: 'admission', market_ids: ['index:P'] });
    expect(Math.abs((step?.level_after ?? 0) - (step?.level_before ?? 0))).toBeLessThanOrEqual(1e-9 * 1100);
  });
});

it('an index that a change will drop is calculated before the one that still holds it, in a backfill too', () => {
  const hand = new HandStore();
  // In file order; until the change takes effect BOTH follows LATE, as RETURN does for good.
  const parts = [basket('EARLY', ['A']), basket('LATE', ['B'])];
  const holds = (ticker: string) => ({
    weighting: { categories: { all: 1 } },
    constituents: [{ index: ticker, category: 'all' }],
  });
  const returns = index('RETURN', 'total_return', { base_index_id: 'LATE' });
  const adopt = (ticker: string) =>
    hand.adopt([index('BOTH', 'composite', holds(ticker)), returns, ...parts], [], { withNotice: true });
  adopt('LATE');
  hand.at(at(0), { A: 0.5, B: 0.5 });
  adopt('EARLY');
  hand.at(at(1), { A: 0.5, B: 0.6 });
  const last = () =>
    ['BOTH', 'RETURN'].map((ticker) =>
      hand.store.read((reader) => findIndexPrint(reader, ticker, at(1))?.level),
    );
  expect(last()).toEqual([expect.closeTo(1200, 9), expect.closeTo(1200, 9)]);
  hand.at(at(25), { A: 0.6, B: 0.6 });
  hand.at(at(26), { A: 0.7, B: 0.6 });
  const came = { observed_at: at(0.5), bid: 0.55, ask: 0.55 };
  hand.store.write((writer) =>
    insertObservations(
      writer,
      marketKey(writer, 'venue_a:B'),
      { series: 'quote', observations: [came] },
      at(27),
    ),
  );
  const wish = { tickers: [], from: START, to: ALL, every_minutes: 30 };
  backfill(hand.store, wish, at(27), () => {});
  const half = hand.store.read((reader) => findIndexPrint(reader, 'RETURN', at(0.5)));
  expect(half).toMatchObject({ at: at(0.5), level: expect.closeTo(1100, 9) });
  expect(last()).toEqual([expect.closeTo(1200, 9), expect.closeTo(1200, 9)]);
  expect(hand.store.read((reader) => verify(reader, []).differences)).toEqual([]);
});

describe('a total return', () => {
  it('equals its base index while nothing is idle', () => {
    const boards: Prices[] = [
      { A: 0.5, B: 0.2, C: 0.4 },
      { A: 0.6, B: 0.2, C: 0.5 },
      { A: { pays: 1 }, B: 0.3, C: 0.5 },
      { A: { pays: 1 }, B: 0.4, C: 0.6 },
    ];
    const { levels } = play([totalReturn('X'), basket('X', ['A', 'B', 'C'])], boards);
    expect(levels('X.TR')).toEqual(levels('X').map((level) => expect.closeTo(level, 6)));
    expect(levels('X.TR')).toHaveLength(4);
  });

  it('reinvests idle cash from the first calculation on in which a name can take it', () => {
    // B is under half a cent when A pays, so the 1000 stay as cash beside B's 200.
    const boards: Prices[] = [
      { A: 0.5, B: 0.01 },
      { A: { pays: 1 }, B: 0.004 },
      { A: { pays: 1 }, B: 0.008 },
      { A: { pays: 1 }, B: 0.004 },
      { A: { pays: 1 }, B: 0.016 },
    ];
    const { levels, hand } = play([totalReturn('X'), basket('X', ['A', 'B'])], boards);
    const about = (all: number[]) => all.map((level) => expect.closeTo(level, 9));
    expect(levels('X')).toEqual(about([1000, 1200, 1400, 1200, 1800]));
    // What is reinvested at 0.8 cents stays so below half a cent.
    expect(levels('X.TR')).toEqual(about([1000, 1200, 1400, 700, 2800]));
    const waits = hand.store.read((reader) => findIndexPrint(reader, 'X.TR', at(1)));
    expect(waits).toMatchObject({ cash: expect.closeTo(1000, 9), coverage: expect.closeTo(200 / 1200, 9) });
    expect(hand.store.read((reader) => verify(reader, []).differences)).toEqual([]);
    expect(hand.ask('/indices/{id}', { id: 'X.TR' })).toMatchObject({
      base_index_id: 'X',
      settlement_cash: 'reinvested_pro_rata',
    });
  });

  it('keeps what the winner paid where the loser, without bids, then settles at 0', () => {
    const hand = new HandStore();
    hand.adopt([totalReturn('X'), basket('X', ['A', 'B'])]);
    hand.at(at(0), { A: 0.5, B: 0.4 });
    const lost = { observed_at: at(1), ask: 0.01 };
    hand.store.write((writer) =>
      insertObservations(
        writer,
        marketKey(writer, 'venue_a:B'),
        { series: 'quote', observations: [lost] },
        at(1),
      ),
    );
    hand.at(at(1), { A: { pays: 1 } });
    hand.at(at(2), { A: { pays: 1 }, B: { pays: 0 } });
    const levels = ['X', 'X.TR'].map((ticker) =>
      hand.store.read((reader) => listIndexPrints(reader, ticker, 0, ALL).map(({ level }) => level)),
    );
    expect(levels[0]).toEqual([1000, 1500, 1000]);
    expect(levels[1]).toEqual(levels[0]);
  });

  it('never falls below its base where settlement pays and marks do not fall', () => {
    const rise = fc.array(fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 3, maxLength: 3 }), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(rise, fc.nat(4), (rises, settles) => {
        const mids = [0.002, 0.2, 0.003];
        const boards = rises.map((row, i): Prices => {
          for (const [j, up] of row.entries()) mids[j] = Math.min(0.9, (mids[j] as number) + up / 1000);
          const [a = 0, b = 0, c = 0] = mids;
          return { A: a, B: i > settles ? { pays: 1 } : b, C: c };
        });
        const { levels } = play([totalReturn('X'), basket('X', ['A', 'B', 'C'])], boards);
        const base = levels('X');
        for (const [i, level] of levels('X.TR').entries())
          expect(level).toBeGreaterThanOrEqual((base[i] as number) * (1 - 1e-9));
      }),
      { numRuns: 25 },
    );
  });

  it('[4.3/1] exclude_derived leaves it out of the list', () => {
    const { hand } = play([totalReturn('X'), basket('X', ['A'])], [{ A: 0.5 }]);
    const tickers = (query: Record<string, unknown>) =>
      (hand.ask('/indices', { query })?.data as { ticker: string }[] | undefined)?.map((each) => each.ticker);
    expect(tickers({})).toEqual(['X.TR', 'X']);
    expect(tickers({ exclude_derived: 'true' })).toEqual(['X']);
  });
});

it('indices of rates, indices and seats are verified from the stored inputs', () => {
  const team = index('TEAM', 'nti', {
    constituents: [
      { market_id: 'venue_a:A', seat: 'championship' },
      ...[40, 45].map((line) => ({ market_id: `venue_a:W${line}`, seat: 'wins', line })),
    ],
  });
  const { hand } = play(
    [
      composite({ constituents: [{ index: 'X', category: 'sports' }] }),
      totalReturn('X'),
      basket('X', ['A', 'B']),
      team,
    ],
    [0, 1, 2, 3].map(
      (i): Prices => ({
        A: 0.3 + i / 20,
        B: i < 2 ? 0.5 : { pays: 1 },
        W40: 0.7 - i / 10,
        W45: 0.4 - i / 10,
      }),
    ),
  );
  const report = hand.store.read((reader) => verify(reader, []));
  expect(report.differences).toEqual([]);
  expect(report.recalculated).toBe(16);
  expect(hand.store.read((reader) => findIndexPrint(reader, 'WHOLE', ALL))?.methodology_version).toBe(
    'composite-1.2',
  );
});
