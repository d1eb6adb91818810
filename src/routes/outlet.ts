import type { Platform } from '../model/platform.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

/** The document that tells the explorer whether a host of files or the server answers it. */
export const OUTLET_KEY = 'explorer/outlet.json';

/** What an outlet has beside the public documents. */
export interface OutletExtras {
  /** A label for data that is not the venues' own, such as "simulated". */
  label: string;
  cards: boolean;
  bulk: boolean;
  /** What the venues are called, by their tokens; absent where an earlier program published. */
  venues?: Readonly<Partial<Record<Platform, string>>>;
}

/** What can be asked of an outlet: of files the published documents, of the server every public route. */
export function outletBody(answered_by: 'files' | 'server', extras: OutletExtras) {
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
