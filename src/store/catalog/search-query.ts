import { getOrInsert } from '../../model/memoized.ts';
import { ID_PREFIXES } from '../../model/platform.ts';
import type { Reader, Value } from '../store.ts';
import { type CatalogFilter, conditions } from './catalog-filter.ts';
import { type FewRows, fewRows } from './search-few-rows.ts';
import { keySql, type SearchKind, venueWord } from './search-index.ts';
import { type AskedPiece, wordId } from './search-record.ts';
import { type Piece, piecesOf } from './search-words.ts';

/** Further words of a query are ignored. */
const MOST_WORDS = 16;

/** Up to this many pieces the index is asked for all of them, if only search ids are needed. */
export const FEW_PIECES = 2;

/**
 * Where a record must have all words: `head`, in its title and names; `anywhere`, in these and its texts; `rest`,
 * anywhere but not all in the head.
 */
export type Stage = 'head' | 'anywhere' | 'rest';

/**
 * The tables in which ids and the columns of filters are looked up; for markets a covering index, since rows are many
 * times wider.
 */
export const WITH_IDS: Record<SearchKind, string> = {
  market: 'markets INDEXED BY markets_sort_values',
  event: 'events',
};

export interface SearchQuery {
  text: string;
  filter: CatalogFilter;
}

/** A piece of a query, with its match expression for the index. */
export interface SoughtPiece extends AskedPiece {
  expression: string;
}

export interface Search {
  kind: SearchKind;
  pieces: readonly SoughtPiece[];
  /** The same without duplicates, rarest first. */
  rarestFirst: readonly SoughtPiece[];
  /** Whether the rarest of them is in fewer than {@link REACH} records. */
  isRare: boolean;
  /** Match expression for the venue, or empty. */
  venue: string;
  /** Statement that selects the search ids of a match expression, in order. */
  rows: string;
  /**
   * The rows of the filter, if they are few: the rows of the index are then compared with these instead of looked up
   * one by one.
   */
  few?: FewRows;
  values: Record<string, Value>;
}

/**
 * Prepares a query.
 *
 * @param wanted the number of matches needed
 * @returns undefined when the text has no words
 */
export function searchOf(
  reader: Reader,
  kind: SearchKind,
  { text, filter }: SearchQuery,
  wanted: number,
): Search | undefined {
  const pieces = firstWords(piecesOf(text.replace(ID_PREFIXES, ''))).map(soughtPiece);
  if (pieces.length === 0) return undefined;
  const reach = byReach(reader, kind, pieces);
  // The index has a word for each venue, so that a filter for a small venue does not check row by row.
  const { platform, ...others } = filter;
  const { where, values } = conditions(others, `${kind}_id`);
  const isFiltered = Object.keys(others).length > 0;
  const limits = isFiltered
    ? `AND EXISTS (SELECT 1 FROM ${WITH_IDS[kind]} WHERE ${kind}_key = ${keySql('word.rowid')} AND ${where})`
    : '';
  const match = matchOf({ venue: '' }, 'anywhere', reach.rarestFirst.slice(0, FEW_PIECES));
  const few = isFiltered && !reach.isRare ? fewRows(reader, kind, { filter, match, wanted }) : undefined;
  return {
    kind,
    pieces,
    ...reach,
    ...(few ? { few } : {}),
    venue: platform === undefined ? '' : ` AND ({venue} : "${venueWord(platform)}")`,
    rows: `SELECT rowid AS search_id FROM ${kind}_words AS word
      WHERE word.${kind}_words MATCH @match AND rowid > CAST(@after AS INTEGER) ${limits}
      ORDER BY rowid LIMIT @limit`,
    values,
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

// Words consist of ASCII letters and digits, so that a quoted one needs no escaping.
function soughtPiece({ parts, joined }: Piece): SoughtPiece {
  const all = parts.map((part) => `"${part}"`).join(' AND ');
  return {
    parts: parts.map(wordId),
    joined: joined === undefined ? undefined : wordId(joined),
    expression: joined === undefined ? `(${all})` : `((${all}) OR "${joined}")`,
  };
}

/**
 * The match expression for records that have some pieces where a stage wants them. Rare ones should come first: the index
 * walks the rows of the first and looks them up in the others.
 */
export function matchOf(
  { venue }: Pick<Search, 'venue'>,
  stage: Stage,
  pieces: readonly SoughtPiece[],
): string {
  const columns = stage === 'head' ? 'head' : 'head body';
  return `({${columns}} : (${pieces.map(({ expression }) => expression).join(' AND ')}))${venue}`;
}

/**
 * Number of matches by which the frequency of a piece is measured. A piece with fewer matches is rare; others are the
 * rarer, the further down the index their first matches of this number reach.
 */
export const REACH = 1_000;

interface Reach {
  count: number;
  last: number;
}

/** Size limit of the cache of reaches. These may be out of date: they affect only the speed of a search. */
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
  const sql = `SELECT count(*) AS count, coalesce(max(rowid), 0) AS last FROM
    (SELECT rowid FROM ${kind}_words WHERE ${kind}_words MATCH ? ORDER BY rowid LIMIT ${REACH})`;
  return getOrInsert(known, `${kind} ${expression}`, () => reader.get<Reach>(sql, expression) as Reach);
}
