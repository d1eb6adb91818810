import { parsePrintedId } from '../../model/constituent-id.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import { byTicker } from '../../store/definitions/definitions.ts';
import type { RouteRequest } from '../route.ts';
import { standingConstituents } from '../standing-constituents.ts';
import { visibleIndices, visibleRates } from '../visibility.ts';

/**
 * The markets behind an index: those that it includes, the sources of the rates that it includes, and the same for the
 * indices that it contains. Staged and settled names do not count.
 */
export function marketsOfIndex(request: RouteRequest, definition: IndexDefinition): string[] {
  const markets = new Set<string>();
  const rates = byTicker(visibleRates(request.reader, request));
  const indices = byTicker(visibleIndices(request.reader, request));
  const waiting = [definition];
  const seen = new Set<IndexDefinition>(waiting);
  for (const each of waiting)
    for (const { market_id } of standingConstituents(request.reader, each)) {
      const named = parsePrintedId(market_id);
      if (!named) markets.add(market_id);
      if (named?.kind === 'rate')
        for (const source of rates.get(named.ticker)?.sources ?? []) markets.add(source.market_id);
      const part = named?.kind === 'index' ? indices.get(named.ticker) : undefined;
      if (!part || seen.has(part)) continue;
      seen.add(part);
      waiting.push(part);
    }
  return [...markets];
}
