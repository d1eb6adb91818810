import type { Instant } from './units.ts';

/** What the outside world does to a run. Handed in, so that a run can be repeated and tested without waiting. */
export interface Effects {
  now(): Instant;
  fetch: typeof fetch;
  /** Resolves after some milliseconds; rejects as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 to below 1. */
  random(): number;
}

/** Is told how far a piece of work has come. */
export type Progress = (work: string, done: number, total?: number) => void;
