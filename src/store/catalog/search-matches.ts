import type { Reader, Value } from '../store.ts';
import type { FewRows } from './search-few-rows.ts';
import type { SearchKind } from './search-index.ts';
import { FEW_PIECES, matchOf, REACH, type Search, type SoughtPiece, type Stage } from './search-query.ts';
import { type AskedPiece, decodeWords, placeOf, type RecordWords } from './search-record.ts';

/** Size of the first batch from the index, which samples how often its rows match. */
const SAMPLE = 100;

/** Minimum size of later batches: each query of the index walks through the rows before it again. */
const LEAST_BATCH = 500;

/** Rows read at once when all rows of a filter are checked. */
const FEW_AT_ONCE = 2_000;

/** Share of matches among the rows read below which the index is asked for more pieces. */
const LEAST_SHARE = 1 / 2;

/** A page of the matches of a stage, most traded first, and the number of matches skipped before it. */
export function takeMatches(
  reader: Reader,
  search: Search,
  stage: Stage,
  limit: number,
  offset: number,
): { matches: RecordWords[]; passed: number } {
  const { kind, few, pieces } = search;
  const wanted = limit + offset;
  const found = few
    ? takeFromFew(reader, kind, few, { pieces, stage, wanted })
    : takeFromIndex(reader, search, stage, wanted);
  return { matches: found.slice(offset, offset + limit), passed: Math.min(offset, found.length) };
}

function takeFromFew(
  reader: Reader,
  kind: SearchKind,
  few: FewRows,
  { pieces, stage, wanted }: { pieces: readonly SoughtPiece[]; stage: Stage; wanted: number },
): RecordWords[] {
  const rows = 'SELECT value AS search_id FROM json_each(@given)';
  const found: RecordWords[] = [];
  for (const ids of [() => few.first, few.rest])
    for (let from = 0; found.length < wanted && from < ids().length; from += FEW_AT_ONCE) {
      const given = JSON.stringify(ids().slice(from, from + FEW_AT_ONCE));
      for (const each of readWords(reader, kind, rows, { given }))
        if (holdsAll(each, stage, pieces) && isOfStage(each, stage, pieces)) found.push(each);
    }
  return found;
}

/**
 * Asks the index for the rarest piece only, and checks the words of the resulting rows for the others: walking through
 * most of the catalog for each common word is what makes a search slow. If too many rows lack the other pieces, the
 * index is asked for some of these as well.
 */
function takeFromIndex(reader: Reader, search: Search, stage: Stage, wanted: number): RecordWords[] {
  const { kind, rows, values, pieces, rarestFirst, isRare } = search;
  const found: RecordWords[] = [];
  let plan: Plan = { sought: rarestFirst.slice(0, 1), share: 1 };
  // Reading all rows of a rare piece is cheaper than having the index look for common ones as well.
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

/** The words of the records whose search ids a statement selects. */
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

/** The pieces that the index is asked for, and the share of its rows that also have the other pieces. */
interface Plan {
  sought: readonly SoughtPiece[];
  share: number;
}

/** Adds the piece that most rows lack, until enough of the remaining rows are matches. */
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

/**
 * The search ids of the first matches of a stage.
 *
 * @returns also whether all of them are known to match by title and names alone
 */
export function selectMatchIds(
  reader: Reader,
  search: Search,
  stage: Stage,
  limit: number,
): { ids: number[]; areHeads: boolean } {
  const { few, rarestFirst } = search;
  const isIndexed = few ? stage === 'anywhere' && few.has(limit) : stage !== 'rest';
  if (isIndexed && rarestFirst.length <= FEW_PIECES) {
    const match = matchOf(search, stage, rarestFirst);
    const ids = few
      ? few.first.slice(0, limit)
      : reader.column<number>(search.rows, { ...search.values, match, after: -1, limit });
    // Without few rows, asking the index for the heads themselves costs no more.
    const areHeads = few !== undefined && ids.length === limit && areAllHeads(reader, search, ids);
    return { ids, areHeads: areHeads || stage === 'head' };
  }
  const { matches } = takeMatches(reader, search, stage, limit, 0);
  return {
    ids: matches.map(({ searchId }) => searchId),
    areHeads: matches.every((match) => holdsAll(match, 'head', search.pieces)),
  };
}

/** Whether matches in order have all pieces in the head; the filter, which they pass, need not be checked again. */
function areAllHeads(reader: Reader, search: Search, ids: readonly number[]): boolean {
  const { kind, rarestFirst } = search;
  const sql = `SELECT rowid FROM ${kind}_words WHERE ${kind}_words MATCH ? AND rowid <= CAST(? AS INTEGER)
    ORDER BY rowid`;
  let found = 0;
  for (const id of reader.column<number>(sql, matchOf(search, 'head', rarestFirst), ids.at(-1) ?? 0))
    if (id === ids[found]) found++;
  return found === ids.length;
}

/** Whether a record that has all pieces belongs to a stage: `rest` excludes those that have all in the head. */
function isOfStage(record: RecordWords, stage: Stage, pieces: readonly AskedPiece[]): boolean {
  return stage !== 'rest' || !holdsAll(record, 'head', pieces);
}

/** Whether a record has all pieces: for `head` in its title and names, otherwise also in its texts. */
function holdsAll(record: RecordWords, stage: Stage, pieces: readonly AskedPiece[]): boolean {
  const { ids, title, texts, end } = record;
  const to = stage === 'head' ? texts : end;
  for (const { parts, joined } of pieces) {
    if (joined !== undefined && placeOf(ids, joined, title, to) >= 0) continue;
    for (const part of parts) if (placeOf(ids, part, title, to) < 0) return false;
  }
  return true;
}
