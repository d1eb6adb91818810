/**
 * The files that pages read beside the public documents: the key of each, and what it holds. The browser is one of
 * their readers, so nothing of Node is imported here.
 */
import type { Platform } from '../model/platform.ts';
import type { FeedRow } from '../store/feeds.ts';
import type { RunRow } from '../store/runs.ts';
import type { ApiDescription } from './shapes/openapi-description.ts';

/** Says what the live tree holds. */
export const PUBLICATION_KEY = 'publication.json';
/** The description of the interface; the server answers it under the same address. */
export const OPENAPI_KEY = 'api/v1/openapi.json';
/** Tells the explorer whether a host of files or the server answers it. */
export const OUTLET_KEY = 'explorer/outlet.json';
/** How the work behind the documents goes. */
export const STATUS_KEY = 'explorer/status.json';
/** The names that a host of files is searched by. */
export const NAMES_KEY = 'explorer/names.json';
/** The month's values of all indices and rates. */
export const SPARKLINES_KEY = 'cards/sparklines.json';

/** The marks of what an index or rate is made of, at its closes. @param encodedId its ticker as it stands in keys */
export function marksKey(kind: 'indices' | 'rates', encodedId: string) {
  return `explorer/marks/${kind}/${encodedId}.json` as const;
}

/** What each file holds, by its key. */
export interface PageFiles {
  [PUBLICATION_KEY]: Publication;
  [OPENAPI_KEY]: ApiDescription;
  [OUTLET_KEY]: Outlet;
  [STATUS_KEY]: Status;
  [NAMES_KEY]: { data: NamedMarket[] };
  [SPARKLINES_KEY]: Sparklines;
  [marks: ReturnType<typeof marksKey>]: Marks;
}

/** The generation that the live tree holds whole. */
interface Publication {
  generation: number;
  /** The digest of its record. */
  sha256: string;
  as_of: string;
  checked_at: string;
  label: string;
  documents: number;
  /** The encodings that documents lie ready in. */
  variants?: readonly string[];
}

/** What an outlet has beside the public documents. */
export interface OutletExtras {
  /** A label for data that is not the venues' own, such as "simulated". */
  label: string;
  cards: boolean;
  bulk: boolean;
  /** What the venues are called, by their tokens; absent where an earlier program published. */
  venues?: Readonly<Partial<Record<Platform, string>>>;
}

/** What can be asked of an outlet. */
export interface Outlet extends OutletExtras {
  answered_by: 'files' | 'server';
  paths: { path: string; parameters: string[] }[];
}

/** How each feed stands, and how the last runs went. */
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

/** A market by its question. */
export interface NamedMarket {
  market_id: string;
  question: string;
  /** A rate that it is a source of, where it is in no index. */
  rate?: string | undefined;
}

/** The month's values of an index or rate. */
export interface Sparkline {
  values: number[];
  change_7d?: number | undefined;
  /** Names of an index whose trading was halted at the last print. */
  halted?: number | undefined;
}

/** By ticker. */
export type Sparklines = Record<'indices' | 'rates', Record<string, Sparkline>>;

/** Marks by name, one a close: cents, of an index its level; null where it had none. */
export interface Marks {
  closes: string[];
  names: Record<string, (number | null)[]>;
}
