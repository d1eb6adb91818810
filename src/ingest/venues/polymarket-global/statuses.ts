import type { MarketStatus } from '../../../model/catalog.ts';
import type { Probability } from '../../../model/units.ts';
import { numberOf } from '../../wire/wire-numbers.ts';
import type { ClobMarket, GammaMarket } from './wire.ts';

/** A contract's status and payout, as the venue's flags say. */
export interface Life {
  status: MarketStatus;
  venue_status: string;
  payout: Probability | undefined;
}

const RESOLVED: ReadonlySet<string> = new Set(['resolved', 'settled']);
const UNDECIDED: ReadonlySet<string> = new Set(['requested', 'proposed', 'disputed']);

/**
 * The status of a Gamma market. While orders are not accepted it is halted: paused; closed once its outcome was
 * requested; or determined once an outcome was proposed or decided, which may happen before the venue closes the market
 * or even before it opens, as for a spare candidate slot that was never needed. A disputed outcome makes it disputed,
 * traded or not. A market of the newer protocol says itself whether it is resolved. Unknown words are ignored.
 *
 * @param yes position of the Yes side among its outcomes
 */
export function lifeOf(row: GammaMarket, yes: 0 | 1): Life {
  const word = row.umaResolutionStatus ?? row.resolutionStatus;
  const resolved = RESOLVED.has(row.umaResolutionStatus ?? '') || RESOLVED.has(row.resolutionStatus ?? '');
  const undecided = UNDECIDED.has(word ?? '') || (row.version === 'v2' && row.resolutionStatus !== undefined);
  const payout = row.closed ? payoutOf(row.outcomePrices, yes, resolved, undecided) : undefined;
  const status = payout === undefined ? statusOf(row, word, resolved) : 'settled';
  return { status, venue_status: word ?? plainWord(row), payout };
}

/** The flags that both lists of markets have. */
type Flags = Pick<GammaMarket, 'active' | 'closed' | 'archived' | 'acceptingOrders'>;

function statusOf(row: Flags, word: string | undefined, resolved: boolean): MarketStatus {
  if (word === 'disputed') return 'disputed';
  if (row.closed || row.archived) return 'closed';
  if (row.active === false) return resolved ? 'determined' : 'unopened';
  if (row.acceptingOrders !== false) return 'active';
  if (word === 'proposed' || resolved) return 'determined';
  return word === 'requested' ? 'closed' : 'paused';
}

function plainWord(row: Flags): string {
  if (row.closed) return 'closed';
  if (row.archived) return 'archived';
  if (row.active === false) return 'inactive';
  return row.acceptingOrders === false ? 'not accepting orders' : 'active';
}

/**
 * The payout of the Yes side of a closed market. Prices of 1 and 0 are an outcome unless it is still being decided;
 * two halves are one only if the market is resolved. Closed markets keep showing their last prices, even resolved ones
 * for a while, so other fractions mean nothing, and neither do two zeros: the data host knows these payouts.
 */
function payoutOf(
  prices: readonly unknown[] | undefined,
  yes: 0 | 1,
  resolved: boolean,
  undecided: boolean,
): Probability | undefined {
  if (prices?.length !== 2) return undefined;
  const [paid, left] = [numberOf(prices[yes], 1), numberOf(prices[1 - yes], 1)];
  if (paid === undefined || left === undefined || Math.abs(paid + left - 1) >= 1e-9) return undefined;
  const whole = paid === 0 || paid === 1;
  if (!whole && paid !== 0.5) return undefined;
  return resolved || (whole && !undecided) ? paid : undefined;
}

/** The status of a market of the CLOB's listing, which has winners and 50-50 outcomes but no disputes. */
export function lifeOfListed(row: ClobMarket, yes: 0 | 1): Life {
  const payout = row.closed ? listedPayout(row, yes) : undefined;
  const flags = { ...row, acceptingOrders: row.accepting_orders };
  const status = payout === undefined ? statusOf(flags, undefined, false) : 'settled';
  return { status, venue_status: plainWord(flags), payout };
}

function listedPayout({ tokens, is_50_50_outcome }: ClobMarket, yes: 0 | 1): Probability | undefined {
  const won = tokens[yes]?.winner;
  const lost = tokens[1 - yes]?.winner;
  if (won && lost) return undefined;
  if (won) return 1;
  if (lost) return 0;
  if (is_50_50_outcome) return 0.5;
  // Markets of the venue's first years were resolved without a winner being noted; only their prices tell.
  const prices = tokens.map((token) => token.price);
  return payoutOf(prices, yes, false, false);
}
