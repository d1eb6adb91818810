import { ForemarkError } from '../../model/errors.ts';
import type { ExportRoute, Route } from '../../routes/route.ts';
import { isSearchReady } from '../../store/catalog/search-index.ts';
import { findCatalogState } from '../../store/runs.ts';
import type { Reader } from '../../store/store.ts';

/**
 * Refuses what cannot be answered while the catalog is rebuilt: its lists, and searches.
 *
 * @throws ForemarkError service_unavailable
 */
export function refuseWhileUnavailable(
  reader: Reader,
  { needsCatalog = false, needsSearch }: Pick<Route | ExportRoute, 'needsCatalog' | 'needsSearch'>,
  query: Record<string, unknown>,
): void {
  const searches = needsSearch?.(query) ?? false;
  if (!needsCatalog && !searches) return;
  if (findCatalogState(reader) === 'serving' && (!searches || isSearchReady(reader))) return;
  throw new ForemarkError('service_unavailable', 'the catalog is rebuilding; retry in a few seconds');
}
