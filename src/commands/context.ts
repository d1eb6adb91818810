import type { Config } from '../model/config.ts';
import type { Effects } from '../model/effects.ts';
import type { Sites } from '../routes/route.ts';

/** What every command gets: settings, side effects, and output. */
export interface CommandContext {
  config: Config;
  effects: Effects;
  /** Results for machines instead of people. */
  json: boolean;
  /** Standard output: results. */
  out(text: string): void;
  /** Standard error: progress and what went wrong. */
  err(text: string): void;
  /** Whether standard error is a terminal that bars can be drawn on. */
  isTerminal: boolean;
}

/** Writes a result: as JSON for machines, else in lines for people. */
export function tell({ json, out }: CommandContext, result: object, lines: readonly string[]): void {
  for (const line of json ? [JSON.stringify(result)] : lines) out(line);
}

/** Whether progress bars can be drawn on a stream: a dumb terminal, as in an editor, would print the control sequences. */
export function drawsBars({ isTTY }: { isTTY?: boolean }, terminal: string | undefined): boolean {
  return isTTY === true && terminal !== 'dumb';
}

/** Exit codes, as documented in the README. */
export const EXIT = {
  complete: 0,
  /** Something failed or is missing; the rest was done. */
  partial: 1,
  /** Wrong usage, configuration or definition. */
  usage: 2,
  /** Another run holds the lock, or another publisher was first. */
  busy: 3,
  /** The store, or the folder or bucket that is published to, cannot be used. */
  unusable: 4,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Base addresses of the venues' sites, for links. */
export function sitesOf({ venues }: Config): Required<Sites> {
  return {
    venue_a: venues.venue_a.site,
    venue_b_us: venues.venue_b_us.site,
    venue_b_global: venues.venue_b_global.site,
    venue_c: venues.venue_c.site,
  };
}
