/**
 * Routes say what may be asked and how it is answered from the store: one record for each path, used by both tiers and both
 * outlets. A route promises that its answer depends on nothing but its request, so that the published document and the
 * server's answer have the same bytes. It knows nothing of HTTP, files and clocks.
 */

import { eventExports, eventRoutes } from './catalog/events.ts';
import { marketExports, marketListRoutes } from './catalog/market-list.ts';
import { marketRoutes } from './catalog/markets.ts';
import { filingRoutes } from './filings/filings.ts';
import { announcementRoutes } from './indices/announcements.ts';
import { indexRoutes } from './indices/indices.ts';
import { teamIndexRoutes } from './indices/team-indices.ts';
import { rateExports, rateRoutes } from './rates/rates.ts';
import { relatedFilingRoutes } from './related/related-filings.ts';
import { relatedMarketRoutes } from './related/related-markets.ts';
import { relatedNewsRoutes } from './related/related-news.ts';
import type { ExportRoute, Route } from './route.ts';
import { usageRoutes } from './usage.ts';

/** Every route of the product. */
export const routes: readonly Route[] = [
  ...indexRoutes,
  ...teamIndexRoutes,
  ...announcementRoutes,
  ...rateRoutes,
  ...eventRoutes,
  ...marketListRoutes,
  ...marketRoutes,
  ...relatedMarketRoutes,
  ...relatedNewsRoutes,
  ...relatedFilingRoutes,
  ...filingRoutes,
  ...usageRoutes,
];

/** Every export. */
export const exportRoutes: readonly ExportRoute[] = [...marketExports, ...eventExports, ...rateExports];
