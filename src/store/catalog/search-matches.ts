import type { Reader, Value } from '../store.ts';
import { countRows } from './catalog-counts.ts';
import { type CatalogFilter, conditions } from './catalog-filter.ts';
import { keySql, type SearchKind, venueWord } from './search-index.ts';
import { type AskedPiece, decodeWords, placeOf, type RecordWords, wordId } from './search-record.ts';
import { type Piece, piecesOf } from './search-words.ts';

/** Words of a query beyond these are passed over. */
const MOST_WORDS = 16;

/** Rows that the index is asked for at first, to see what they hold. */
const SAMPLE = 100;

/** Rows that it is asked for at once later, at least: each time it goes through those before again. */
const LEAST_BATCH = 500;

/** Rows that are read at once where all that a filter leaves are. */
const FEW_AT_ONCE = 2_000;

/** Of the rows that are read, so many are to be matches. */
const LEAST_SHARE = 1 / 2;

/** All words in title and names; all words, with those of texts; the latter without the former. */
export type Stage = 'head' | 'anywhere' | 'rest';

/** What is looked for, and among what. */
export interface SearchQuery {
  text: string;
  filter: CatalogFilter;
}

/** A piece of a query, also as the index is asked for it. */
interface SoughtPiece extends AskedPiece {
  expression: string;
}

/** A query made ready: what is asked of the index, and what its rows are held to. */
export interface Search {
  kind: SearchKind;
  pieces: readonly SoughtPiece[];
  /** The same without repetition. */
  rarestFirst: readonly SoughtPiece[];
  /** Whether the rarest of them is in fewer than {@link REACH} records. */
  isRare: boolean;
  /** What the index is asked for besides. */
  venue: string;
  /** Statement that gives the search ids of a match expression in order. */
  rows: string;
  /** The search ids of all that the filter leaves, where few are: they are held to every piece, and the index is not asked. */
  few?: readonly number[];
  values: Record<string, Value>;
}

/**
 * @param wanted how many matches are looked for
 * @returns undefined when the text has no word
 */
export function searchOf(
  reader: Reader,
  kind: SearchKind,
  { text, filter }: SearchQuery,
  wanted: number,
): Search | undefined {
  const pieces = firstWords(piecesOf(text.replace(/\bvenue_[abc]:(us:)?/g, ''))).map(soughtPiece);
  if (pieces.length === 0) return undefined;
  const reach = byReach(reader, kind, pieces);
  // The venue is a word of its own, so that a rare one is not looked for row by row.
  const { platform, ...others } = filter;
  const { where, values } = conditions(others, `${kind}_id`);
  const isFiltered = Object.keys(others).length > 0;
  const limits = isFiltered
    ? `AND EXISTS (SELECT 1 FROM ${kind}s WHERE ${kind}_key = ${keySql('word.rowid')} AND ${where})`
    : '';
  const isOfFew = isFiltered && !reach.isRare && leavesFew(reader, kind, filter, wanted);
  return {
    kind,
    pieces,
    ...reach,
    ...(isOfFew ? { few: selectFew(reader, kind, filter) } : {}),
    venue: platform === undefined ? '' : ` AND ({venue} : "${venueWord(platform)}")`,
    rows: `SELECT rowid AS search_id FROM ${kind}_words AS word
      WHERE word.${kind}_words MATCH @match AND rowid > @after ${limits} ORDER BY rowid LIMIT @limit`,
    values,
  };
}

/** Whether to read all that a filter leaves takes less than to meet as many of them among the rows of a common word. */
function leavesFew(reader: Reader, kind: SearchKind, filter: CatalogFilter, wanted: number): boolean {
  const left = countRows(reader, kind, filter);
  return left * left < countRows(reader, kind, {}) * wanted;
}

