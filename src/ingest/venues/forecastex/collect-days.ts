import { z } from 'zod';
import { ForemarkError } from '../../../model/errors.ts';
import { addDays, utcDay } from '../../../model/time.ts';
import { findMarket } from '../../../store/catalog/catalog.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import type { Reader, Writer } from '../../../store/store.ts';
import { reportUnseen } from '../../catalog/catalog-walk.ts';
import type { Feed } from '../../feed.ts';
import type { NamedMarket } from '../../named-markets.ts';
import type { VenueRun } from '../venue.ts';
import { askForCorrections, digestOf, findReplaced, listRecent, noteRecent } from './corrected-days.ts';
import { doubtOf, mayBeOf } from './doubt.ts';
import { FEED, type FetchedDay, fetchDay, fetchProducts } from './fetch-day.ts';
import { keepDay } from './keep-day.ts';
import { type Corrected, keepDayAgain } from './keep-day-again.ts';
import type { PairsBefore } from './lifetime-pairs.ts';
import { askForMissed, listMissed, noteMissed } from './missed-days.ts';
import type { PriceFile } from './parse-files.ts';
import { publishedDays } from './sessions.ts';

/** Note of the newest day that was ingested. */
const THROUGH = 'through';
/** Note of the newest day whose file was ingested although it was doubtful. */
const AS_IT_IS = 'as_it_is';
/** Note of the file of the newest day, which the venue may correct. */
const NEWEST_FILE = 'newest_file';

const newestFile = z.object({
  digest: z.string(),
  /** Lifetime pairs before that day, of the contracts without a readable Yes row. */
  pairs_before: z.array(z.tuple([z.string(), z.number()])),
});

/** The first file of daily prices. */
const FIRST_DAY = '2024-08-01';
/**
 * The longest run of days without a file, holidays and weekends included; after a longer one the files must have moved.
 */
const LONGEST_PAUSE = 7;
/** A doubtful file is read again until this many later days are due: the venue corrects it soon or never. */
const LATER_FILES = 3;

/**
 * Reads new daily files, in order. A day without a file is a holiday or not yet published, and is asked for again for
 * some time. The newest file is read again when it has changed; those of the days before are asked for again when
 * there is a newer one.
 */
export async function collectDays(run: VenueRun): Promise<void> {
  await run.feed(FEED, async (feed) => {
    const through = run.store.read(findThrough);
    const days = publishedDays(through === undefined ? firstDay(run) : addDays(through, 1), run.now);
    feed.report.catalog_whole = through !== undefined;
    const before = through === undefined ? undefined : await fetchKnownDay(run, feed, through, days.length);
    const missed = run.store.read(listMissed);
    const recent = run.store.read(listRecent).filter(({ day }) => day !== through);
    const newest = await takeNewDays(run, feed, days, before);
    if (newest !== before) {
      await feed.part(() => askForMissed(run, feed, missed));
      await feed.part(() => askForCorrections(run, feed, recent));
    }
    reportPause(run, feed);
    reportUnseen(feed, selectUnlisted(run, feed, newest));
  });
}

/** The named contracts that the newest file does not list, or whose Yes row cannot be read, unless they have ended. */
function selectUnlisted(
  { store, named }: VenueRun,
  feed: Feed,
  newest: PriceFile | undefined,
): NamedMarket[] {
  const read = new Set(newest?.rows.map((row) => row.event_contract));
  return store.read((reader) =>
    named.filter(({ market_id, native_id }) => {
      const market = findMarket(reader, market_id);
      if (!market) return true;
      if (!newest || market.status !== 'active' || read.has(native_id)) return false;
      if (newest.contracts.has(native_id)) feed.noteUnreadable(native_id);
      return true;
    }),
  );
}

/**
 * Ingests the files of days, in order, up to a doubtful one that is to be read again.
 *
 * @param known the file before them
 * @returns the newest that was ingested; the file before them if none was
 */
async function takeNewDays(
  run: VenueRun,
  feed: Feed,
  days: readonly string[],
  known: PriceFile | undefined,
): Promise<PriceFile | undefined> {
  let before = known;
  let absent: string[] = [];
  for (const [i, day] of days.entries()) {
    const fetched = await fetchDay(run, feed, day);
    const doubt = fetched && doubtOf(day, fetched.file, before);
    const isUsable = fetched && mayBeOf(day, fetched.file);
    if (doubt !== undefined) {
      const waits = days.length - 1 - i < LATER_FILES;
      const what = waits ? 'will be read again' : isUsable ? 'was used as it is' : 'was not used';
      feed.leaveIncomplete(`the file of ${day} ${doubt}; it ${what}`);
      if (waits) break;
    }
    if (isUsable) {
      await takeDay(run, feed, fetched, { day, before, absent, isDoubtful: doubt !== undefined });
      before = fetched.file;
      absent = [];
    } else absent.push(day);
    feed.progress(i + 1, days.length);
  }
  return before;
}

