import { PLATFORMS, type Platform } from './platform.ts';
import type { RelatedText } from './related-text.ts';
import type { Instant } from './units.ts';

/** The sorts of records that have neighbours. */
export type RelationSort = 'market' | 'rate' | 'filing' | 'news';

/**
 * Groups of texts. Neighbours are stored for each group separately, so that those from a venue, the news or the filings
 * take one look-up each, and recent filings are not displaced by nearer older ones. Rates and markets that do not trade
 * have neighbours, but are not neighbours of others; settled markets keep the neighbours they had.
 */
export const TEXT_GROUPS = {
  venue_a: 0,
  venue_b: 1,
  venue_c: 2,
  news: 3,
  older_filing: 4,
  rate: 5,
  not_trading: 6,
  settled: 7,
  recent_filing: 8,
} as const satisfies Readonly<Record<Platform, number>> & Readonly<Record<string, number>>;
export type TextGroup = keyof typeof TEXT_GROUPS;

/** The filings that the public tier shows, and those with an older status date. */
export const FILING_GROUPS = ['recent_filing', 'older_filing'] as const satisfies readonly TextGroup[];

/** The groups in which each sort of record has neighbours. */
export const NEIGHBOUR_GROUPS: Readonly<Record<RelationSort, readonly TextGroup[]>> = {
  market: [...PLATFORMS, 'news', ...FILING_GROUPS],
  rate: ['news', ...FILING_GROUPS],
  filing: [...PLATFORMS, 'news', ...FILING_GROUPS],
  news: FILING_GROUPS,
};

/** The groups that the texts of each sort of record can be in, as long as they are compared. */
export const GROUPS_OF_SORT: Readonly<Record<RelationSort, readonly TextGroup[]>> = {
  market: [...PLATFORMS, 'not_trading'],
  rate: ['rate'],
  filing: FILING_GROUPS,
  news: ['news'],
};

/** A record with its text to compare. */
export interface RelationRecord {
  sort: RelationSort;
  record_id: string;
  group: TextGroup;
  text: RelatedText;
  /** When an article was published, or when a market or the first source of a rate was listed. Absent if unknown. */
  at?: Instant | undefined;
  /** Whether only an organization may read it. */
  isPrivate?: boolean;
}
