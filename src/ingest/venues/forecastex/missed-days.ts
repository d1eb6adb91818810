import { z } from 'zod';
import { addDays } from '../../../model/time.ts';
import { noteLateHistory } from '../../../store/late-history.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import { findLastRun } from '../../../store/prints/calculations.ts';
import type { Reader, Writer } from '../../../store/store.ts';
import type { Feed } from '../../feed.ts';
import type { VenueRun } from '../venue.ts';
import { observationOf } from './contracts.ts';
import { noteRecent } from './corrected-days.ts';
import { doubtOf } from './doubt.ts';
import { FEED, fetchDay } from './fetch-day.ts';
import type { DayFile } from './keep-day.ts';
import { keepLateDay } from './keep-day-again.ts';
import { sessionEnd } from './sessions.ts';

/** Note of days without a file, before a day that had one. */
const MISSED = 'missed';
/** After this many days a day without a file counts as a holiday. */
const MISSED_FOR_DAYS = 7;

/** Days that had no file when that of a later day was published. */
export function listMissed(reader: Reader): string[] {
  return findNote(reader, FEED, MISSED, z.array(z.string())) ?? [];
}

/** Notes days that had no file when that of a later day, `taken`, is ingested. */
export function noteMissed(writer: Writer, absent: readonly string[], taken: string): void {
  const recent = [...listMissed(writer), ...absent].filter((day) => day >= addDays(taken, -MISSED_FOR_DAYS));
  setNote(writer, FEED, MISSED, recent);
}

/** Asks for missed days again, and ingests the files that are published by now. */
export async function askForMissed(run: VenueRun, feed: Feed, missed: readonly string[]): Promise<void> {
  for (const day of missed) {
    const fetched = await fetchDay(run, feed, day);
    // A file that may be incomplete is asked for again.
    if (!fetched || doubtOf(day, fetched.file, undefined) !== undefined) continue;
    const { answer, file } = fetched;
    feed.keep(answer, file, (writer) => {
      const left = listMissed(writer).filter((each) => each !== day);
      setNote(writer, FEED, MISSED, left);
      noteRecent(writer, day, answer);
      noteLateTrades(writer, run, { day, file });
      return keepLateDay(writer, { day, file }, run.now);
    });
  }
}

/** Notes that hours were calculated without a day's trades, if definitions name contracts that traded. */
function noteLateTrades(writer: Writer, { named, now }: VenueRun, { day, file }: DayFile): void {
  const end = sessionEnd(day);
  if ((findLastRun(writer) ?? Number.NEGATIVE_INFINITY) < end) return;
  const priced = new Set(named.flatMap((each) => (each.priced_from <= end ? [each.native_id] : [])));
  if (file.rows.some((row) => priced.has(row.event_contract) && observationOf(row, day)))
    noteLateHistory(writer, end, now);
}
