import { expect, it } from 'vitest';
import type { IndexPrint, RatePrint, ReceiptLine } from '../../src/model/print.ts';
import { DAY_MS, MINUTE_MS } from '../../src/model/time.ts';
import { indexConfidence, rateConfidence } from '../../src/routes/confidence-body.ts';

const AT = Date.parse('2026-11-02T15:00:00Z');

const name = (market_id: string, rest: Partial<ReceiptLine>): ReceiptLine => ({
  market_id,
  state: 'included',
  weight: 0.5,
  quantity: 100,
  price: 0.5,
  basis: 'mid',
  observed_at: AT - 90_500,
  spread: 0.04,
  ...rest,
});

it('an index shows its coverage, effective names, the age of its oldest input and the median spread in cents', () => {
  const print: IndexPrint = {
    at: AT,
    level: 1000,
    divisor: 1,
    cash: 0,
    coverage: 0.8,
    methodology_version: 'basket-1.2',
    lines: [
      name('venue_a:A', {}),
      name('venue_a:B', { spread: 0.02, observed_at: AT - MINUTE_MS }),
      name('venue_a:C', {
        state: 'excluded',
        basis: 'held',
        weight: 0,
        observed_at: 0,
        exclude_reason: 'no_book',
      }),
    ],
  };
  expect(indexConfidence(print, AT)).toEqual({
    grade: 'B',
    coverage: 0.8,
    effective_names: 2,
    oldest_input_age_seconds: 90,
    median_spread: 3,
  });
});

it('a rate that rests on outcomes alone has neither an age nor a spread', () => {
  const paid = name('venue_a:A', { weight: 1, price: 1, basis: 'settlement', observed_at: AT - DAY_MS });
  const { spread: _none, ...line } = paid;
  const print: RatePrint = { at: AT, price: 1, spread: 0, methodology_version: 'rates-1.0', lines: [line] };
  const shown = JSON.parse(JSON.stringify(rateConfidence(print, AT)));
  expect(shown).toEqual({ grade: 'B', effective_sources: 1 });
});
