/**
 * The files that the explorer reads beside the public documents: their keys and contents. This file also runs in the
 * browser, so it imports nothing from Node.
 */
import type { Platform } from '../model/platform.ts';
import type { FeedRow } from '../store/feeds.ts';
import type { RunRow } from '../store/runs.ts';
import type { ApiDescription } from './shapes/openapi-description.ts';

/** The description of the live tree. */
export const PUBLICATION_KEY = 'publication.json';
/** The API description; the server has it under the same address. */
export const OPENAPI_KEY = 'api/v1/openapi.json';
/** The description of the outlet, by which the explorer knows whether a host of files or the server answers. */
export const OUTLET_KEY = 'explorer/outlet.json';
export const STATUS_KEY = 'explorer/status.json';
/** The names that can be searched on a host of files. */
export const NAMES_KEY = 'explorer/names.json';
/** The last month of all indices and rates. */
export const SPARKLINES_KEY = 'cards/sparklines.json';

/** The key of the marks of an index's or rate's names at its closes. @param encodedId its ticker in the encoded form */
export function marksKey(kind: 'indices' | 'rates', encodedId: string) {
  return `explorer/marks/${kind}/${encodedId}.json` as const;
}

/** The content of each file, by its key. */
export interface PageFiles {
  [PUBLICATION_KEY]: Publication;
  [OPENAPI_KEY]: ApiDescription;
  [OUTLET_KEY]: Outlet;
  [STATUS_KEY]: Status;
  [NAMES_KEY]: { data: NamedMarket[] };
  [SPARKLINES_KEY]: Sparklines;
  [marks: ReturnType<typeof marksKey>]: Marks;
}

/** The generation that the live tree holds completely. */
interface Publication {
  generation: number;
  /** The digest of its record. */
  sha256: string;
  as_of: string;
  checked_at: string;
  label: string;
  documents: number;
  /** The precompressed forms beside documents. */
  variants?: readonly string[];
}

/** What an outlet offers besides the public documents. */
export interface OutletExtras {
  /** A label for data that is not the venues' own, such as "simulated". */
  label: string;
  cards: boolean;
  bulk: boolean;
  /** The names of the venues, by token; absent if an older program published. */
  venues?: Readonly<Partial<Record<Platform, string>>>;
}

export interface Outlet extends OutletExtras {
  answered_by: 'files' | 'server';
  paths: { path: string; parameters: string[] }[];
}

/** The state of the feeds and the last runs. */
export interface Status {
  feeds: StatusFeed[];
  runs: StatusRun[];
}

export interface StatusFeed extends Pick<FeedRow, 'feed' | 'condition' | 'rows_read' | 'rows_left_out'> {
  tried_at: string;
  good_at?: string | undefined;
}

export interface StatusRun {
  command: string;
  started_at: string;
  finished_at?: string | undefined;
  outcome?: NonNullable<RunRow['outcome']> | undefined;
}

/** A market that can be found by its question. */
export interface NamedMarket {
  market_id: string;
  question: string;
  /** A rate that it is a source of, if it is in no index. */
  rate?: string | undefined;
}

/** The last month of an index or rate. */
export interface Sparkline {
  values: number[];
  change_7d?: number | undefined;
  /** Names of an index whose trading was halted at the last print. */
  halted?: number | undefined;
}

/** By ticker. */
export type Sparklines = Record<'indices' | 'rates', Record<string, Sparkline>>;

/** Marks by name, one for each close: cents, or the level of an index; null if it had none. */
export interface Marks {
  closes: string[];
  names: Record<string, (number | null)[]>;
}
