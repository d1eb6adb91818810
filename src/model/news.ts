import type { Instant } from './units.ts';

/** An article as a news feed lists it. Absent fields were absent in the feed. */
export interface NewsArticle {
  /** Derived from the address, so that an article has the same id in all feeds. */
  news_id: string;
  /** Without fragment and tracking parameters. */
  url: string;
  /** The configured name of the feed that listed it first. */
  source: string;
  title: string;
  /** Without markup. */
  summary?: string;
  author?: string;
  published_at?: Instant;
}
