import type { Instant } from './units.ts';

/**
 * The side effects of a run: clock, network, waiting and randomness. They are injected, so that a run can be repeated,
 * and tested without waiting.
 */
export interface Effects {
  now(): Instant;
  fetch: typeof fetch;
  /** Resolves after some milliseconds; rejects when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
}

/** Called with the progress of a piece of work. */
export type Progress = (work: string, done: number, total?: number) => void;
