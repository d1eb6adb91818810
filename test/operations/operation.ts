/** One thing that is done, and what is chosen for it at random. */
import fc from 'fast-check';
import type { Workplace } from './workplace.ts';

export interface Operation {
  /** What it does, with what was chosen. */
  name: string;
  act(place: Workplace): unknown;
}

/** Chooses among as many as there are when it is its turn. */
export const pick = fc.nat({ max: 9_999 });

/** When a command is killed, in a quarter of the choices; it may have ended by then. */
export const killed = fc.option(fc.integer({ min: 200, max: 6_000 }), { freq: 3, nil: undefined });

export const killedText = (killAfter: number | undefined) =>
  killAfter === undefined ? '' : `, killed after ${killAfter} ms`;

/** What a stage may end with: a venue's faults and an editor's are not ours. */
export const DONE = [0, 1, 2];
