import { z } from 'zod';
import type { Scope } from '../model/api-key.ts';
import type { Family } from '../model/platform.ts';
import type { Instant } from '../model/units.ts';
import type { Reader } from '../store/store.ts';

/** The public tier, which is published, and the one that needs a key. */
export const TIERS = ['public', 'authenticated'] as const;
export type Tier = (typeof TIERS)[number];

/** The base path of each tier. */
export const BASE: Record<Tier, string> = { public: '/api/v1/public', authenticated: '/api/v1' };

/** Everything that an answer may depend on, so that both outlets give the same bytes. */
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
  /** Whether there is time left for reading related records; unlimited if absent. */
  hasTime?(): boolean;
}

/** Base addresses by family; one without a site has no pages to link to. */
export type Sites = { readonly [F in Family]?: string };

/**
 * One route: what may be asked, and the answer. Both tiers and both outlets (published documents and the server) use the
 * same record.
 */
export interface Route<Shape extends z.ZodObject = z.ZodObject> {
  /** Path below /api/v1 (or /api/v1/public), with at most one {id}. */
  path: string;
  summary: string;
  tiers: readonly Tier[];
  /** Query parameters, parsed from text. Others are ignored. */
  query: Shape;
  /** Parameters that are refused instead of ignored, with the reasons. */
  refuses?: Readonly<Record<string, string>>;
  /** Deprecated parameters, with what to use instead. */
  deprecates?: Readonly<Record<string, { since: Instant; instead: string }>>;
  /** The scope that a key needs on the authenticated tier; markets:read by default, any if every key will do. */
  scope?: Scope | 'any';
  /**
   * Caching that differs from the default: a quarter of an hour for public related lists. Related lists on either tier answer
   * 503 when they take too long to read.
   */
  caching?: 'related' | 'never';
  /** The answer is about request counts, so those in memory are written first. */
  reportsRequests?: boolean;
  /** Answers 503 while the catalog is rebuilt. */
  needsCatalog?: boolean;
  /** Whether a query also answers 503 while the search index is not ready. */
  needsSearch?(query: z.output<Shape>): boolean;
  /** Whether a query is slow, and so answered in a separate thread. */
  takesLong?(query: z.output<Shape>): boolean;
  /** @returns the body; undefined if there is no such id or the asker may not see it */
  answer(request: RouteRequest<z.output<Shape>>): object | undefined;
  /**
   * For the published documents of markets: the answer reads only rows whose changes are tracked, and is published again
   * only when one changed. It may read the clock only inside a tracked read.
   */
  isWatched?: boolean;
  /**
   * For long documents: everything that the answer is made from, in short. While it is the same as at the last publish, so
   * is the answer, which is then not made again. Undefined where there is no answer.
   */
  madeFrom?(request: RouteRequest<z.output<Shape>>): object | undefined;
  /** The ids whose public documents are published, [''] for a path without {id}; absent if none are. */
  documents?(reader: Reader): Iterable<string>;
}

export const EXPORT_FORMATS = ['csv', 'tsv', 'json', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A whole list, streamed row by row on the authenticated tier. Its path ends in {ext}. */
export interface ExportRoute<Shape extends z.ZodObject = z.ZodObject>
  extends Pick<
    Route<Shape>,
    'path' | 'summary' | 'query' | 'refuses' | 'deprecates' | 'needsCatalog' | 'needsSearch'
  > {
  /** The fields of a row, in order; nested values are JSON in a table's cell. */
  columns: readonly string[];
  rows(request: RouteRequest<z.output<Shape>>): Iterable<object>;
}

/** Makes an export whose `rows` is typed by its own query. */
export function exportRoute<Shape extends z.ZodObject>(record: ExportRoute<Shape>): ExportRoute {
  return record;
}

type Queried<Shape extends z.ZodObject> = Omit<Route<Shape>, 'query'> & { query?: Shape };

/** Makes a route whose `answer` is typed by its own query; without a query it has no parameters. */
export function route<Shape extends z.ZodObject>(record: Queried<Shape>): Route {
  return { query: z.object({}), ...record };
}

/**
 * Makes routes whose {id} names one thing that they answer about.
 *
 * @param find the thing that the id names; undefined if there is none or the asker may not see it
 * @param shared fields that the routes have in common
 */
export function routesOf<Found>(
  find: (request: RouteRequest) => Found | undefined,
  shared: Pick<Route, 'scope' | 'documents'>,
) {
  return <Shape extends z.ZodObject>({
    answer,
    madeFrom,
    ...record
  }: Omit<Queried<Shape>, 'tiers' | 'answer' | 'madeFrom'> & {
    answer(found: Found, request: RouteRequest<z.output<Shape>>): object;
    madeFrom?(found: Found, request: RouteRequest<z.output<Shape>>): object;
  }): Route => {
    const ofFound =
      (of: typeof answer): Route<Shape>['answer'] =>
      (request) => {
        const found = find(request);
        return found && of(found, request);
      };
    return route<Shape>({
      ...shared,
      ...record,
      tiers: TIERS,
      answer: ofFound(answer),
      ...(madeFrom && { madeFrom: ofFound(madeFrom) }),
    });
  };
}
