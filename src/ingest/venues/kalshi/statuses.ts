import type { MarketStatus } from '../../../model/catalog.ts';
import type { Probability } from '../../../model/units.ts';
import { shown } from '../../wire/shown.ts';
import { priceOf } from './prices.ts';
import type { Market } from './wire.ts';

/**
 * Kalshi's words for a contract's status. Trading is halted while it is `inactive` (paused), `closed`, `determined` or
 * `amended`; `disputed` is disputed.
 */
const STATUSES: ReadonlyMap<string, MarketStatus> = new Map([
  ['initialized', 'unopened'],
  ['active', 'active'],
  ['inactive', 'paused'],
  ['closed', 'closed'],
  ['determined', 'determined'],
  ['amended', 'determined'],
  ['disputed', 'disputed'],
  ['finalized', 'settled'],
  // The words of the list's filter, which older answers also have in their rows.
  ['unopened', 'unopened'],
  ['open', 'active'],
  ['paused', 'paused'],
  ['settled', 'settled'],
]);

/**
 * The status of a contract and, once it is final, what its Yes side pays: the settlement value, which is all that a
 * scalar result has, else by the result. A final contract with neither is not yet settled. An unknown word counts as
 * active only while somebody quotes, else as paused.
 */
export function statusOf(
  row: Market,
  quoted: boolean,
): { status: MarketStatus; payout: Probability | undefined } {
  const status = STATUSES.get(row.status) ?? (quoted ? 'active' : 'paused');
  if (status !== 'settled') return { status, payout: undefined };
  const payout = settlementValue(row) ?? paysByResult(row);
  return { status: payout === undefined ? 'determined' : 'settled', payout };
}

/** Why a final contract's outcome is not believed; undefined unless its result contradicts its settlement value. */
export function outcomeDoubt(row: Market): string | undefined {
  if (STATUSES.get(row.status) !== 'settled') return undefined;
  const [value, pays] = [settlementValue(row), paysByResult(row)];
  if (value === undefined || pays === undefined || value === pays) return undefined;
  return `result must be that of a contract that pays ${value}, got ${shown(row.result)}`;
}

/** What the Yes side pays by the result alone; undefined where a floor keeps it from losing everything. */
function paysByResult({ result, settlement_bounds_type }: Market): Probability | undefined {
  if (settlement_bounds_type === 'floor') return undefined;
  return result === 'yes' ? 1 : result === 'no' ? 0 : undefined;
}

function settlementValue(row: Market): Probability | undefined {
  return priceOf(row.settlement_value_dollars, row.settlement_value);
}
