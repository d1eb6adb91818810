import { pricedConstituents } from '../../model/definitions/definition.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import { memoized } from '../../model/memoized.ts';
import type { Instant } from '../../model/units.ts';
import { findMarket, hasMarket } from '../../store/catalog/catalog.ts';
import { eachMarketId, findMarkedMarket } from '../../store/catalog/market-lists.ts';
import { type Adopted, findDefinition } from '../../store/definitions/definitions.ts';
import { observationsOf, selectPrices } from '../../store/prices/price-reads.ts';
import { listConstituting } from '../../store/prints/standings.ts';
import type { Reader } from '../../store/store.ts';
import { constituentRows } from '../indices/constituent-rows.ts';
import { route, TIERS } from '../route.ts';
import { visibleIndices } from '../visibility.ts';
import { candleOf } from './candles.ts';
import { marketBody } from './market-body.ts';

const marketDetail = route({
  path: '/markets/{id}',
  summary: 'One market',
  tiers: TIERS,
  answer(request) {
    const market = findMarkedMarket(request.reader, request.id);
    return market && marketBody(market, request);
  },
  isWatched: true,
  documents: eachMarketId,
});

const marketCandles = route({
  path: '/markets/{id}/candles',
  summary: 'Price history of a market',
  tiers: ['authenticated'],
  answer({ reader, id, now }) {
    const market = findMarket(reader, id);
    if (!market) return undefined;
    const prices = selectPrices(reader, market.market_key, { from: 0, until: now });
    return {
      market_id: id,
      data: observationsOf(prices).flatMap((each) => candleOf(each, market.family) ?? []),
    };
  },
});

const marketIndices = route({
  path: '/markets/{id}/indices',
  summary: 'Indices that include a market',
  tiers: TIERS,
  answer(request) {
    const { reader, id } = request;
    if (!hasMarket(reader, id)) return undefined;
    const including = reader.reading('membership', id, () =>
      visibleIndices(reader, request).filter((each) => namesOf(reader, each).some((names) => names.has(id))),
    );
    if (including.length === 0) return { data: [] };
    return { data: reader.reading('clock', '', () => weightsIn(reader, including, id)) };
  },
  isWatched: true,
  documents: eachMarketId,
});

/** The weight of a market in each of some indices that include it. */
function weightsIn(reader: Reader, indices: readonly Adopted<IndexDefinition>[], marketId: string) {
  return indices.flatMap(({ definition, definition_key }) => {
    const { ticker, name } = definition;
    const weights = reader.once(`weights ${definition_key}`, () => weightsOf(reader, definition));
    const weight = weights.get(marketId);
    return weight === undefined ? [] : [{ index_id: ticker, ticker, name, weight }];
  });
}

/** The markets that public indices include at an instant: those for which {@link marketIndices} is not empty. */
export function marketsInIndices(reader: Reader, now: Instant): Set<string> {
  const indices = visibleIndices(reader, { tier: 'public', now });
  return new Set(indices.flatMap((each) => namesOf(reader, each).flatMap((names) => [...names])));
}

/**
 * The names for which an index may have rows: those of the definition in effect and, while its change waits to be
 * calculated, of the one before.
 */
function namesOf(reader: Reader, { definition, definition_key }: Adopted<IndexDefinition>) {
  const names = [includedIn(definition)];
  const key = listConstituting(reader).get(definition.ticker);
  if (key === undefined || key === definition_key) return names;
  const before = reader.once(`definition ${key}`, () => findDefinition<IndexDefinition>(reader, key));
  return before ? [...names, includedIn(before)] : names;
}

/** The names that an index includes, without staged ones. They are looked up for each market. */
const includedIn = memoized(
  (definition: IndexDefinition) => new Set(pricedConstituents(definition).map((each) => each.market_id)),
  new WeakMap(),
);

/** The weights of an index's constituents by market. */
function weightsOf(reader: Reader, definition: IndexDefinition): ReadonlyMap<string, number> {
  const rows = constituentRows(reader, definition);
  return new Map(rows.flatMap((row) => ('market_id' in row ? [[row.market_id, row.weight] as const] : [])));
}

export const marketRoutes = [marketDetail, marketCandles, marketIndices];
