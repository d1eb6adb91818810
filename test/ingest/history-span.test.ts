import { describe, expect, it } from 'vitest';
import { historyKnownAfter, historySpan, joinAnswers } from '../../src/ingest/prices/history-span.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import type { MarketRow } from '../../src/store/catalog/catalog.ts';
import { NOW } from './run-ingest.ts';

const FROM = NOW - 30 * DAY_MS;

function market(changes: Partial<MarketRow> = {}): MarketRow {
  const empty = { event_id: null, description: null, slug: null, event_slug: null, rules_primary: null };
  const none = { yes_sub_title: null, market_type: null, price_token: null, opens_at: null, closes_at: null };
  const numbers = { payout: null, volume: null, volume_unit: null, open_interest: null, first_seen_at: 0 };
  return {
    ...empty,
    ...none,
    ...numbers,
    market_key: 1,
    market_id: 'venue_a:KX-1',
    family: 'venue_a',
    native_id: 'KX-1',
    question: '?',
    status: 'active',
    venue_status: 'active',
    listed_at: null,
    settled_at: null,
    last_seen_at: NOW,
    ...changes,
  };
}

describe('the requested span of a market’s history', () => {
  it('begins where definitions ask, or with the hour the market was listed', () => {
    expect(historySpan(market(), FROM, undefined, NOW)).toEqual({ from: FROM, to: NOW });
    const listed_at = NOW - 90.5 * HOUR_MS;
    expect(historySpan(market({ listed_at }), FROM, undefined, NOW)?.from).toBe(NOW - 91 * HOUR_MS);
  });

  it('resumes two hours before the known part ends, as far as it reaches back', () => {
    const known = { from: FROM, to: NOW - 3 * HOUR_MS, asked_at: NOW - 3 * HOUR_MS, held: false };
    expect(historySpan(market(), FROM, known, NOW)).toEqual({ from: NOW - 5 * HOUR_MS, to: NOW });
    const short = { ...known, from: known.to - HOUR_MS };
    expect(historySpan(market(), short.from, short, NOW)?.from).toBe(short.from);
  });

  it('of a market that has been quiet for long begins a week before it was last answered', () => {
    const quiet = { from: FROM, to: NOW - 20 * DAY_MS, asked_at: NOW - HOUR_MS, held: false };
    const from = quiet.asked_at - 7 * DAY_MS - 2 * HOUR_MS;
    expect(historySpan(market(), FROM, quiet, NOW)).toEqual({ from, to: NOW });
    // No answer came since, or a row was left out.
    const end = quiet.to - 2 * HOUR_MS;
    expect(historySpan(market(), FROM, { ...quiet, asked_at: quiet.to }, NOW)?.from).toBe(end);
    expect(historySpan(market(), FROM, { ...quiet, held: true }, NOW)?.from).toBe(end);
  });

  it('is the whole history when definitions want an earlier start', () => {
    const known = { from: FROM, to: NOW, asked_at: NOW, held: false };
    expect(historySpan(market(), FROM - DAY_MS, known, NOW)?.from).toBe(FROM - DAY_MS);
  });

  it('is empty while the hour is under way', () => {
    const known = { from: FROM, to: NOW, asked_at: NOW, held: false };
    expect(historySpan(market(), FROM, known, NOW + HOUR_MS - 1)).toBeUndefined();
    expect(historySpan(market(), FROM, known, NOW + HOUR_MS)).toBeDefined();
  });

  it('of a settled market is requested until a day later, without hours after its last candle', () => {
    const settled_at = NOW - 10 * DAY_MS;
    const settled = market({ status: 'settled', settled_at });
    expect(historySpan(settled, FROM, undefined, NOW)?.to).toBe(settled_at + 2 * HOUR_MS);
    const asked = (asked_at: number) => ({ from: FROM, to: settled_at - DAY_MS, asked_at, held: false });
    expect(historySpan(settled, FROM, asked(settled_at + HOUR_MS), NOW)).toBeDefined();
    expect(historySpan(settled, FROM, asked(NOW), NOW)).toBeUndefined();
  });

  it('of a settled market is requested again when definitions want an earlier start, or a row was left out', () => {
    const settled_at = NOW - 10 * DAY_MS;
    const settled = market({ status: 'settled', settled_at });
    const known = { from: FROM, to: settled_at - DAY_MS, asked_at: NOW, held: false };
    const whole = { from: FROM - DAY_MS, to: settled_at + 2 * HOUR_MS };
    expect(historySpan(settled, FROM - DAY_MS, known, NOW)).toEqual(whole);
    expect(historySpan(settled, FROM, { ...known, held: true }, NOW)?.from).toBe(known.to - 2 * HOUR_MS);
  });

  it('takes an empty answer as neither the end nor the beginning of what is known', () => {
    const asked = { from: FROM, to: NOW };
    const empty = { newest: undefined, heldAt: undefined };
    expect(historyKnownAfter(asked, empty, undefined, NOW)).toBeUndefined();
    const known = { from: FROM, to: NOW - DAY_MS, asked_at: NOW - DAY_MS, held: false };
    expect(historyKnownAfter(asked, empty, known, NOW)).toEqual({ ...known, asked_at: NOW });
    const earlier = { from: FROM - DAY_MS, to: NOW };
    expect(historyKnownAfter(earlier, empty, known, NOW)).toEqual({ ...known, asked_at: NOW });
  });

  it('includes a row that was left out once more, and then moves on', () => {
    const asked = { from: FROM, to: NOW };
    const answer = { newest: NOW, heldAt: NOW - DAY_MS };
    const first = historyKnownAfter(asked, answer, undefined, NOW);
    expect(first).toEqual({ from: FROM, to: NOW - DAY_MS, asked_at: NOW, held: true });
    const second = historyKnownAfter({ from: NOW - DAY_MS, to: NOW }, answer, first, NOW);
    expect(second).toEqual({ from: FROM, to: NOW, asked_at: NOW, held: false });
  });

  it('goes back to a row that was left out for an earlier start', () => {
    const known = { from: FROM, to: NOW, asked_at: NOW, held: false };
    const heldAt = FROM - HOUR_MS;
    expect(historyKnownAfter({ from: FROM - DAY_MS, to: NOW }, { newest: NOW, heldAt }, known, NOW)).toEqual({
      ...known,
      from: FROM - DAY_MS,
      to: heldAt,
      held: true,
    });
  });

  it('joins the answers to its parts, in whatever order they came, once none is missing', () => {
    const part = (from: number, to: number, newest?: number, heldAt?: number) => ({
      asked: { from, to },
      answer: { newest, heldAt },
    });
    const [first, second, third] = [part(0, 10, 9, 7), part(10, 20, 19, 12), part(18, 40)];
    const whole = { from: 1, to: 30 };
    expect(joinAnswers(whole, [third, first])).toBeUndefined();
    expect(joinAnswers(whole, [first, second])).toBeUndefined();
    expect(joinAnswers(whole, [second, third])).toBeUndefined();
    expect(joinAnswers(whole, [third, first, second])).toEqual({ newest: 19, heldAt: 7 });
    expect(joinAnswers({ from: 20, to: 40 }, [third])).toEqual({ newest: undefined, heldAt: undefined });
  });
});
