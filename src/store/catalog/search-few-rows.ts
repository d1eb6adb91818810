import { greatestOf } from '../../model/extremes.ts';
import type { Reader } from '../store.ts';
import { countRows } from './catalog-counts.ts';
import { type CatalogFilter, conditions } from './catalog-filter.ts';
import { keyOfSearchId, type SearchKind } from './search-index.ts';

/** The rows of a filter that can match a query, as search ids in order. */
export interface FewRows {
  /** The first rows, probably as many as are wanted. */
  first: readonly number[];
  /** Whether `first` has at least so many rows, or all. */
  has(count: number): boolean;
  /** The rows after the first, read on first use. */
  rest(): readonly number[];
}

/** As a limit of SQL. */
const NO_LIMIT = -1;

/** Reading an id from the index, or the key of a row of a filter, takes about this part of looking up a row. */
const TO_LOOK_UP = 1 / 16;

/**
 * Reads the rows of a filter that can match a query: the ids that the index has for its rarest pieces, limited to rows
 * of the filter.
 *
 * @param match expression of the rarest pieces for the index
 * @param wanted the number of matches needed
 * @returns undefined if it is cheaper to look up rows of the index until enough of them match the filter
 */
export function fewRows(
  reader: Reader,
  kind: SearchKind,
  { filter, match, wanted }: { filter: CatalogFilter; match: string; wanted: number },
): FewRows | undefined {
  const all = countRows(reader, kind, {});
  const left = countRows(reader, kind, filter);
  const toRead = left * TO_LOOK_UP;
  if (left * toRead >= all * wanted) return undefined;
  // A number beyond 32 bits is bound as a floating-point value, to which the index cannot skip.
  const sql = `SELECT rowid FROM ${kind}_words WHERE ${kind}_words MATCH ? AND rowid > CAST(? AS INTEGER)
    ORDER BY rowid LIMIT ?`;
  const indexed = (after: number, limit: number) => reader.column<number>(sql, match, after, limit);
  const enough = Math.ceil(Math.min(left / TO_LOOK_UP, (2 * wanted * all) / left));
  const ids = indexed(-1, enough);
  const isAll = ids.length < enough;
  if (isAll && ids.length < toRead) return undefined;
  const { where, values } = conditions(filter, `${kind}_id`);
  const keys = reader.column<number>(`SELECT ${kind}_key FROM ${kind}s WHERE ${where}`, values);
  const isLeft = new Uint8Array((greatestOf(keys) ?? 0) + 1);
  for (const key of keys) isLeft[key] = 1;
  const ofFilter = (some: readonly number[]) => some.filter((id) => isLeft[keyOfSearchId(id)] === 1);
  const last = ids.at(-1) ?? 0;
  const readRest = () =>
    left < all * TO_LOOK_UP
      ? searchIdsOf(reader, kind, keys).filter((id) => id > last)
      : ofFilter(indexed(last, NO_LIMIT));
  let rest: readonly number[] | undefined;
  const first = ofFilter(ids);
  return {
    first,
    has: (count) => isAll || first.length >= count,
    rest: () => (rest ??= isAll ? [] : readRest()),
  };
}

/** The search ids of rows by their keys, in order. */
function searchIdsOf(reader: Reader, kind: SearchKind, keys: readonly number[]): number[] {
  const sql = `SELECT json_group_array(search_id ORDER BY search_id)
    FROM json_each(?) CROSS JOIN ${kind}_search ON record_key = value`;
  return JSON.parse(reader.value<string>(sql, JSON.stringify(keys)) ?? '[]');
}
