import type { Family } from './platform.ts';
import type { Instant, Probability } from './units.ts';

/**
 * The lifecycle of a contract. `closed`: past its close, without an outcome; `determined`: with an outcome that can
 * still be disputed; `settled`: final. `paused` and `disputed` contracts still show a price.
 */
export const MARKET_STATUSES = [
  'unopened',
  'active',
  'paused',
  'closed',
  'determined',
  'disputed',
  'settled',
] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

/** The statuses of a contract that trades or will: from its close on it only waits for its outcome. */
export const LIVE_STATUSES: ReadonlySet<MarketStatus> = new Set(['unopened', 'active', 'paused']);

type VolumeUnit = 'contracts' | 'shares' | 'usd';

/** A group of markets as its venue lists it. Absent fields were absent at the venue. */
export interface CatalogEvent {
  event_id: string;
  family: Family;
  native_id: string;
  title: string;
  slug?: string;
  series?: string;
  category?: string;
  description?: string;
  listed_at?: Instant;
  closes_at?: Instant;
  /** Volume and open interest as the venue states them for the event; when absent, those of the markets are summed. */
  volume?: number;
  open_interest?: number;
}

/** A series of recurring events of a venue. Absent fields were absent at the venue. */
export interface CatalogSeries {
  series_id: string;
  family: Family;
  native_id: string;
  title: string;
  category?: string;
  tags: string[];
  settlement_sources: { name?: string; url?: string }[];
  /** Address of the certification of the product as it was filed. */
  contract_url?: string;
  /** Address of the terms of its contracts. */
  contract_terms_url?: string;
}

/** A contract as its venue lists it. Absent fields were absent at the venue. */
export interface CatalogMarket {
  market_id: string;
  event_id?: string;
  family: Family;
  native_id: string;
  question: string;
  description?: string;
  slug?: string;
  /** The slug of the event's page at the venue; for venue A that of the series, since events have none. */
  event_slug?: string;
  rules_primary?: string;
  yes_sub_title?: string;
  market_type?: string;
  status: MarketStatus;
  /** The venue's own status, kept because a new one may have no equivalent in `status`. */
  venue_status: string;
  /** The venue's id for the price history of the Yes side, if it differs from the native id. */
  price_token?: string;
  listed_at?: Instant;
  opens_at?: Instant;
  closes_at?: Instant;
  settled_at?: Instant;
  /** What the Yes side pays: 1, 0, or a fraction for a scalar or void outcome. */
  payout?: Probability;
  volume?: number;
  volume_unit?: VolumeUnit;
  open_interest?: number;
}

/** A status that a market was seen in, which holds until the next. */
export interface SeenStatus {
  observed_at: Instant;
  status: MarketStatus;
  settled_at: Instant | null;
  payout: Probability | null;
  /** When trading was to end, according to the venue at the time. */
  closes_at: Instant | null;
}
