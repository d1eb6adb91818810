import { z } from 'zod';
import type { Scope } from '../model/api-key.ts';
import type { Instant } from '../model/units.ts';
import type { Reader } from '../store/store.ts';

/** The anonymous tier that is published, and the one that needs a key. */
export const TIERS = ['public', 'authenticated'] as const;
export type Tier = (typeof TIERS)[number];

/** Where the paths of each tier stand. */
export const BASE: Record<Tier, string> = { public: '/api/v1/public', authenticated: '/api/v1' };

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
  /** Whether time is left for reading related records; without it there always is. */
  hasTime?(): boolean;
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
  /** Parameters that still work and will not for ever, each with what to use instead. */
  deprecates?: Readonly<Record<string, { since: Instant; instead: string }>>;
  /** What a key must be allowed to read, on the authenticated tier; markets:read when left out. */
  scope?: Scope;
  /**
   * How long caches may keep answers, where that is not the default: public related lists a quarter of an
   * hour. Related lists of either tier answer 503 when they take too long to read.
   */
  caching?: 'related' | 'never';
  /** The answer is about requests, so the counts in memory are written first. */
  reportsRequests?: boolean;
  /** Answers 503 while the list catalog rebuilds. */
  needsCatalog?: boolean;
  /** Whether a query answers 503 also while nothing can be searched. */
  needsSearch?(query: z.output<Shape>): boolean;
  /** Whether a query may take so long that it is answered in a thread of its own. */
  takesLong?(query: z.output<Shape>): boolean;
  /** @returns the body, or undefined when the id is unknown to the asker */
  answer(request: RouteRequest<z.output<Shape>>): object | undefined;
  /**
   * Public twin, of documents of markets: the answer reads only rows of which it is noted when they change, and is
   * published again only then. It may read the clock only where it says so.
   */
  isWatched?: boolean;
  /** Public twin: the ids whose documents are published, [''] for a path without {id}. */
  documents?(reader: Reader): Iterable<string>;
}

/** The forms in which a list can be had whole. */
export const EXPORT_FORMATS = ['csv', 'tsv', 'json', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A list that can be had whole, row by row, on the authenticated tier: its path ends in {ext}. */
export interface ExportRoute<Shape extends z.ZodObject = z.ZodObject>
  extends Pick<
    Route<Shape>,
    'path' | 'summary' | 'query' | 'refuses' | 'deprecates' | 'needsCatalog' | 'needsSearch'
  > {
  /** Fields of a row, in order; what is nested stands in a table's cell as JSON. */
  columns: readonly string[];
  rows(request: RouteRequest<z.output<Shape>>): Iterable<object>;
}

/** Makes a record whose rows know the types of its own query. */
export function exportRoute<Shape extends z.ZodObject>(record: ExportRoute<Shape>): ExportRoute {
  return record;
}

type Queried<Shape extends z.ZodObject> = Omit<Route<Shape>, 'query'> & { query?: Shape };

/** Makes a record whose answer knows the types of its own query; without one it reads no parameter. */
export function route<Shape extends z.ZodObject>(record: Queried<Shape>): Route {
  return { query: z.object({}), ...record };
}

/**
 * Makes the records of paths whose {id} names one thing, which answer of it; what the asker may not see is not found.
 *
 * @param find what the id names
 * @param shared what the records say alike
 */
export function routesOf<Found>(
  find: (request: RouteRequest) => Found | undefined,
  shared: Pick<Route, 'scope' | 'documents'>,
) {
  return <Shape extends z.ZodObject>({
    answer,
    ...record
  }: Omit<Queried<Shape>, 'tiers' | 'answer'> & {
    answer(found: Found, request: RouteRequest<z.output<Shape>>): object;
  }): Route =>
    route<Shape>({
      ...shared,
      ...record,
      tiers: TIERS,
      answer(request) {
        const found = find(request);
        return found && answer(found, request);
      },
    });
}
