import { expect, it } from 'vitest';
import { ratePayout } from '../../src/methodology/rate-payout.ts';
import { rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { rate } from '../helpers/hand-definitions.ts';

const payouts: Record<string, number> = { A: 1, B: 0, C: 0.5 };
const settledAt: Record<string, number> = { B: 9 };
const view = (id: string) => {
  const name = id.replace('venue_a:', '');
  const payout = payouts[name];
  return payout === undefined
    ? undefined
    : { status: 'settled' as const, paid: { payout, at: settledAt[name] ?? 7 } };
};
const payoutOf = (methodology: string, sources: object[], more: object = {}) =>
  ratePayout(
    rateDefinition.parse(rate('R', [], { methodology, start_at: '2026-01-01', sources, ...more })),
    view,
  );
const source = (name: string, more: object = {}) => ({ market_id: `venue_a:${name}`, ...more });

it('a rate pays what its sources pay, by catalog share, once all have settled', () => {
  const sources = [source('A', { weight: 3 }), source('B')];
  expect(payoutOf('simple_average', sources)).toEqual({ payout: 0.75, at: 9 });
  expect(payoutOf('simple_average', [...sources, source('OPEN')])).toBeUndefined();
});

it('a win total pays what its own line pays, read from either side; a chain what its last contract pays', () => {
  const ladder = [
    source('A', { line: 40 }),
    source('B', { line: 45, side: 'no' }),
    source('OPEN', { line: 50 }),
  ];
  expect(payoutOf('win_total', ladder, { team: 'T', line: 45 })?.payout).toBe(1);
  const chain = [source('A', { roll_at: '2026-02-01' }), source('C')];
  expect(payoutOf('rolling', chain, { roll: { kind: 'step_change' } })?.payout).toBe(0.5);
});
