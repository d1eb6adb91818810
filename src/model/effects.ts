import type { Instant } from './units.ts';

/**
 * The outside world of a run: clock, network, waiting and chance. Handed in, so that a run can be repeated,
 * and tested without waiting.
 */
export interface Effects {
  now(): Instant;
  fetch: typeof fetch;
  /** Resolves after some milliseconds; rejects as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 to below 1. */
  random(): number;
}

/** Called with the progress of a piece of work. */
export type Progress = (work: string, done: number, total?: number) => void;
