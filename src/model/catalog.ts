import type { Family } from './platform.ts';
import type { Instant, Probability } from './units.ts';

/**
 * Where a contract is in its life. `closed` means past its close and without an outcome; `determined` has an
 * outcome that can still be disputed; `settled` is final. `paused` and `disputed` still show a price.
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

/** What a volume counts. */
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
  /** Volume and open interest as the venue states them for the event; else they are summed over markets. */
  volume?: number;
  open_interest?: number;
}

/** What a venue's recurring events have in common. Absent fields were absent at the venue. */
export interface CatalogSeries {
  series_id: string;
  family: Family;
  native_id: string;
  title: string;
  category?: string;
  tags: string[];
  settlement_sources: { name?: string; url?: string }[];
  /** The certification of the product as it was filed, and the terms of its contracts. */
  contract_url?: string;
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
  /** What the venue names the page of the event by; venue A has none of an event, but of its series. */
  event_slug?: string;
  rules_primary?: string;
  yes_sub_title?: string;
  market_type?: string;
  status: MarketStatus;
  /** The venue's own word, kept because a new one may mean what `status` cannot say. */
  venue_status: string;
  /** The id under which the venue keeps the Yes side's price history, where it is not the native id. */
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

/** A status that a market was seen in; it stands until the next. */
export interface SeenStatus {
  observed_at: Instant;
  status: MarketStatus;
  settled_at: Instant | null;
  payout: Probability | null;
  /** When trading was to end, as the venue said then. */
  closes_at: Instant | null;
}
