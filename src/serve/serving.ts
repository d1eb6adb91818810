import type { Readable } from 'node:stream';
import type { Instant } from '../model/units.ts';
import type { Sites } from '../routes/route.ts';
import type { ObjectReader } from '../store/archive/archive.ts';
import type { Store } from '../store/store.ts';
import type { CompressedBodies } from './answers/compression.ts';
import type { Budget, BudgetLimit } from './callers/budget.ts';
import type { UnreadAnswers } from './callers/unread-answers.ts';
import type { UsageRecorder } from './callers/usage-recorder.ts';
import type { ExportRequest } from './threads/exports.ts';
import type { Searches } from './threads/searches.ts';

/** What the application is built with. */
export interface AppOptions {
  store: Store;
  /** What was published; needed for `as_of` and the explorer. */
  archive?: ObjectReader;
  now(): Instant;
  /** A clock for budgets, in milliseconds, that runs even when `now` is fixed (`--now`). Defaults to `now`. */
  elapsed?(): number;
  sites: Sites;
  /** A label for data that is not the venues' own, such as "simulated". */
  label: string;
  /** Called with the fault behind a 500. */
  report(thrown: unknown, requestId: string): void;
  /** Milliseconds for reading related records; unlimited by default. */
  similarityBudgetMs?: number;
  /** Requests that an address may make on public paths; unlimited by default. */
  addressBudget?: BudgetLimit & { trusted_hops: number };
  /** Requests that a key may make; unlimited by default. */
  keyBudget?: BudgetLimit;
  /** Answers searches and other slow requests in a thread of their own; by default they run on this one. */
  searches?: Pick<Searches, 'answer'>;
  /** Starts an export in a thread of its own; without it there are no exports. @param end is called however it ends */
  startExport?(request: ExportRequest, end: () => void): Readable;
  /** Milliseconds within which an export must be read, since it holds a snapshot; unlimited by default. */
  exportLimitMs?: number;
  /** Counts the requests of accounts. */
  usage?: UsageRecorder;
  /** Whether the server is shutting down: it still answers, but /readyz says no. */
  isDraining?(): boolean;
}

/** State that the handlers of one application share. */
export interface Serving extends AppOptions {
  elapsed(): number;
  bodies: CompressedBodies;
  keys: Budget | undefined;
  /** Of keys. */
  unread: UnreadAnswers;
  /** By organization. */
  exportsUnderWay: Map<string, number>;
}

/** The state of an application that answers exports. */
export type Exporting = Serving & Required<Pick<Serving, 'startExport'>>;
