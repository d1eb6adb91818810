import type { NewsArticle } from '../model/news.ts';
import type { Instant } from '../model/units.ts';
import { bind, type RowOf } from './row-values.ts';
import type { Reader, Writer } from './store.ts';

const COLUMNS = [
  'news_id',
  'url',
  'source',
  'title',
  'summary',
  'author',
  'published_at',
] as const satisfies readonly (keyof NewsArticle)[];

export type NewsRow = RowOf<NewsArticle, (typeof COLUMNS)[number]> & {
  /** Grows by 1 whenever the feed changes the article. */
  revision: number;
  first_seen_at: Instant;
  last_seen_at: Instant;
};

const UPSERT = `INSERT INTO news_articles (${COLUMNS.join(', ')}, revision, first_seen_at, last_seen_at, digest)
  VALUES (${COLUMNS.map((each) => `@${each}`).join(', ')}, 1, @seen_at, @seen_at, @digest)
  ON CONFLICT (news_id) DO UPDATE SET ${COLUMNS.map((each) => `${each} = excluded.${each}`).join(', ')},
    revision = revision + 1, last_seen_at = max(last_seen_at, excluded.last_seen_at), digest = excluded.digest`;

/**
 * Inserts or updates an article. It belongs to the feed that listed it first; when another feed lists it, only
 * `last_seen_at` changes.
 *
 * @returns true when it is new or has changed
 */
export function upsertArticle(writer: Writer, article: NewsArticle, seenAt: Instant): boolean {
  const { row, digest } = bind(COLUMNS, article);
  const known = writer.get<{ source: string; digest: Buffer }>(
    'SELECT source, digest FROM news_articles WHERE news_id = ?',
    article.news_id,
  );
  if (known && (known.source !== article.source || known.digest.equals(digest))) {
    const sql = 'UPDATE news_articles SET last_seen_at = max(last_seen_at, ?) WHERE news_id = ?';
    writer.run(sql, seenAt, article.news_id);
    return false;
  }
  writer.run(UPSERT, { ...row, seen_at: seenAt, digest });
  return true;
}

/** An article by its id, or undefined. */
export function findArticle(reader: Reader, newsId: string): NewsRow | undefined {
  return reader.reading('article', newsId, () =>
    reader.get<NewsRow>('SELECT * FROM news_articles WHERE news_id = ?', newsId),
  );
}
