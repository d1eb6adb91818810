/**
 * Ranked search over the catalog. Every word must be there; what holds them all in its title, slug or ticker
 * stands before what holds one only in its description. Of a common word's matches the most traded thousand are
 * ranked first, then the next, so that a page costs the same however many there are.
 */
import { type CatalogFilter, conditions } from './catalog-filter.ts';
import { type SearchKind, tradedShare, venueWord } from './search-index.ts';
import { type Piece, piecesOf, wordId } from './search-words.ts';
import type { Reader, Value } from './store.ts';

/** Matches are ranked, counted and shown up to here. */
export const MOST_MATCHES = 10_000;

/** Matches that are ranked among each other. */
const BLOCK = 1_000;

/** Words of a query beyond these are passed over. */
const MOST_WORDS = 16;

/** What is looked for, and among what. */
export interface SearchQuery {
  text: string;
  filter: CatalogFilter;
}

interface Match {
  search_id: number;
  record_key: number;
  words: Buffer;
}

/**
 * A page of the matches by rank, as keys of markets or events. One match more than the page tells whether
 * there is a next.
 *
 * @returns at most `limit` keys; the order stands as long as the catalog does
 */
export function listMatches(
  reader: Reader,
  kind: SearchKind,
  query: SearchQuery,
  { limit, offset }: { limit: number; offset: number },
): { keys: number[]; has_next: boolean } {
  const search = searchOf(kind, query);
  if (!search || offset >= MOST_MATCHES) return { keys: [], has_next: false };
  const wanted = Math.min(offset + limit + 1, MOST_MATCHES);
  const ranked: number[] = [];
  const first = Math.floor(offset / BLOCK) * BLOCK;
  for (let start = first; start < wanted; start += BLOCK) {
    const block = rankedBlock(reader, search, start);
    ranked.push(...block);
    if (block.length < BLOCK) break;
  }
  const page = ranked.slice(offset - first, offset - first + limit);
  return { keys: page, has_next: ranked.length > offset - first + limit };
}

/**
 * The keys of the matches that are ranked, at most {@link MOST_MATCHES}, in no order: for lists that are sorted
 * otherwise.
 */
export function listMatchKeys(reader: Reader, kind: SearchKind, query: SearchQuery): number[] {
  const search = searchOf(kind, query);
  if (!search) return [];
  const keys: number[] = [];
  for (const stage of ['head', 'rest'] as const) {
    const left = MOST_MATCHES - keys.length;
    if (left <= 0) break;
    const sql = `SELECT record_key FROM (${search.matches}) JOIN ${kind}_search USING (search_id)`;
    const values = { ...search.values, match: search[stage], limit: left, offset: 0 };
    for (const row of reader.all<{ record_key: number }>(sql, values)) keys.push(row.record_key);
  }
  return keys;
}

/** A query made ready: what is asked of the index, and by what its matches are ranked. */
interface Search {
  kind: SearchKind;
  /** Match expressions: all words in title and names; all words anywhere, but not so. */
  head: string;
  rest: string;
  /** Statement that gives the search ids of a match expression in order. */
  matches: string;
  values: Record<string, Value>;
  pieces: { parts: number[]; joined: number | undefined }[];
}

/** @returns undefined when the text has no word */
function searchOf(kind: SearchKind, { text, filter }: SearchQuery): Search | undefined {
  const pieces = firstWords(piecesOf(text.replace(/\bvenue_[abc]:(us:)?/g, '')));
  if (pieces.length === 0) return undefined;
  const all = pieces.map(expressionOf).join(' AND ');
  // The venue is a word of its own, so that a rare one is not looked for row by row.
  const { platform, ...others } = filter;
  const venue = platform === undefined ? '' : ` AND ({venue} : "${venueWord(platform)}")`;
  const { where, values } = conditions(others, `${kind}_id`);
  const limits =
    where === 'true'
      ? ''
      : `AND EXISTS (SELECT 1 FROM ${kind}_search AS found JOIN ${kind}s ON ${kind}_key = record_key
           WHERE found.search_id = word.rowid AND ${where})`;
  return {
    kind,
    head: `({head} : (${all}))${venue}`,
    rest: `(({head body} : (${all})) NOT ({head} : (${all})))${venue}`,
    matches: `SELECT rowid AS search_id FROM ${kind}_words AS word WHERE word.${kind}_words MATCH @match ${limits}
      ORDER BY rowid LIMIT @limit OFFSET @offset`,
    values,
    pieces: pieces.map(({ parts, joined }) => ({
      parts: parts.map(wordId),
      joined: joined === undefined ? undefined : wordId(joined),
    })),
  };
}

