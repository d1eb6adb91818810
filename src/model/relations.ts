import type { RelatedText } from './related-text.ts';
import type { Instant } from './units.ts';

/** Records that have neighbours. */
export type RelationSort = 'market' | 'rate' | 'filing' | 'news';

/**
 * Groups of texts. Neighbours are kept for each group by itself, so that a venue's, the news and the filings are
 * one look-up each, and recent filings have their places however many older ones are nearer. Rates and markets that do
 * not trade have neighbours but are nobody's neighbour; settled markets keep those that they had.
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
} as const;
export type TextGroup = keyof typeof TEXT_GROUPS;

/** Filings that the public tier shows, and those that have a status of before. */
export const FILING_GROUPS = ['recent_filing', 'older_filing'] as const satisfies readonly TextGroup[];

/** The groups in which the neighbours of each sort of record are kept. */
export const NEIGHBOUR_GROUPS: Readonly<Record<RelationSort, readonly TextGroup[]>> = {
  market: ['venue_a', 'venue_b', 'venue_c', 'news', ...FILING_GROUPS],
  rate: ['news', ...FILING_GROUPS],
  filing: ['venue_a', 'venue_b', 'venue_c', 'news', ...FILING_GROUPS],
  news: FILING_GROUPS,
};

/** The groups that the texts of each sort of record are in, as long as they take part in comparing. */
export const GROUPS_OF_SORT: Readonly<Record<RelationSort, readonly TextGroup[]>> = {
  market: ['venue_a', 'venue_b', 'venue_c', 'not_trading'],
  rate: ['rate'],
  filing: FILING_GROUPS,
  news: ['news'],
};

/** A record as similarity reads it. */
export interface RelationRecord {
  sort: RelationSort;
  record_id: string;
  group: TextGroup;
  text: RelatedText;
  /** When an article came out; when a market, or the first source of a rate, was listed. Absent where nobody says. */
  at?: Instant | undefined;
}
