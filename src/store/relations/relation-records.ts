import { hash } from 'node:crypto';
import type { MarketStatus } from '../../model/catalog.ts';
import { given } from '../../model/given.ts';
import { type Family, platformOf } from '../../model/platform.ts';
import type { RelatedText } from '../../model/related-text.ts';
import { type RelationRecord, TEXT_GROUPS } from '../../model/relations.ts';
import type { Instant } from '../../model/units.ts';
import type { MarketRow } from '../catalog/catalog.ts';
import { listRateDefinitions } from '../definitions/definitions.ts';
import type { Reader, Writer } from '../store.ts';

interface MarketText {
  market_id: string;
  family: Family;
  status: MarketStatus;
  question: string;
  yes_sub_title: string | null;
  closes_at: number | null;
  at: number | null;
  event_title: string | null;
}

/** Digest of a text, by which unchanged texts are recognised. */
export function textDigest(text: RelatedText): Buffer {
  return hash('sha1', JSON.stringify(text), 'buffer');
}

/**
 * Adds filings that have become recent, or old, to the changed records. Cost: one pass over all filings.
 *
 * @param since the first status date of recent filings
 */
export function noteMovedFilings(writer: Writer, since: string): void {
  writer.run(
    `INSERT INTO changed_texts (sort, record_id)
     SELECT sort, record_id FROM relation_texts CROSS JOIN filings ON filing_id = CAST(record_id AS INTEGER)
     WHERE sort = 'filing'
       AND text_group <> iif(status_day >= ?, ${TEXT_GROUPS.recent_filing}, ${TEXT_GROUPS.older_filing})
     ON CONFLICT DO NOTHING`,
    since,
  );
}

/** Size limit of a batch of changed records. */
const NEXT = 4_000;

/** The next batch of changed records, as a table in SQL. */
export const NEXT_CHANGED = `(SELECT sort, record_id FROM changed_texts ORDER BY sort, record_id LIMIT ${NEXT})`;

/** Which records are listed: all, rates and all changed records, or rates and the next batch of changed records. */
type Which = 'all' | 'changed' | 'next';

/**
 * The records that have neighbours with the texts to compare, ordered by sort and id.
 *
 * @param filingsSince the first status date of recent filings
 */
export function* eachRelationRecord(
  reader: Reader,
  which: Which = 'all',
  filingsSince = '',
): Generator<RelationRecord> {
  yield* eachMarket(reader, which);
  for (const { definition } of listRateDefinitions(reader)) {
    const { ticker, name, sources, visibility } = definition;
    const at = firstListed(reader, sources);
    const isPrivate = visibility !== 'public';
    yield { sort: 'rate', record_id: ticker, group: 'rate', text: { text: name }, at, isPrivate };
  }
  yield* eachFiling(reader, which, filingsSince);
  yield* eachArticle(reader, which);
}

/**
 * Removes the next batch from the changed records, after it was handled.
 *
 * @returns whether there may be more
 */
export function passNextChanged(writer: Writer): boolean {
  const { changes } = writer.run(`DELETE FROM changed_texts WHERE (sort, record_id) IN ${NEXT_CHANGED}`);
  return changes === NEXT;
}

/** The table for a FROM clause, limited to changed records; the cross join makes SQLite start from these. */
function changedFirst(which: Which, sort: 'market' | 'filing' | 'news', table: string, id: string): string {
  return which === 'all'
    ? table
    : `${which === 'next' ? NEXT_CHANGED : 'changed_texts'} AS changed
       CROSS JOIN ${table} ON changed.sort = '${sort}' AND ${table}.${id} = changed.record_id`;
}

const LISTED = 'coalesce(markets.listed_at, markets.opens_at)';

/** Settled markets are no longer compared and keep their neighbours. */
function* eachMarket(reader: Reader, which: Which): Generator<RelationRecord> {
  const rows = reader.iterate<MarketText>(
    `SELECT market_id, markets.family, status, question, yes_sub_title, markets.closes_at, ${LISTED} AS at,
       events.title AS event_title
     FROM ${changedFirst(which, 'market', 'markets', 'market_id')} LEFT JOIN events USING (event_id) WHERE status <> 'settled' ORDER BY market_id`,
  );
  for (const row of rows)
    yield {
      sort: 'market',
      record_id: row.market_id,
      group: row.status === 'active' ? platformOf(row.family) : 'not_trading',
      text: textOf(row),
      at: row.at ?? undefined,
    };
}

/** When the first of some markets was listed; undefined unless it is known for all of them. */
function firstListed(reader: Reader, markets: readonly { market_id: string }[]): Instant | undefined {
  const sql = `SELECT ${LISTED} FROM markets WHERE market_id = ?`;
  const known = markets.flatMap(({ market_id }) => reader.value<Instant>(sql, market_id) ?? []);
  return known.length > 0 && known.length === markets.length ? Math.min(...known) : undefined;
}

/** The text of a market that is compared. */
export function marketText(reader: Reader, market: MarketRow): RelatedText {
  const title = reader.value<string>('SELECT title FROM events WHERE event_id = ?', market.event_id);
  return textOf({ ...market, event_title: title ?? null });
}

function textOf(
  row: Pick<MarketText, 'question' | 'yes_sub_title' | 'event_title' | 'closes_at'>,
): RelatedText {
  return {
    text: row.question.slice(0, LONGEST),
    ...given({
      outcome: row.yes_sub_title?.slice(0, LONGEST),
      context: row.event_title?.slice(0, LONGEST),
      closes_at: row.closes_at,
    }),
  };
}

interface FilingText {
  filing_id: number;
  status_day: string | null;
  title: string;
  description: string | null;
  product_name: string | null;
  product_type: string | null;
  products_affected: string | null;
  remarks: string | null;
}

/** The text of a filing is its title and product name; its other fields are the context. */
function* eachFiling(reader: Reader, which: Which, since: string): Generator<RelationRecord> {
  const rows = reader.iterate<FilingText>(
    `SELECT filing_id, status_day, title, description, product_name, product_type, products_affected, remarks
     FROM ${changedFirst(which, 'filing', 'filings', 'filing_id')} ORDER BY filing_id`,
  );
  for (const row of rows) {
    const subject = distinct([row.title, row.product_name]);
    const rest = distinct([row.description, row.products_affected, row.remarks, row.product_type]);
    const context = rest.filter((each) => !subject.includes(each)).join('. ');
    const text = {
      text: subject.join('. ').slice(0, LONGEST),
      ...(context ? { context: context.slice(0, LONGEST) } : {}),
    };
    const group = row.status_day !== null && row.status_day >= since ? 'recent_filing' : 'older_filing';
    yield { sort: 'filing', record_id: String(row.filing_id), group, text };
  }
}

function* eachArticle(reader: Reader, which: Which): Generator<RelationRecord> {
  const rows = reader.iterate<{
    news_id: string;
    title: string;
    summary: string | null;
    published_at: Instant | null;
  }>(
    `SELECT news_id, title, summary, published_at FROM ${changedFirst(which, 'news', 'news_articles', 'news_id')} ORDER BY news_id`,
  );
  for (const { news_id, title, summary, published_at } of rows) {
    const text = { text: title, ...given({ context: summary?.slice(0, LONGEST) }) };
    yield { sort: 'news', record_id: news_id, group: 'news', text, at: published_at ?? undefined };
  }
}

/** Characters that are compared: texts say early what they are about, and each word costs time in each comparison. */
const LONGEST = 600;

function distinct(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.filter((each) => each !== null))];
}
