import { tradedShare } from './search-index.ts';
import { type AskedPiece, placeOf, type RecordWords } from './search-record.ts';

/** Search ids by how well titles fit, the more traded first among equals. */
export function byRank(matches: readonly RecordWords[], pieces: readonly AskedPiece[]): number[] {
  const scored = matches.map((match) => ({ searchId: match.searchId, score: scoreOf(match, pieces) }));
  scored.sort((a, b) => b.score - a.score || a.searchId - b.searchId);
  return scored.map(({ searchId }) => searchId);
}

/**
 * How well a title fits: the share of the query that is in it, the share of neighbours in the query that are
 * neighbours in it, the share of it that was asked for, and how much is traded.
 */
function scoreOf({ searchId, ids, title, names }: RecordWords, pieces: readonly AskedPiece[]): number {
  const count = names - title;
  let asked = 0;
  let met = 0;
  let neighbours = 0;
  // The place behind the word before.
  let next = -1;
  for (const { parts, joined } of pieces) {
    asked += parts.length;
    const asOne = joined === undefined ? -1 : placeOf(ids, joined, title, names);
    if (asOne >= 0) met += parts.length;
    for (const part of parts) {
      const place = placeOf(ids, part, title, names);
      if (place >= 0 && asOne < 0) met++;
      if (place >= 0 && place === next) neighbours++;
      next = place < 0 ? -1 : place + 1;
    }
    if (asOne >= 0) next = asOne + 1;
  }
  return (
    met / asked +
    (0.5 * neighbours) / Math.max(1, asked - 1) +
    (0.5 * Math.min(met, count)) / Math.max(1, count) +
    0.3 * tradedShare(searchId)
  );
}
