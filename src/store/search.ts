/**
 * Ranked search over the catalog. Every word must be there; what holds them all in its title, slug or ticker
 * stands before what holds one only in its description. Of a common word's matches the most traded thousand are
 * ranked first, then the next, so that a page costs the same however many there are.
 */
import { type CatalogFilter, conditions } from './catalog-filter.ts';
import { keyOfSearchId, type SearchKind, tradedShare, venueWord, wordsOfRecord } from './search-index.ts';
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
  const search = searchOf(reader, kind, query);
  if (!search || offset >= MOST_MATCHES) return { keys: [], has_next: false };
  const wanted = Math.min(offset + limit + 1, MOST_MATCHES);
  const ranked: number[] = [];
  const first = Math.floor(offset / BLOCK) * BLOCK;
  for (let start = first; start < wanted; start += BLOCK) {
    const block = rankedBlock(reader, search, start, wanted - start);
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
  const search = searchOf(reader, kind, query);
  if (!search) return [];
  const keys: number[] = [];
  for (const stage of ['head', 'rest'] as const) {
    const left = MOST_MATCHES - keys.length;
    if (left <= 0) break;
    const few = fewMatches(reader, search, stage, BLOCK);
    if (few) {
      keys.push(...few.slice(0, left).map((each) => each.record_key));
      continue;
    }
    const values = { ...search.values, match: search[stage], limit: left, offset: 0 };
    for (const { search_id } of reader.all<{ search_id: number }>(search.matches, values))
      keys.push(keyOfSearchId(search_id));
  }
  return keys;
}

/** A query made ready: what is asked of the index, and by what its matches are ranked. */
interface Search {
  kind: SearchKind;
  /** Match expressions: all words in title and names; all words anywhere, but not so. */
  head: string;
  rest: string;
  /** The same without very common words, where there are others: it finds too much. */
  rarer?: Pick<Search, 'head' | 'rest'>;
  /** All words, and */
  asked: readonly Piece[];
  /** those of them that are left out there. */
  common: string[];
  /** Statement that gives the search ids of a match expression in order. */
  matches: string;
  values: Record<string, Value>;
  pieces: { parts: number[]; joined: number | undefined }[];
}

