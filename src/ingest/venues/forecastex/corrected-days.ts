import { hash } from 'node:crypto';
import { z } from 'zod';
import { addDays } from '../../../model/time.ts';
import { validators } from '../../../model/validators.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import { findPayload } from '../../../store/payloads.ts';
import type { Reader, Writer } from '../../../store/store.ts';
import type { Feed } from '../../feed.ts';
import type { Answer } from '../../wire/request.ts';
import type { VenueRun } from '../venue.ts';
import { doubtOf } from './doubt.ts';
import { FEED, fetchPrices } from './fetch-day.ts';
import { keepCorrectedDay } from './keep-day-again.ts';
import { type PriceFile, parsePriceFile } from './parse-files.ts';

/** Note of the files of recent days, which the venue may issue again. */
const RECENT = 'recent_files';
/** After this many days a file is not asked for again. */
const RECENT_DAYS = 7;

const recentFiles = z.array(validators.extend({ day: z.string(), digest: z.string() }));
type RecentFile = z.output<typeof recentFiles>[number];

/** The files of recent days as they were ingested. */
export function listRecent(reader: Reader): RecentFile[] {
  return findNote(reader, FEED, RECENT, recentFiles) ?? [];
}

/** Notes the file of a day as it is ingested. */
export function noteRecent(writer: Writer, day: string, answer: Answer): void {
  const others = listRecent(writer).filter((each) => each.day !== day);
  const noted = { day, digest: digestOf(answer), ...answer.validators };
  const files = [...others, noted].sort((a, b) => (a.day < b.day ? -1 : 1));
  const first = addDays(files.at(-1)?.day ?? day, -RECENT_DAYS);
  const recent = files.filter((each) => each.day >= first);
  setNote(writer, FEED, RECENT, recent);
}

/** Asks whether files of recent days were issued again, and ingests those that were. */
export async function askForCorrections(
  run: VenueRun,
  feed: Feed,
  recent: readonly RecentFile[],
): Promise<void> {
  for (const { day, digest, ...unless } of recent) {
    const answer = await fetchPrices(run, feed, day, unless);
    if (!answer || answer.unchanged || digestOf(answer) === digest) continue;
    const file = await parsePriceFile(answer.body);
    const replaced = await findReplaced(run, digest);
    // A file that may be incomplete is asked for again.
    if (doubtOf(day, file, replaced) !== undefined) continue;
    feed.keep(answer, file, (writer) => {
      noteRecent(writer, day, answer);
      return keepCorrectedDay(writer, { day, file }, replaced, run.now);
    });
  }
}

/** An earlier file by its digest; undefined if it is no longer kept. */
export async function findReplaced(run: VenueRun, digest: string): Promise<PriceFile | undefined> {
  const body = run.store.read((reader) => findPayload(reader, Buffer.from(digest, 'hex')));
  return body && (await parsePriceFile(body));
}

/** The digest of a file. */
export function digestOf({ body }: Answer): string {
  return hash('sha256', body);
}
