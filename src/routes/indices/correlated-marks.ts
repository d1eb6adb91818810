import { parsePrintedId } from '../../model/constituent-id.ts';
import type { IndexPrint } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { listDivisorSteps } from '../../store/prints/divisor-steps.ts';
import { findIndexPrint } from '../../store/prints/index-prints.ts';
import type { Reader } from '../../store/store.ts';

/**
 * What constituents of an index are correlated by: one row for each, its marks in some prints, ascending. Of an index the
 * logarithms of its level, so that their changes are returns; across a linking these are those of what was held.
 */
export function correlatedMarks(
  reader: Reader,
  ticker: string,
  prints: readonly IndexPrint[],
  constituents: readonly string[],
): (number | undefined)[][] {
  const byPrint = prints.map(
    ({ lines }) => new Map(lines.toReversed().map((line) => [line.market_id, line])),
  );
  const isIndex = (id: string) => parsePrintedId(id)?.kind === 'index';
  const linkings = constituents.some(isIndex) ? listLinkings(reader, ticker, prints) : [];
  return constituents.map((id) => {
    const marks = byPrint.map((lines) => lines.get(id)?.price);
    if (!isIndex(id)) return marks;
    const own = linkings.filter((linking) => linking.market_id === id);
    return prints.map(({ at }, i) => {
      const level = marks[i];
      if (!level) return undefined;
      const linked = own.filter((linking) => linking.at <= at);
      return linked.reduce((mark, { gain }) => mark - gain, Math.log(level));
    });
  });
}

/** By how much a linking moved the logarithm of a constituent's level, which is no return. */
interface Linking {
  at: Instant;
  market_id: string;
  gain: number;
}

function listLinkings(reader: Reader, ticker: string, prints: readonly IndexPrint[]): Linking[] {
  const steps = listDivisorSteps(reader, ticker, prints[0]?.at, prints.at(-1)?.at);
  const linkings = steps.filter(({ reason }) => reason === 'linking');
  return linkings.flatMap(({ at, market_ids }) =>
    market_ids.flatMap((market_id) => {
      const lines = findIndexPrint(reader, ticker, at)?.lines ?? [];
      const [standing, held] = lines.filter((line) => line.market_id === market_id);
      if (!standing?.price || !held?.price) return [];
      return [{ at, market_id, gain: Math.log(standing.price / held.price) }];
    }),
  );
}
