import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBooksAnswer } from '../../src/ingest/venues/polymarket-global/parse-books.ts';
import {
  parseHistoryPage,
  parseTokenHistory,
} from '../../src/ingest/venues/polymarket-global/parse-history.ts';
import { NOW } from './run-ingest.ts';

const AT = NOW / 1000;

describe('an answer of price history', () => {
  const point = (timestamp: number, price: unknown, resolution_seconds = 3600) => ({
    timestamp,
    price,
    resolution_seconds,
  });
  const parse = (data: unknown[], decided = false) =>
    parseHistoryPage(
      { data, pagination: { limit: 100, offset: 0, has_more: false, next_cursor: null } },
      NOW,
      decided,
    );

  it('keeps points and the raw tick at the end', () => {
    const page = parse([point(AT - 3600, 0.41), point(AT - 60, 0.42, 0)]);
    expect(page.observations).toEqual([
      { observed_at: NOW - 3_600_000, last: 0.41 },
      { observed_at: NOW - 60_000, last: 0.42 },
    ]);
    expect(page.next).toBeUndefined();
  });

  it('takes the raw tick of a decided market as its payout, even a fraction', () => {
    expect(parse([point(AT - 3600, 0.41), point(AT - 60, 0.5, 0)], true).observations).toHaveLength(1);
  });

  it('[2.5.2/1] does not treat a price of 0 or 1 as a trade, and ignores points in the future', () => {
    const page = parse([point(AT - 3, 0), point(AT - 2, 1), point(AT + 1, 0.4)]);
    expect([page.read, page.observations, page.rejections]).toEqual([3, [], []]);
  });

  it('leaves out only the one point that cannot be read', () => {
    const page = parse([point(AT - 3, 1.7), point(NOW, 0.4), point(AT, 0.4)]);
    expect(page.rejections.map((each) => each.reason)).toEqual([
      'price must be 0 to 1, got 1.7',
      `timestamp must be whole seconds since 1970, got ${NOW}`,
    ]);
    expect(page.observations).toHaveLength(1);
  });

  it('reads the order book host’s points alike', () => {
    expect(parseTokenHistory({ history: [{ t: AT, p: 0.4 }] }, NOW).observations).toEqual([
      { observed_at: NOW, last: 0.4 },
    ]);
  });

  it('reads and leaves out the same points whether their numbers are numbers or texts of them', () => {
    const near = (...numbers: number[]) => fc.oneof(fc.constantFrom(...numbers), fc.double({ noNaN: true }));
    const points = fc.record({
      timestamp: near(AT - 3600, AT - 60, AT, AT + 1, AT - 0.5, 0, -1, 1e11 - 1, 1e11),
      price: near(0.41, 0.5, 0, -0, 1, 1.0001, -0.0001),
      resolution_seconds: near(3600, 0, 0.5, -1, 1e15, 1e15 + 1),
    });
    const found = ({ observations, heldAt, rejections }: ReturnType<typeof parse>) => ({
      observations,
      heldAt,
      left_out: rejections.map(({ position, native_id, path }) => [position, native_id, path]),
    });
    const asTexts = (each: object) =>
      Object.fromEntries(Object.entries(each).map(([name, value]) => [name, String(value)]));
    fc.assert(
      fc.property(fc.array(points), fc.boolean(), (data, decided) => {
        expect(found(parse(data, decided))).toEqual(found(parse(data.map(asTexts), decided)));
      }),
      { numRuns: 500 },
    );
  });

  it('gives prices within 0 and 1 or none, whatever number is written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.double().map(String), fc.string(), fc.constant(null)), (price) => {
        for (const { last } of parse([point(AT, price)]).observations)
          expect(last !== undefined && last > 0 && last < 1).toBe(true);
      }),
    );
  });
});

describe('an answer of CLOB books', () => {
  it('takes the best of each side from rungs that come worst first', () => {
    const page = parseBooksAnswer([
      {
        market: '0x1',
        asset_id: '101',
        timestamp: '1703875200000',
        bids: [
          { price: '0.01', size: '9' },
          { price: '0.48', size: '100.00' },
          { price: '0.49', size: '0' },
        ],
        asks: [
          { price: '0.99', size: '5' },
          { price: '0.51', size: '120.00' },
        ],
        last_trade_price: '0.50',
      },
      { asset_id: '102', bids: [], asks: null },
      { asset_id: '103', bids: [{ price: '1.7', size: '1' }], asks: [] },
    ]);
    expect([...page.byId]).toEqual([
      ['101', { bid: 0.48, ask: 0.51, last: 0.5 }],
      ['102', {}],
    ]);
    expect(page.rejections[0]).toMatchObject({
      native_id: '103',
      reason: 'bids.0.price must be 0 to 1, got "1.7"',
    });
  });
});
