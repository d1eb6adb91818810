/**
 * Routes say what may be asked and how it is answered from the store: one record a path, for both tiers and
 * both outlets. A route promises that its answer depends on nothing but its request, so that a published
 * document and the server give the same bytes; it refuses to know HTTP, files and clocks.
 */
import { announcementRoutes } from './announcements.ts';
import { eventExports, eventRoutes } from './events.ts';
import { filingRoutes } from './filings.ts';
import { indexRoutes } from './indices.ts';
import { marketExports, marketListRoutes } from './market-list.ts';
import { marketRoutes } from './markets.ts';
import { rateExports, rateRoutes } from './rates.ts';
import type { ExportRoute, Route } from './route.ts';
import { teamIndexRoutes } from './team-indices.ts';
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
  ...filingRoutes,
  ...usageRoutes,
];

/** Every list that can be had whole. */
export const exportRoutes: readonly ExportRoute[] = [...marketExports, ...eventExports, ...rateExports];