/** Ingests the file of a day, and notes the days without a file before it. */
async function takeDay(
  run: VenueRun,
  feed: Feed,
  fetched: FetchedDay,
  { day, before, absent, isDoubtful }: NewDay,
): Promise<void> {
  const { answer, file } = fetched;
  const products = await fetchProducts(run, feed, day);
  const whole = { day, file, products, before, first: day === FIRST_DAY };
  feed.keep(answer, file, (writer) => {
    setNote(writer, FEED, THROUGH, day);
    if (isDoubtful) setNote(writer, FEED, AS_IT_IS, day);
    noteMissed(writer, absent, day);
    const { left_out, ...kept } = keepDay(writer, whole, run.now);
    noteFile(writer, day, fetched, left_out);
    return kept;
  });
  feed.report.catalog_whole = true;
}

interface NewDay {
  day: string;
  /** The previous file, if it is known. */
  before: PriceFile | undefined;
  /** The days without a file since then. */
  absent: readonly string[];
  isDoubtful: boolean;
}

function findThrough(reader: Reader): string | undefined {
  return findNote(reader, FEED, THROUGH, z.string());
}

function reportPause(run: VenueRun, feed: Feed): void {
  const through = run.store.read(findThrough);
  const pause = through === undefined ? undefined : publishedDays(addDays(through, 1), run.now).length;
  if (pause === undefined) feed.leaveIncomplete('the venue has published no file');
  else if (pause > LONGEST_PAUSE)
    feed.leaveIncomplete(`no file was published for ${pause} days, since that of ${through}`);
}

// History begins where definitions or settings ask for it; the volume of contracts listed before that is unknown.
function firstDay(run: VenueRun): string {
  const { days } = run.config.venues.venue_c_forecastex;
  const today = utcDay(run.now);
  const wanted = run.named.map((each) => utcDay(each.history_from));
  const [earliest = today] = [...wanted, addDays(today, -days)].sort();
  return earliest < FIRST_DAY ? FIRST_DAY : earliest;
}

/**
 * Fetches the newest ingested file again, because the next one is compared with it, which shows which contracts are
 * new, and the payouts of those that are gone. While the file is incomplete or of another day, although it was not when
 * it was ingested, the next one waits.
 *
 * @param later number of days since then whose files may be published
 * @throws ForemarkError invalid_payload
 */
async function fetchKnownDay(
  run: VenueRun,
  feed: Feed,
  day: string,
  later: number,
): Promise<PriceFile | undefined> {
  const found = await fetchDay(run, feed, day);
  const fetched = found && mayBeOf(day, found.file) ? found : undefined;
  const known = run.store.read((reader) => findNote(reader, FEED, NEWEST_FILE, newestFile));
  const changed = fetched && known?.digest !== digestOf(fetched.answer) ? known : undefined;
  const replaced = changed && (await findReplaced(run, changed.digest));
  const doubt = found ? doubtOf(day, found.file, replaced) : 'no longer exists';
  const asItIs = run.store.read((reader) => findNote(reader, FEED, AS_IT_IS, z.string()));
  if (doubt !== undefined && day !== asItIs && later <= LONGEST_PAUSE)
    throw new ForemarkError(
      'invalid_payload',
      `the file of ${day}, with which the next one is compared, ${doubt}`,
    );
  if (fetched && changed)
    await takeCorrection(run, feed, day, fetched, { replaced, pairsBefore: new Map(changed.pairs_before) });
  return fetched?.file;
}

/** Ingests the newest file again, which has changed. */
async function takeCorrection(
  run: VenueRun,
  feed: Feed,
  day: string,
  fetched: FetchedDay,
  corrected: Corrected,
): Promise<void> {
  const { answer, file } = fetched;
  const products = await fetchProducts(run, feed, day);
  feed.keep(answer, file, (writer) => {
    noteFile(writer, day, fetched, corrected.pairsBefore);
    return keepDayAgain(writer, { day, file, products }, corrected, run.now);
  });
}

function noteFile(writer: Writer, day: string, { answer }: FetchedDay, before: PairsBefore): void {
  setNote(writer, FEED, NEWEST_FILE, { digest: digestOf(answer), pairs_before: [...before] });
  noteRecent(writer, day, answer);
}
