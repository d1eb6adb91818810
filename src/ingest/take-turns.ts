import { z } from 'zod';
import { findNote, setNote } from '../store/notes.ts';
import type { Writer } from '../store/store.ts';

/** Note of the id that had the last turn. */
const LAST_TURN = 'last_turn';

/**
 * Selects the ids to ask about in this run, in rotation over the runs, so that ids that fail every time do not hold up
 * the others.
 *
 * @param ids ascending
 * @param most ids in a run
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
