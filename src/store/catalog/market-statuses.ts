import type { CatalogMarket, MarketStatus } from '../../model/catalog.ts';
import type { Instant } from '../../model/units.ts';
import { RowInsertion } from '../many-rows.ts';
import { noteLateInput, recordingInstant } from '../restatements.ts';
import type { Reader, Value, Writer } from '../store.ts';

/** The lifecycle of a market: its status, when it settled, and its payout. */
export interface MarketLife {
  status: MarketStatus;
  settled_at: Instant | null;
  payout: number | null;
}

/** A market that was just written, with its state before. */
export interface WrittenMarket {
  market_key: number;
  market: CatalogMarket;
  /** Undefined for a new market. */
  before: MarketLife | undefined;
}

const statusRows = new RowInsertion({
  table: 'market_statuses',
  columns: ['market_key', 'status', 'settled_at', 'payout', 'closes_at'],
  constant: ['observed_at'],
  otherwise: `ON CONFLICT (market_key, observed_at) DO UPDATE SET
    status = excluded.status, settled_at = excluded.settled_at, payout = excluded.payout,
    closes_at = excluded.closes_at`,
});

/**
 * Records the state of the markets whose status, settlement instant or payout changed. Prints are restated when an
 * outcome arrives late, changes or is withdrawn. If only the instant of settlement moved, prints before the new instant
 * stay as they are, since the venue may report the old one again.
 */
export function noteStatuses(writer: Writer, written: readonly WrittenMarket[], seenAt: Instant): void {
  const rows: Value[] = [];
  for (const { market_key, market, before } of written) {
    if (before && standsAs(before, market)) continue;
    const last = before && findLastStatus(writer, market_key);
    if (last && standsAs(last, market)) continue;
    const { status, settled_at = null, payout = null, closes_at = null } = market;
    const stays = status === 'settled' && last?.payout === payout;
    const since = Math.min(
      paidSince({ status, settled_at, payout, observed_at: seenAt }),
      last && !stays ? paidSince(last) : NEVER,
    );
    if (since < seenAt) noteLateInput(writer, market_key, since, 'late_settlement');
    rows.push(market_key, status, settled_at, payout, closes_at);
  }
  statusRows.insert(writer, rows, [recordingInstant(writer, seenAt)]);
}

type Seen = MarketLife & { observed_at: Instant };

const NEVER: Instant = Number.POSITIVE_INFINITY;

/** The instant from which an outcome counts; {@link NEVER} when there is none. */
function paidSince({ status, settled_at, payout, observed_at }: Seen): Instant {
  return status === 'settled' && payout !== null ? (settled_at ?? observed_at) : NEVER;
}

function findLastStatus(reader: Reader, marketKey: number): Seen | undefined {
  return reader.get(
    `SELECT status, settled_at, payout, observed_at FROM market_statuses WHERE market_key = +?
     ORDER BY observed_at DESC LIMIT 1`,
    marketKey,
  );
}

function standsAs(before: MarketLife | undefined, market: CatalogMarket): boolean {
  const { status, settled_at = null, payout = null } = market;
  return before?.status === status && before.settled_at === settled_at && before.payout === payout;
}