function selectFew(reader: Reader, kind: SearchKind, filter: CatalogFilter): readonly number[] {
  const { where, values } = conditions(filter, `${kind}_id`);
  const sql = `SELECT json_group_array(search_id ORDER BY search_id)
    FROM ${kind}s CROSS JOIN ${kind}_search ON record_key = ${kind}_key WHERE ${where}`;
  return JSON.parse(reader.value<string>(sql, values) ?? '[]');
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
function soughtPiece({ parts, joined }: Piece): SoughtPiece {
  const all = parts.map((part) => `"${part}"`).join(' AND ');
  return {
    parts: parts.map(wordId),
    joined: joined === undefined ? undefined : wordId(joined),
    expression: joined === undefined ? `(${all})` : `((${all}) OR "${joined}")`,
  };
}

// Rare words first: the index takes the first list and looks for its rows in the others.
function matchOf({ venue }: Search, stage: Stage, pieces: readonly SoughtPiece[]): string {
  const columns = stage === 'head' ? 'head' : 'head body';
  return `({${columns}} : (${pieces.map(({ expression }) => expression).join(' AND ')}))${venue}`;
}

/** Matches of a stage in order, the most traded first, with how many were passed over before them. */
export function takeMatches(
  reader: Reader,
  search: Search,
  stage: Stage,
  limit: number,
  offset: number,
): { matches: RecordWords[]; passed: number } {
  const take = search.few ? takeFromFew : takeFromIndex;
  const found = take(reader, search, stage, limit + offset);
  return { matches: found.slice(offset, offset + limit), passed: Math.min(offset, found.length) };
}

function takeFromFew(
  reader: Reader,
  { kind, few = [], pieces }: Search,
  stage: Stage,
  wanted: number,
): RecordWords[] {
  const rows = 'SELECT value AS search_id FROM json_each(@given)';
  const found: RecordWords[] = [];
  for (let from = 0; from < few.length && found.length < wanted; from += FEW_AT_ONCE) {
    const given = JSON.stringify(few.slice(from, from + FEW_AT_ONCE));
    for (const each of readWords(reader, kind, rows, { given }))
      if (holdsAll(each, stage, pieces) && isOfStage(each, stage, pieces)) found.push(each);
  }
  return found;
}

/**
 * The index is asked for the rarest piece, and its rows are held to the others by their words, since to walk through
 * most of the catalog for each common word is what makes a search slow; it is asked for others too where too many rows
 * lack them.
 */
function takeFromIndex(reader: Reader, search: Search, stage: Stage, wanted: number): RecordWords[] {
  const { kind, rows, values, pieces, rarestFirst, isRare } = search;
  const found: RecordWords[] = [];
  let plan: Plan = { sought: rarestFirst.slice(0, 1), share: 1 };
  // To read all that hold a rare piece takes less than to have the index look for common ones beside it.
  let batch = rarestFirst.length === 1 ? wanted : isRare ? REACH : SAMPLE;
  for (let after = -1, left = wanted; left > 0; left = wanted - found.length) {
    const asked = { ...values, match: matchOf(search, stage, plan.sought), after, limit: batch };
    const records = readWords(reader, kind, rows, asked);
    const complete = records.filter((record) => holdsAll(record, stage, pieces));
    for (const each of complete) if (isOfStage(each, stage, pieces)) found.push(each);
    const last = records.at(-1);
    if (!last || records.length < batch) break;
    after = last.searchId;
    plan = { ...plan, share: complete.length / records.length };
    if (plan.share < LEAST_SHARE) plan = widened(rarestFirst, plan, records.slice(0, SAMPLE), stage);
    batch = Math.max(LEAST_BATCH, Math.ceil(left / Math.max(plan.share, LEAST_SHARE)));
  }
  return found;
}

/** The words of the records whose search ids a statement gives. */
function readWords(
  reader: Reader,
  kind: SearchKind,
  rows: string,
  values: Record<string, Value>,
): RecordWords[] {
  const sql = `SELECT json_group_array(search_id) AS ids, CAST(group_concat(words, '') AS BLOB) AS words
    FROM (${rows}) CROSS JOIN ${kind}_search USING (search_id)`;
  const read = reader.get<{ ids: string; words: Buffer | null }>(sql, values);
  return read?.words ? decodeWords(JSON.parse(read.ids), read.words) : [];
}

/** What the index is asked for, and the share of its rows that hold the other pieces too. */
interface Plan {
  sought: readonly SoughtPiece[];
  share: number;
}

/** Adds the piece that most rows lack until those that hold it are matches often enough. */
function widened(
  pieces: readonly SoughtPiece[],
  { sought }: Plan,
  records: readonly RecordWords[],
  stage: Stage,
): Plan {
  const others = pieces.filter((piece) => !sought.includes(piece));
  const complete = records.filter((record) => holdsAll(record, stage, others));
  const share = records.length === 0 ? 0 : complete.length / records.length;
  const [least] = others
    .map((piece) => ({ piece, holders: records.filter((record) => holdsAll(record, stage, [piece])) }))
    .sort((a, b) => a.holders.length - b.holders.length);
  if (!least || share >= LEAST_SHARE) return { sought, share };
  return widened(pieces, { sought: [...sought, least.piece], share }, least.holders, stage);
}

/** Of so many pieces or fewer the index is asked for all, where nothing but search ids is wanted. */
const FEW_PIECES = 2;

/**
 * The search ids of the first matches of a stage.
 *
 * @returns also whether all of them are known to be matches by their titles and names
 */
export function selectMatchIds(
  reader: Reader,
  search: Search,
  stage: Stage,
  limit: number,
): { ids: number[]; areHeads: boolean } {
  if (stage !== 'rest' && !search.few && search.rarestFirst.length <= FEW_PIECES) {
    const match = matchOf(search, stage, search.rarestFirst);
    const ids = reader.column<number>(search.rows, { ...search.values, match, after: -1, limit });
    return { ids, areHeads: stage === 'head' };
  }
  const { matches } = takeMatches(reader, search, stage, limit, 0);
  return {
    ids: matches.map(({ searchId }) => searchId),
    areHeads: matches.every((match) => holdsAll(match, 'head', search.pieces)),
  };
}

/** Whether a record that holds all pieces is one of a stage: those of their own are without those whose title holds all. */
function isOfStage(record: RecordWords, stage: Stage, pieces: readonly AskedPiece[]): boolean {
  return stage !== 'rest' || !holdsAll(record, 'head', pieces);
}

/** Whether all pieces are in the title and names of a record, or with its texts. */
function holdsAll(record: RecordWords, stage: Stage, pieces: readonly AskedPiece[]): boolean {
  const { ids, title, texts, end } = record;
  const to = stage === 'head' ? texts : end;
  for (const { parts, joined } of pieces) {
    if (joined !== undefined && placeOf(ids, joined, title, to) >= 0) continue;
    for (const part of parts) if (placeOf(ids, part, title, to) < 0) return false;
  }
  return true;
}

/** How far down the index the first thousand matches of a piece reach, where there are so many. */
const REACH = 1_000;

interface Reach {
  count: number;
  last: number;
}

/** Pieces whose reach is remembered; it only decides how a search goes about it, not what it finds. */
const MOST_REMEMBERED = 10_000;
const remembered = new WeakMap<Reader, Map<string, Reach>>();

function byReach(
  reader: Reader,
  kind: SearchKind,
  pieces: readonly SoughtPiece[],
): Pick<Search, 'rarestFirst' | 'isRare'> {
  const unique = [...new Map(pieces.map((each) => [each.expression, each])).values()];
  const reaches = new Map(unique.map((each) => [each, reachOf(reader, kind, each)]));
  const of = (piece: SoughtPiece) => reaches.get(piece) as Reach;
  const rarestFirst = unique.sort((a, b) => of(a).count - of(b).count || of(b).last - of(a).last);
  return { rarestFirst, isRare: of(rarestFirst[0] as SoughtPiece).count < REACH };
}

function reachOf(reader: Reader, kind: SearchKind, { expression }: SoughtPiece): Reach {
  let known = remembered.get(reader);
  if (!known || known.size >= MOST_REMEMBERED) {
    known = new Map();
    remembered.set(reader, known);
  }
  const name = `${kind} ${expression}`;
  const before = known.get(name);
  if (before) return before;
  const reach = reader.get<Reach>(
    `SELECT count(*) AS count, coalesce(max(rowid), 0) AS last FROM
       (SELECT rowid FROM ${kind}_words WHERE ${kind}_words MATCH ? ORDER BY rowid LIMIT ${REACH})`,
    expression,
  ) as Reach;
  known.set(name, reach);
  return reach;
}
