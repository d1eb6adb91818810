import { tradedShare } from './search-index.ts';
import { type AskedPiece, placeOf, type RecordWords } from './search-record.ts';

/** A range of places in a ranking; `to` is exclusive. */
export interface Places {
  from: number;
  to: number;
}

/**
 * Search ids ordered by how well the titles match. Ties are broken by record id, but only at the places in the range.
 *
 * @param idsOf returns the ids of records in the order of the search ids given; called only for ties in the range
 */
export function byRank(
  matches: readonly RecordWords[],
  pieces: readonly AskedPiece[],
  { from, to }: Places,
  idsOf: (searchIds: readonly number[]) => readonly string[],
): number[] {
  const ranked = matches.map((match) => ({
    searchId: match.searchId,
    score: scoreOf(match, pieces),
    id: '',
  }));
  ranked.sort((a, b) => b.score - a.score);
  const isTied = (i: number) => i > 0 && i < ranked.length && ranked[i]?.score === ranked[i - 1]?.score;
  let first = Math.max(0, from);
  while (isTied(first)) first--;
  let end = Math.min(to, ranked.length);
  while (isTied(end)) end++;
  const tied = ranked.filter((_, i) => i >= first && i < end && (isTied(i) || isTied(i + 1)));
  const ids = tied.length === 0 ? [] : idsOf(tied.map(({ searchId }) => searchId));
  for (const [i, each] of tied.entries()) each.id = ids[i] ?? '';
  const wanted = ranked.slice(first, end);
  wanted.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return [...ranked.slice(0, first), ...wanted, ...ranked.slice(end)].map(({ searchId }) => searchId);
}

/**
 * How well a title matches: a weighted sum of the share of the query's words in it, the share of the query's adjacent
 * words that are adjacent in it, the share of its words that are in the query, and the volume bucket. A slug or ticker
 * that is in the query exactly as written counts like the title: `KX-26-2.1` and `KX-26-2.2` both have all words of the
 * latter.
 */
function scoreOf({ searchId, ids, title, names, texts }: RecordWords, pieces: readonly AskedPiece[]): number {
  const count = names - title;
  let asked = 0;
  let met = 0;
  let named = 0;
  let neighbours = 0;
  // The place after the previous word.
  let next = -1;
  for (const { parts, joined } of pieces) {
    asked += parts.length;
    const asOne = joined === undefined ? -1 : placeOf(ids, joined, title, names);
    const isName = asOne < 0 && joined !== undefined && placeOf(ids, joined, names, texts) >= 0;
    if (asOne >= 0) met += parts.length;
    if (isName) named += parts.length;
    for (const part of parts) {
      const place = placeOf(ids, part, title, names);
      if (place >= 0 && asOne < 0 && !isName) met++;
      if (place >= 0 && place === next) neighbours++;
      next = place < 0 ? -1 : place + 1;
    }
    if (asOne >= 0) next = asOne + 1;
  }
  return (
    (met + named) / asked +
    (0.5 * neighbours) / Math.max(1, asked - 1) +
    (0.5 * Math.min(met, count)) / Math.max(1, count) +
    0.3 * tradedShare(searchId)
  );
}
