import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { formatInstant } from '../../model/time.ts';
import { type Instant, type Probability, toCents } from '../../model/units.ts';
import { listValues } from '../../store/prints/known-prints.ts';
import { listWeightedPrints } from '../../store/prints/rate-prints.ts';
import type { Reader } from '../../store/store.ts';

/**
 * The points of a rate's series in cents. Each point of a rolling chain names its contracts and their weights, since the
 * price does not show which contract it comes from.
 */
export function ratePoints(
  { ticker, methodology }: RateDefinition,
  { reader, now }: { reader: Reader; now: Instant },
) {
  const point = (at: Instant, price: Probability, revision: number) => ({
    at: formatInstant(at),
    price: toCents(price),
    revision: revision || undefined,
  });
  if (methodology !== 'rolling')
    return listValues(reader, { kind: 'rate', ticker }, 0, now).map(({ at, value, revision }) =>
      point(at, value, revision),
    );
  return listWeightedPrints(reader, ticker, now).map(({ at, price, revision, sources }) => ({
    ...point(at, price, revision),
    sources,
  }));
}
