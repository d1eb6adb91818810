import type { Instant } from './units.ts';

/** The outside world, handed in: nothing below the command line reads a clock or draws a number by itself. */
export interface Effects {
  now(): Instant;
  fetch: typeof fetch;
  sleep(ms: number): Promise<void>;
  /** A number from 0 up to 1, for the jitter of retries. */
  random(): number;
}

/** Is told how far a piece of work has come. */
export type Progress = (work: string, done: number, total?: number) => void;
