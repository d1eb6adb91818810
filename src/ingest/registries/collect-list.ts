import { z } from 'zod';
import type { Filing } from '../../model/filing.ts';
import { HOUR_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { isFilingKnown, upsertFiling } from '../../store/filings/filings.ts';
import { findNote, setNote } from '../../store/notes.ts';
import type { Reader, Writer } from '../../store/store.ts';
import type { CollectorRun } from '../collector.ts';
import type { Feed } from '../feed.ts';
import type { ListingPage } from '../page-walk.ts';
import type { Answer } from '../wire/request.ts';
import type { ReadPage } from '../wire/wire-rows.ts';

/** Progress of the walks of a list. */
const walkNote = z.object({
  /** When the list was last read to its end; null before the first time. */
  whole_at: z.number().nullable(),
  /** Page at which an unfinished walk to the end resumes; null when there is none. */
  next_page: z.number().nullable(),
});
type WalkNote = z.output<typeof walkNote>;

const WALK = 'walk';

/** When a list was last read to its end; undefined before the first time. */
export function findWholeRead(reader: Reader, feed: string): Instant | undefined {
  return findNote(reader, feed, WALK, walkNote)?.whole_at ?? undefined;
}

/** A read of new filings stops after this many pages without any; one is not enough, since lists shift meanwhile. */
const QUIET_PAGES = 2;

/** A page of a list with its number and its answer. */
interface ListedPage extends ListingPage, ReadPage {
  filings: readonly Filing[];
  number: number;
  /** The number of the last page, if the registry tells it. */
  lastPage: number | undefined;
  answer: Answer;
}

/** Fetches a page of a list by its number, from 0; the cursor of a page is its number. */
export type FetchPage = (number: number) => Promise<ListedPage>;

export interface ListSource {
  feed: string;
  full_walk_hours: number;
  /** Makes the function that fetches the pages of one walk, one after another. */
  fetcher(feed: Feed): FetchPage;
}

/**
 * Reads a list, newest status first: as far as there is anything new, and now and then to its end, to know what is
 * still listed. An interrupted walk to the end resumes in the next run, and starts over if the list no longer has its
 * page. Filings of the first walk are marked as backfill, since they were there before.
 */
export async function collectList(run: CollectorRun, list: ListSource): Promise<void> {
  await run.feed(list.feed, async (feed) => {
    const known = run.store.read((reader) => findNote(reader, list.feed, WALK, walkNote));
    const note = known ?? { whole_at: null, next_page: null };
    const isDue = note.whole_at === null || run.now - note.whole_at >= list.full_walk_hours * HOUR_MS;
    if (note.next_page !== null || !isDue) await readNew(run, feed, note, list.fetcher(feed));
    if (note.next_page !== null || isDue) await readWhole(run, feed, note, list.fetcher(feed));
    if (feed.report.rows_read === 0) feed.leaveIncomplete('the registry listed no filing');
  });
}

async function readNew(run: CollectorRun, feed: Feed, note: WalkNote, fetchPage: FetchPage): Promise<void> {
  let quiet = 0;
  await feed.walk(
    async (cursor) => {
      const page = await fetchPage(Number(cursor ?? 0));
      const isQuiet = run.store.read((reader) => page.filings.every((each) => isFilingKnown(reader, each)));
      quiet = isQuiet ? quiet + 1 : 0;
      return { ...page, next: quiet < QUIET_PAGES ? page.next : undefined };
    },
    (page) => keepPage(run, feed, page, note.whole_at === null, () => {}),
  );
}

async function readWhole(run: CollectorRun, feed: Feed, note: WalkNote, fetchPage: FetchPage): Promise<void> {
  // One page back, in case rows have left the list meanwhile.
  const first = Math.max(0, (note.next_page ?? 0) - 1);
  await feed.walk(
    (cursor) => fetchPage(Number(cursor ?? first)),
    (page) => {
      const isEmpty = page.number === first && page.read === 0;
      const isLast = page.next === undefined;
      const after = isLast
        ? { whole_at: isEmpty ? note.whole_at : run.now, next_page: null }
        : { whole_at: note.whole_at, next_page: page.number + 1 };
      keepPage(run, feed, page, note.whole_at === null, (writer) => setNote(writer, feed.name, WALK, after));
      // A pager does not link to its own page, so the last one names the page before.
      feed.progress(page.number + 1, Math.max(page.number, page.lastPage ?? 0) + 1);
    },
  );
}

function keepPage(
  run: CollectorRun,
  feed: Feed,
  page: ListedPage,
  backfill: boolean,
  note: (writer: Writer) => void,
): void {
  feed.keep(page.answer, page, (writer) => {
    let rows_changed = 0;
    // Oldest first, the order of the change feed.
    for (const filing of page.filings.toReversed())
      if (upsertFiling(writer, filing, run.now, backfill)) rows_changed++;
    note(writer);
    return { rows_changed };
  });
}
