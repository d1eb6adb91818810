import type { MarketStatus } from '../../../model/catalog.ts';
import type { Market } from './wire.ts';

/**
 * The venue's words for a contract's status. Trading is halted while it is HALTED (paused), CLOSED or RESOLVING.
 * RESOLVED has an outcome, but another route gives the payout; until that is fetched it is determined. The venue has
 * no word for a dispute.
 */
const STATUSES: ReadonlyMap<string, MarketStatus> = new Map([
  ['MARKET_STATUS_OPEN', 'active'],
  ['MARKET_STATUS_HALTED', 'paused'],
  ['MARKET_STATUS_CLOSED', 'closed'],
  ['MARKET_STATUS_RESOLVING', 'closed'],
  ['MARKET_STATUS_RESOLVED', 'determined'],
]);

/**
 * The status of a contract and the venue's own word for it. If the word is unknown the flags decide, and a contract
 * that is neither closed nor inactive counts as active only while somebody quotes.
 */
export function statusOf(row: Market, quoted: boolean): { status: MarketStatus; venue_status: string } {
  const venue_status = row.status ?? (row.closed ? 'closed' : 'unspecified');
  const known = STATUSES.get(venue_status);
  if (known !== undefined) return { status: known, venue_status };
  if (row.closed) return { status: 'closed', venue_status };
  if (row.active === false) return { status: 'unopened', venue_status };
  return { status: quoted ? 'active' : 'paused', venue_status };
}
