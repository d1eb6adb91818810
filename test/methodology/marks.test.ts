import { describe, expect, it } from 'vitest';
import type { ContractView } from '../../src/methodology/contract-views.ts';
import { failedCheck, markOf } from '../../src/methodology/marks.ts';
import { MARKET_STATUSES } from '../../src/model/catalog.ts';
import { EXCLUDE_REASONS } from '../../src/model/mark.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { book, hour, paid } from './contracts.ts';

const AT = hour(0);
const limits = { max_spread_cents: 20, max_quote_age_hours: 24 };
const check = (view: ContractView, at = AT) => failedCheck(view, at, limits);

describe('the pricing ladder', () => {
  it.each([
    ['two sides: the mid, with the spread', { bid: 0.4, ask: 0.5, last: 0.9 }, { price: 0.45, basis: 'mid' }],
    ['a locked book is uncrossed', { bid: 0.4, ask: 0.4 }, { price: 0.4, basis: 'mid', spread: 0 }],
    ['a crossed book: the last trade', { bid: 0.5, ask: 0.4, last: 0.45 }, { price: 0.45, basis: 'last' }],
    ['[2.5.2/2] one side: the last trade', { bid: 0.4, last: 0.42 }, { price: 0.42, basis: 'last' }],
    ['[2.5.2/2] only a bid, no trade: the bid', { bid: 0.4 }, { price: 0.4, basis: 'bid' }],
    ['[2.5.2/2] only an ask, no trade: the ask', { ask: 0.1 }, { price: 0.1, basis: 'ask' }],
    ['no side: the last trade', { last: 0.3 }, { price: 0.3, basis: 'last' }],
    ['[2.5.2/2] no side, no trade: half a cent', {}, { price: 0.005, basis: 'floor' }],
  ] as const)('%s', (_name, sides, expected) => {
    expect(markOf(book(sides, AT))).toMatchObject({ ...expected, observed_at: AT });
  });

  it('a crossed book without a trade has no price', () => {
    expect(markOf(book({ bid: 0.5, ask: 0.4 }, AT))).toBe('crossed_book');
  });

  it('a last trade counts as beyond the quote only when it is truly outside', () => {
    expect(markOf(book({ bid: 0.4, last: 0.39 }, AT))).toMatchObject({ price: 0.39, beyond_quote: true });
    expect(markOf(book({ ask: 0.1, last: 0.12 }, AT))).toMatchObject({ price: 0.12, beyond_quote: true });
    for (const sides of [
      { bid: 0.4, last: 0.4 },
      { ask: 0.1, last: 0.1 },
      { bid: 0.4, last: 0.6 },
      { bid: 0.5, ask: 0.4, last: 0.6 },
    ])
      expect(markOf(book(sides, AT))).not.toHaveProperty('beyond_quote');
  });

  it('the floor applies only while the contract is active', () => {
    for (const status of MARKET_STATUSES.filter((each) => each !== 'active'))
      expect(markOf({ ...book({}, AT), status }), status).toBe('not_active');
  });

  it('a contract that was never observed has no price, never 0 or 50', () => {
    expect(markOf({ status: 'active' })).toBe('never_observed');
  });

  it('a contract that has only a price history is marked at its last point', () => {
    expect(markOf({ status: 'active', last: { price: 0.3, observed_at: 5 } })).toEqual({
      price: 0.3,
      basis: 'last',
      observed_at: 5,
    });
  });

  it.each([0, 0.5, 1])('a settled contract is worth what Yes pays, %s, whatever the book says', (payout) => {
    const view = { ...book({ bid: 0.4, ask: 0.5, last: 0.4 }, AT), ...paid(payout, AT) };
    expect(markOf(view)).toEqual({ price: payout, basis: 'settlement', observed_at: AT });
  });

  it('a settled contract without a known payoff is priced by the ladder, without the floor', () => {
    expect(markOf({ ...book({ bid: 0.4, ask: 0.5 }, AT), status: 'settled' })).toMatchObject({ price: 0.45 });
    expect(markOf({ ...book({}, AT), status: 'settled' })).toBe('not_active');
  });

  it('a paused or disputed contract still has its price', () => {
    for (const status of ['paused', 'disputed', 'closed', 'determined'] as const)
      expect(markOf({ ...book({ bid: 0.4, ask: 0.5 }, AT), status })).toMatchObject({ price: 0.45 });
  });
});

describe('the book check of an index', () => {
  it('a good book passes', () => expect(check(book({ bid: 0.4, ask: 0.5 }, AT))).toBeUndefined());

  it('[2.4.1/1] names the first failed check in a fixed order', () => {
    // Each view fails its own check and, where it can, the later ones too.
    const old = AT - 25 * HOUR_MS;
    const failing: Record<(typeof EXCLUDE_REASONS)[number], ContractView> = {
      disputed: { ...book({}, old), status: 'disputed' },
      halted: { ...book({}, old), status: 'paused' },
      no_book: book({ last: 0.3 }, old),
      stale_quote: book({ bid: 0.5, ask: 0.2 }, old),
      crossed_book: book({ bid: 0.5, ask: 0.2 }, AT),
      one_sided_book: book({ bid: 0.5, last: 0.5 }, AT),
      wide_spread: book({ bid: 0.2, ask: 0.5 }, AT),
    };
    for (const reason of EXCLUDE_REASONS) expect(check(failing[reason]), reason).toBe(reason);
    expect(check(book({ bid: 0.5 }, old))).toBe('stale_quote');
    expect(check(book({ ask: 0.5 }, AT))).toBe('one_sided_book');
  });

  it('every state without trading is halted', () => {
    for (const status of ['unopened', 'paused', 'closed', 'determined', 'settled'] as const)
      expect(check({ ...book({ bid: 0.4, ask: 0.5 }, AT), status }), status).toBe('halted');
  });

  it('a spread of exactly 20 cents passes, whatever its binary form; the next tick does not', () => {
    for (let cents = 1; cents < 80; cents++) {
      const ask = (cents + 20) / 100;
      expect(check(book({ bid: cents / 100, ask }, AT)), `${cents}`).toBeUndefined();
      expect(check(book({ bid: cents / 100, ask: ask + 0.0001 }, AT)), `${cents}`).toBe('wide_spread');
    }
  });

  it('a book of exactly 24 hours passes, a millisecond more does not', () => {
    const seen = book({ bid: 0.4, ask: 0.5 }, AT);
    expect(check(seen, AT + 24 * HOUR_MS)).toBeUndefined();
    expect(check(seen, AT + 24 * HOUR_MS + 1)).toBe('stale_quote');
  });

  it('limits are settings of the definition', () => {
    const tight = { max_spread_cents: 5, max_quote_age_hours: 1 };
    expect(failedCheck(book({ bid: 0.4, ask: 0.46 }, AT), AT, tight)).toBe('wide_spread');
    expect(failedCheck(book({ bid: 0.4, ask: 0.45 }, AT), AT + HOUR_MS + 1, tight)).toBe('stale_quote');
  });

  it('a locked book passes', () => expect(check(book({ bid: 0.4, ask: 0.4 }, AT))).toBeUndefined());

  it('a price history alone is not book-checked; nothing at all is no book', () => {
    expect(check({ status: 'active', last: { price: 0.3, observed_at: 0 } })).toBeUndefined();
    expect(check({ status: 'active' })).toBe('no_book');
    expect(check({ status: 'paused', last: { price: 0.3, observed_at: 0 } })).toBe('halted');
  });
});
