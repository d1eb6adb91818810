import { z } from 'zod';
import { findNote, setNote } from '../store/notes.ts';
import type { Writer } from '../store/store.ts';

/** Note of the id that had the last turn. */
const LAST_TURN = 'last_turn';

/**
 * Those of some ids that are asked about in a run, each in its turn: what is asked about in vain, run after run, keeps
 * none of the others waiting.
 *
 * @param ids ascending
 * @param most that a run asks about
 */
export function takeTurns(writer: Writer, feed: string, ids: readonly string[], most: number): string[] {
  if (ids.length <= most) return [...ids];
  const last = findNote(writer, feed, LAST_TURN, z.string()) ?? '';
  const from = Math.max(
    0,
    ids.findIndex((id) => id > last),
  );
  const turns = [...ids.slice(from), ...ids.slice(0, from)].slice(0, most);
  setNote(writer, feed, LAST_TURN, turns.at(-1) as string);
  return turns;
}
