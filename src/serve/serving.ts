import type { Readable } from 'node:stream';
import type { Instant } from '../model/units.ts';
import type { Sites } from '../routes/route.ts';
import type { ObjectReader } from '../store/archive/archive.ts';
import type { Store } from '../store/store.ts';
import type { CompressedBodies } from './answers/compression.ts';
import type { Budget, BudgetLimit } from './callers/budget.ts';
import type { UsageRecorder } from './callers/usage-recorder.ts';
import type { ExportRequest } from './threads/exports.ts';
import type { Searches } from './threads/searches.ts';

/** What the application is built from. */
export interface AppOptions {
  store: Store;
  /** What was published; without it no earlier instant can be asked about. */
  archive?: ObjectReader;
  now(): Instant;
  /** Milliseconds that pass also while `now` stands still (`--now`): budgets go by these. `now` when left out. */
  elapsed?(): number;
  sites: Sites;
  /** What the data is, where it is not what the venues say: "simulated". */
  label: string;
  /** Called with the fault behind a 500. */
  report(thrown: unknown, requestId: string): void;
  /** Milliseconds for reading related records; any time when left out. */
  similarityBudgetMs?: number;
  /** Requests that an address may make on public paths; any number when left out. */
  addressBudget?: BudgetLimit & { trusted_hops: number };
  /** Requests that a key may make; any number when left out. */
  keyBudget?: BudgetLimit;
  /** Answers searches and what else takes long beside everything else; in turn with it when left out. */
  searches?: Pick<Searches, 'answer'>;
  /** Makes exports beside everything else; none are answered when left out. @param end is called however it ends */
  startExport?(request: ExportRequest, end: () => void): Readable;
  /** Milliseconds within which an export is to be read, since it holds a snapshot for so long; any time when left out. */
  exportLimitMs?: number;
  /** Counts the requests of accounts. */
  usage?: UsageRecorder;
  /** Whether the server is about to end: it still answers, and says that it is to be asked no more. */
  isDraining?(): boolean;
}

/** State that the handlers of one application share. */
export interface Serving extends AppOptions {
  elapsed(): number;
  bodies: CompressedBodies;
  keys: Budget | undefined;
  /** By organization. */
  exportsUnderWay: Map<string, number>;
}

/** The same of an application that answers exports. */
export type Exporting = Serving & Required<Pick<Serving, 'startExport'>>;
