/**
 * Routes say what may be asked and how it is answered from the store: one record a path, for both tiers and
 * both outlets. A route promises that its answer depends on nothing but its request, so that a published
 * document and the server give the same bytes; it refuses to know HTTP, files and clocks.
 */
import { announcementRoutes } from './announcements.ts';
import { eventRoutes } from './events.ts';
import { indexRoutes } from './indices.ts';
import { marketRoutes } from './markets.ts';
import { rateRoutes } from './rates.ts';
import type { Route } from './route.ts';
import { teamIndexRoutes } from './team-indices.ts';

/** Every route of the product. */
export const routes: readonly Route[] = [
  ...indexRoutes,
  ...teamIndexRoutes,
  ...announcementRoutes,
  ...rateRoutes,
  ...eventRoutes,
  ...marketRoutes,
];