/** @returns undefined when the text has no word */
function searchOf(reader: Reader, kind: SearchKind, { text, filter }: SearchQuery): Search | undefined {
  const pieces = firstWords(piecesOf(text.replace(/\bvenue_[abc]:(us:)?/g, '')));
  if (pieces.length === 0) return undefined;
  const rare = pieces.filter((piece) => !isCommon(reader, kind, piece));
  // The venue is a word of its own, so that a rare one is not looked for row by row.
  const { platform, ...others } = filter;
  const venue = platform === undefined ? '' : ` AND ({venue} : "${venueWord(platform)}")`;
  const { where, values } = conditions(others, `${kind}_id`);
  const limits =
    where === 'true'
      ? ''
      : `AND EXISTS (SELECT 1 FROM ${kind}_search AS found JOIN ${kind}s ON ${kind}_key = record_key
           WHERE found.search_id = word.rowid AND ${where})`;
  // Rare words first: the index takes the first list and looks for its rows in the others.
  const all = expressionsOf([...rare, ...pieces.filter((piece) => !rare.includes(piece))]);
  const some = expressionsOf(rare);
  return {
    kind,
    head: `({head} : (${all}))${venue}`,
    rest: `(({head body} : (${all})) NOT ({head} : (${all})))${venue}`,
    ...(rare.length > 0 && rare.length < pieces.length
      ? { rarer: { head: `({head} : (${some}))${venue}`, rest: `({head body} : (${some}))${venue}` } }
      : {}),
    asked: pieces,
    common: pieces.flatMap((piece) => (rare.includes(piece) ? [] : piece.parts)),
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
function expressionsOf(pieces: readonly Piece[]): string {
  return pieces.map(expressionOf).join(' AND ');
}

function expressionOf({ parts, joined }: Piece): string {
  const all = parts.map((part) => `"${part}"`).join(' AND ');
  return joined === undefined ? `(${all})` : `((${all}) OR "${joined}")`;
}

/** @param wanted matches of the block that are asked for: descriptions are read only when titles are too few */
function rankedBlock(reader: Reader, search: Search, start: number, wanted: number): number[] {
  const head = matchesOf(reader, search, 'head', BLOCK, start);
  if (head.length >= Math.min(wanted, BLOCK)) return byRank(head, search);
  const before = head.length > 0 || start === 0 ? start : Math.min(start, countHead(reader, search));
  const rest = matchesOf(reader, search, 'rest', BLOCK - head.length, start - before);
  return [...byRank(head, search), ...byRank(rest, search)];
}

/** Matches in order. */
function matchesOf(
  reader: Reader,
  search: Search,
  stage: 'head' | 'rest',
  limit: number,
  offset: number,
): Match[] {
  const few = offset === 0 ? fewMatches(reader, search, stage, limit) : undefined;
  return few ?? selectMatches(reader, search, { match: search[stage], limit, offset });
}

function selectMatches(
  reader: Reader,
  { kind, matches, values }: Search,
  asked: { match: string; limit: number; offset: number },
): Match[] {
  return reader.all<Match>(
    `SELECT search_id, record_key, words FROM (${matches}) JOIN ${kind}_search USING (search_id)
     ORDER BY search_id`,
    { ...values, ...asked },
  );
}

/**
 * All matches, in order, where the rarer words leave fewer than so many: a very common word is then looked up only in
 * what holds those, since to walk through most of the catalog for it is what makes a search slow.
 */
function fewMatches(
  reader: Reader,
  search: Search,
  stage: 'head' | 'rest',
  limit: number,
): Match[] | undefined {
  if (!search.rarer) return undefined;
  const asked = { match: search.rarer[stage], limit, offset: 0 };
  const count = reader.all(search.matches, { ...search.values, ...asked }).length;
  return count < limit ? holdingAll(reader, search, stage, selectMatches(reader, search, asked)) : undefined;
}

function holdingAll(
  reader: Reader,
  { kind, common, asked }: Search,
  stage: 'head' | 'rest',
  candidates: readonly Match[],
): Match[] {
  const ids = common.map(wordId);
  const askedIds = asked.flatMap(({ parts }) => parts.map(wordId));
  return candidates.filter(({ words, record_key }) => {
    const title = idsOf(words);
    if (stage === 'head' && ids.every((id) => title.includes(id))) return true;
    if (stage === 'rest' && askedIds.every((id) => title.includes(id))) return false;
    const found = wordsOfRecord(reader, kind, record_key, stage === 'rest');
    if (!found) return false;
    const { head, anywhere } = found;
    if (stage === 'head') return common.every((word) => head.has(word));
    const isHead = asked.every(
      ({ parts, joined }) =>
        parts.every((word) => head.has(word)) || (joined !== undefined && head.has(joined)),
    );
    return !isHead && common.every((word) => anywhere.has(word));
  });
}

/** A word in so large a share of all rows, or in so many, is very common; one in fewer than the least is not. */
const COMMON_SHARE = 0.05;
const COMMON_ROWS = { least: 2_000, most: 10_000 };

/** Words whose commonness is remembered; it only decides how a search goes about it, not what it finds. */
const MOST_REMEMBERED = 10_000;
const commonness = new WeakMap<Reader, Map<string, boolean>>();

function isCommon(reader: Reader, kind: SearchKind, { parts, joined }: Piece): boolean {
  const [word = ''] = parts;
  if (parts.length !== 1 || joined !== undefined) return false;
  let known = commonness.get(reader);
  if (!known || known.size >= MOST_REMEMBERED) {
    known = new Map();
    commonness.set(reader, known);
  }
  const name = `${kind} ${word}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  // Keys are given in turn and rows stay: the last key is about their number.
  const rows = reader.get<{ last: number }>(`SELECT max(${kind}_key) AS last FROM ${kind}s`)?.last ?? 0;
  const most = Math.min(COMMON_ROWS.most, Math.max(COMMON_ROWS.least, Math.floor(COMMON_SHARE * rows)));
  const found = reader.get<{ count: number }>(
    `SELECT count(*) AS count FROM
       (SELECT 1 FROM ${kind}_words WHERE ${kind}_words MATCH ? LIMIT ?)`,
    `{head} : "${word}"`,
    most,
  );
  const is = found?.count === most;
  known.set(name, is);
  return is;
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

/** The words of a title in their order. */
function idsOf(words: Buffer): Uint32Array {
  // A view needs its bytes to lie at a multiple of four.
  const bytes = words.byteOffset % 4 === 0 ? words : new Uint8Array(words);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

/**
 * How well a title fits: the share of the query that is in it, the share of neighbours in the query that are
 * neighbours in it, the share of it that was asked for, and how much is traded.
 */
function scoreOf({ search_id, words }: Match, pieces: Search['pieces']): number {
  const ids = idsOf(words);
  const count = ids.length;
  const placeOf = (word: number) => {
    const place = ids.indexOf(word);
    return place < 0 ? undefined : place;
  };
  let asked = 0;
  let met = 0;
  let neighbours = 0;
  let last: number | undefined;
  for (const { parts, joined } of pieces) {
    asked += parts.length;
    const asOne = joined === undefined ? undefined : placeOf(joined);
    if (asOne !== undefined) met += parts.length;
    for (const part of parts) {
      const place = placeOf(part);
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
