import type { Family } from './platform.ts';
import { addDays, easternDay } from './time.ts';
import type { EasternDay, Instant } from './units.ts';

/** The lists that filings are read from, of each registry. */
export const REGISTRY_FEEDS = {
  cftc: ['ptc_dcm_rules', 'dcm_products', 'dco', 'dco_rules'],
} as const;
export const FILING_FEEDS = Object.values(REGISTRY_FEEDS).flat();
export type FilingFeed = (typeof FILING_FEEDS)[number];

/** The organizations that file the contract terms of each venue, named as in the registry's lists. */
export const FILERS: readonly { family: Family; organizations: readonly string[] }[] = [
  { family: 'venue_a', organizations: ['KEX', 'KalshiEX', 'KalshiEX LLC'] },
];

/** What can happen to a filing. */
export const FILING_CHANGE_KINDS = ['received', 'status_changed', 'documents_added'] as const;
export type FilingChangeKind = (typeof FILING_CHANGE_KINDS)[number];

/** The public tier shows filings whose status date is at most this many days ago. */
const PUBLIC_DAYS = 90;

/** The first status date that the public tier shows. */
export function publicFilingsSince(now: Instant): EasternDay {
  return addDays(easternDay(now), -PUBLIC_DAYS);
}

/**
 * A filing as its registry lists it. Days are the registry's own dates, `YYYY-MM-DD`, without a time zone. Absent
 * fields were absent in the list.
 */
export interface Filing {
  /** The registry's own number, one sequence over all its lists. No two registries may give the same number. */
  filing_id: number;
  feed: FilingFeed;
  /** The organization that filed. */
  org: string;
  /** The title to show: the filing's description, product, remarks or organization. */
  title: string;
  description?: string;
  product_name?: string;
  product_type?: string;
  category?: string;
  subcategory?: string;
  products_affected?: string;
  remarks?: string;
  received_day?: string;
  /** In the registry's own words. */
  status: string;
  /** The day of the current status. */
  status_day?: string;
  /** Number of attachments according to the list. */
  document_count?: number;
  /** The page of the filing at the registry. */
  source_url: string;
}

/** An attachment as listed on the filing's page. */
export interface FilingDocument {
  url: string;
  title: string;
  /** Digest of its bytes in hexadecimal, in a change that was seen in them. */
  sha256?: string;
}

/** A row of the change feed: an observed change of a filing. Never changed once written. */
export interface FilingChange {
  seq: number;
  kind: FilingChangeKind;
  filing_id: number;
  feed: FilingFeed;
  observed_at: Instant;
  /** The registry's own date of the change; null if it gives none. */
  day: string | null;
  /** The status after the change. */
  status: string;
  /** The status before the change; null for kinds other than `status_changed`. */
  status_before: string | null;
  /** The added attachments; empty for other kinds. */
  documents: FilingDocument[];
  /** True for a filing found before the registry was first read completely, which may be old. */
  backfill: boolean;
}
