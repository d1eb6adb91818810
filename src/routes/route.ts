import type { z } from 'zod';
import type { Scope } from '../model/api-key.ts';
import type { Instant } from '../model/units.ts';
import type { Reader } from '../store/store.ts';

/** The anonymous tier that is published, and the one that needs a key. */
export const TIERS = ['public', 'authenticated'] as const;
export type Tier = (typeof TIERS)[number];

/** What an answer may depend on. Nothing else enters it, so that both outlets give the same bytes. */
export interface RouteRequest<Query = Record<string, unknown>> {
  reader: Reader;
  now: Instant;
  tier: Tier;
  /** Authenticated tier: the organization of the key. */
  organization?: string;
  /** The path's {id}, decoded; '' where the path has none. */
  id: string;
  query: Query;
  /** Base addresses of the venues' sites, for links. */
  sites: Sites;
}

/** Base addresses; a family without a site has no pages to link to. */
export interface Sites {
  venue_a: string;
  /** Venue B Global's. */
  venue_b: string;
  venue_b_us?: string;
  venue_c?: string;
}

/**
 * One route: what is asked, and the answer. Both tiers and both outlets (published documents and the server)
 * go by the same record.
 */
export interface Route<Shape extends z.ZodObject = z.ZodObject> {
  /** Path below /api/v1 (or /api/v1/public), with at most one {id}. */
  path: string;
  summary: string;
  tiers: readonly Tier[];
  /** Query parameters, each from its text. Parameters that are not named here are ignored. */
  query: Shape;
  /** Parameters that are refused instead of passed over, each with the reason. */
  refuses?: Readonly<Record<string, string>>;
  /** What a key must be allowed to read, on the authenticated tier; markets:read when left out. */
  scope?: Scope;
  /** Answers 503 while the list catalog rebuilds. */
  needsCatalog?: boolean;
  /** @returns the body, or undefined when the id is unknown to who asks */
  answer(request: RouteRequest<z.output<Shape>>): object | undefined;
  /** Public twin: the ids whose documents are published, [''] for a path without {id}. */
  documents?(reader: Reader): Iterable<string>;
}

/** Makes a record whose answer knows the types of its own query. */
export function route<Shape extends z.ZodObject>(record: Route<Shape>): Route {
  return record;
}
