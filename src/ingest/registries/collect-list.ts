import { z } from 'zod';
import type { Filing } from '../../../model/filing.ts';
import { HOUR_MS } from '../../../model/time.ts';
import { findListed, isFilingKnown, upsertFiling } from '../../../store/filings/filings.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import type { Writer } from '../../../store/store.ts';
import type { CollectorRun } from '../../collector.ts';
import type { Feed } from '../../feed.ts';
import { type ListingPage, walkPages } from '../../page-walk.ts';
import { readInTime } from '../../wire/read-in-time.ts';
import type { Answer } from '../../wire/request.ts';
import { urlOf } from '../../wire/url.ts';
import { leaveOut } from '../../wire/wire-rows.ts';
import { type FilingList, pathOf } from './lists.ts';
import { type FilingsPage, parseListPage } from './parse-list.ts';

/** Progress of the walks of a list. */
const walkNote = z.object({
  /** When the list was last read to its end; null before the first time. */
  whole_at: z.number().nullable(),
  /** Page at which an unfinished walk to the end resumes; null when there is none. */
  next_page: z.number().nullable(),
});
type WalkNote = z.output<typeof walkNote>;

/** A read of new filings stops after this many pages without any; one is not enough, since lists shift meanwhile. */
const QUIET_PAGES = 2;

/** A page of a list with its number and its answer. */
type ListedPage = FilingsPage & ListingPage & { number: number; answer: Answer };

/**
 * Reads a list, newest status first: as far as there is anything new, and now and then to its end, to know what is
 * still listed. An interrupted walk to the end resumes in the next run. Filings of the first walk are marked as
 * backfill, since they were there before.
 */
export async function collectList(run: CollectorRun, list: FilingList): Promise<void> {
  const name = `cftc/${list.feed}`;
  await run.feed(name, async (feed) => {
    const known = run.store.read((reader) => findNote(reader, name, 'walk', walkNote));
    const note = known ?? { whole_at: null, next_page: null };
    const hours = run.config.registries.cftc.full_walk_hours;
    const isDue = note.whole_at === null || run.now - note.whole_at >= hours * HOUR_MS;
    const met = new Set<number>();
    const fetcher = () => pageFetcher(run, feed, list, met);
    if (note.next_page !== null || !isDue) await readNew(run, feed, note, fetcher());
    if (note.next_page !== null || isDue) await readWhole(run, feed, note, fetcher());
    if (feed.report.rows_read === 0) feed.leaveIncomplete('the registry listed no filing');
  });
}

type FetchPage = (number: number) => Promise<ListedPage>;

async function readNew(run: CollectorRun, feed: Feed, note: WalkNote, fetchPage: FetchPage): Promise<void> {
  let quiet = 0;
  const stopped = await walkPages(
    async (cursor) => {
      const page = await fetchPage(Number(cursor ?? 0));
      const isQuiet = run.store.read((reader) => page.filings.every((each) => isFilingKnown(reader, each)));
      quiet = isQuiet ? quiet + 1 : 0;
      return { ...page, next: quiet < QUIET_PAGES ? page.next : undefined };
    },
    (page) => keepPage(run, feed, page, note.whole_at === null, () => {}),
  );
  if (stopped !== undefined) feed.leaveIncomplete(stopped);
}

async function readWhole(run: CollectorRun, feed: Feed, note: WalkNote, fetchPage: FetchPage): Promise<void> {
  // One page back, in case rows have left the list meanwhile.
  const first = Math.max(0, (note.next_page ?? 0) - 1);
  const stopped = await walkPages(
    (cursor) => fetchPage(Number(cursor ?? first)),
    (page) => {
      const isEmpty = page.number === 0 && page.read === 0;
      const isLast = page.next === undefined;
      const after = isLast
        ? { whole_at: isEmpty ? note.whole_at : run.now, next_page: null }
        : { whole_at: note.whole_at, next_page: page.number + 1 };
      keepPage(run, feed, page, note.whole_at === null, (writer) =>
        setNote(writer, feed.report.feed, 'walk', after),
      );
      feed.progress(page.number + 1, page.lastPage === undefined ? page.number + 1 : page.lastPage + 1);
    },
  );
  if (stopped !== undefined) feed.leaveIncomplete(stopped);
}

/**
 * Returns a function that fetches the pages of a list, one after another. A pager tells the last page. A page without a
 * pager may or may not be the whole list, so pages are fetched until one has no rows or only rows seen before.
 *
 * @param met filings that this run has met on the list, filled here. Of a filing that is listed twice, also with an
 *   earlier status, only the first row counts, which has the newer day
 */
function pageFetcher(run: CollectorRun, feed: Feed, list: FilingList, met: Set<number>): FetchPage {
  const seen = new Set<string>();
  let mayBePastEnd = false;
  return async (number) => {
    const { ingest, registries } = run.config;
    const { base_url, site } = registries.cftc;
    const url = urlOf(base_url, pathOf(list), { col: 'Date', dir: 'DESC', page: number });
    const answer = await feed.fetch({ url, format: 'html' });
    const page = readInTime(ingest.parse_timeout_seconds, () =>
      parseListPage(answer.body, list, site, mayBePastEnd),
    );
    const ids = page.filings.map((each) => String(each.filing_id));
    if (mayBePastEnd && ids.every((id) => seen.has(id)))
      return { ...page, filings: [], number, answer, ids: [], next: undefined };
    for (const id of ids) seen.add(id);
    mayBePastEnd = page.lastPage === undefined;
    const goesOn = page.lastPage === undefined ? page.read > 0 : page.lastPage > number;
    const unmet = page.filings.filter(({ filing_id }) => !met.has(filing_id) && met.add(filing_id));
    const filings = unmet.filter((each) => !leaveToOther(run, page, each));
    return { ...page, filings, number, answer, ids, next: goesOn ? String(number + 1) : undefined };
  };
}

/**
 * Leaves out a filing that stands in another list too: a filing has one row, which would change with each list that is
 * read. It stays with the list where it was met first until it was missing there for as long as lies between two whole readings.
 */
function leaveToOther(run: CollectorRun, page: FilingsPage, filing: Filing): boolean {
  const { feeds, full_walk_hours } = run.config.registries.cftc;
  const { filing_id, feed } = filing;
  const other = run.store.read((reader) => {
    const listed = findListed(reader, filing_id);
    if (!listed || listed.feed === feed || !feeds.includes(listed.feed)) return undefined;
    const wholeAt = findNote(reader, `cftc/${listed.feed}`, 'walk', walkNote)?.whole_at ?? 0;
    return wholeAt - listed.last_seen_at < full_walk_hours * HOUR_MS ? listed.feed : undefined;
  });
  if (other === undefined) return false;
  const reason = `it stands in the list ${other} too, where it is read`;
  const position = page.filings.indexOf(filing);
  leaveOut(page, { position, native_id: String(filing_id), path: 'filing_id', reason, expected: true });
  return true;
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