function firstWords(pieces: readonly Piece[]): Piece[] {
  let words = 0;
  const kept: Piece[] = [];
  for (const piece of pieces) {
    if (words >= MOST_WORDS) break;
    const parts = piece.parts.slice(0, MOST_WORDS - words);
    words += parts.length;
    kept.push({ ...piece, parts });
  }
  return kept;
}

// Words are ASCII letters and digits, so that nothing in a quoted one means anything to the index.
function expressionOf({ parts, joined }: Piece): string {
  const all = parts.map((part) => `"${part}"`).join(' AND ');
  return joined === undefined ? `(${all})` : `((${all}) OR "${joined}")`;
}

function rankedBlock(reader: Reader, search: Search, start: number): number[] {
  const head = matchesOf(reader, search, 'head', BLOCK, start);
  if (head.length === BLOCK) return byRank(head, search);
  const before = head.length > 0 || start === 0 ? start : Math.min(start, countHead(reader, search));
  const rest = matchesOf(reader, search, 'rest', BLOCK - head.length, start - before);
  return [...byRank(head, search), ...byRank(rest, search)];
}

function matchesOf(
  reader: Reader,
  search: Search,
  stage: 'head' | 'rest',
  limit: number,
  offset: number,
): Match[] {
  return reader.all(
    `SELECT search_id, record_key, words FROM (${search.matches}) JOIN ${search.kind}_search USING (search_id)
     ORDER BY search_id`,
    { ...search.values, match: search[stage], limit, offset },
  );
}

function countHead(reader: Reader, search: Search): number {
  const values = { ...search.values, match: search.head, limit: MOST_MATCHES, offset: 0 };
  return (
    reader.get<{ count: number }>(`SELECT count(*) AS count FROM (${search.matches})`, values)?.count ?? 0
  );
}

/** Keys by how well titles fit, the more traded first among equals. */
function byRank(matches: readonly Match[], { pieces }: Search): number[] {
  const scored = matches.map((match) => ({ match, score: scoreOf(match, pieces) }));
  scored.sort((a, b) => b.score - a.score || a.match.search_id - b.match.search_id);
  return scored.map(({ match }) => match.record_key);
}

/**
 * How well a title fits: the share of the query that is in it, the share of neighbours in the query that are
 * neighbours in it, the share of it that was asked for, and how much is traded.
 */
function scoreOf({ search_id, words }: Match, pieces: Search['pieces']): number {
  const places = new Map<number, number>();
  const count = words.byteLength / 4;
  for (let i = 0; i < count; i++) {
    const id = words.readUInt32LE(4 * i);
    if (!places.has(id)) places.set(id, i);
  }
  let asked = 0;
  let met = 0;
  let neighbours = 0;
  let last: number | undefined;
  for (const { parts, joined } of pieces) {
    asked += parts.length;
    const asOne = joined === undefined ? undefined : places.get(joined);
    if (asOne !== undefined) met += parts.length;
    for (const part of parts) {
      const place = places.get(part);
      if (place !== undefined && asOne === undefined) met++;
      if (place !== undefined && last !== undefined && place === last + 1) neighbours++;
      last = place;
    }
    if (asOne !== undefined) last = asOne;
  }
  return (
    met / asked +
    (0.5 * neighbours) / Math.max(1, asked - 1) +
    (0.5 * Math.min(met, count)) / Math.max(1, count) +
    0.3 * tradedShare(search_id)
  );
}
