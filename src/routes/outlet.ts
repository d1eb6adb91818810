import type { Outlet, OutletExtras } from './page-files.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

/** Describes what an outlet answers: a host of files the published documents, the server every public route. */
export function outletBody(answered_by: 'files' | 'server', extras: OutletExtras): Outlet {
  const open = routes.filter((each) => each.tiers.includes('public'));
  const asked = answered_by === 'server' ? open : open.filter((each) => each.documents);
  return {
    ...extras,
    answered_by,
    paths: asked.map(({ path, ...route }) => ({
      path,
      parameters: answered_by === 'server' ? parametersOf(route) : [],
    })),
  };
}

function parametersOf({ query, refuses = {} }: Pick<Route, 'query' | 'refuses'>): string[] {
  return Object.keys(query.shape).filter((name) => !(name in refuses));
}
