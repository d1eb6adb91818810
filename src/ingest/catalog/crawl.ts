import { z } from 'zod';
import { DAY_MS, MINUTE_MS, toSeconds } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { forgetPages } from '../../store/catalog/page-notes.ts';
import { findNote, setNote } from '../../store/notes.ts';
import type { VenueRun } from '../venues/venue.ts';
import type { CatalogWalk, WalkState } from './catalog-walk.ts';

/** A completed full crawl of a listing: when it was, how many rows it had, and its scope. */
const crawl = z.object({
  at: z.number(),
  /** Instant of the run that it began in; it may have taken several, and `at` is the last. */
  began: z.number(),
  rows: z.number(),
  /** Rows nested in those: the markets of events. */
  nested: z.number().optional(),
  scope: z.string(),
});
type Crawl = z.output<typeof crawl>;

/** How a run reads a listing. */
export interface CrawlPlan {
  /** Instant since which changes are read; undefined for a full crawl. */
  since: Instant | undefined;
  /** The last completed full crawl of the same scope. */
  last: Crawl | undefined;
  /** The settings that narrow the listing, as JSON. */
  scope: string;
}

/** Lists that were read to their ends. */
export interface Crawled {
  rows: number;
  nested: number;
  /** Instant of the run that this began in: what was seen since is listed. */
  began: Instant;
}

/** Notes of the last full crawl, and of when changes were last read. */
const FULL_CRAWL = 'full_crawl';
const CHANGES_READ = 'changes_read';
/** A listing with less than this share of the rows of the previous full crawl is not believed to be complete. */
const LEAST_SHARE = 0.5;
/**
 * A short listing is believed this long after the previous full crawl: the list has really shrunk, or that crawl was
 * too long.
 */
const BELIEVED_AFTER_MS = DAY_MS;

/**
 * Plans a full crawl if none of this scope was completed yet or the last one is older than the setting, else a reading
 * of the changes.
 *
 * @param scope settings that narrow the listing; after a change of them a full crawl is due
 */
export function planCrawl(run: VenueRun, feed: string, scope: object): CrawlPlan {
  const text = JSON.stringify(scope);
  const { known, readAt } = run.store.read((reader) => ({
    known: findNote(reader, feed, FULL_CRAWL, crawl),
    readAt: findNote(reader, feed, CHANGES_READ, z.number()),
  }));
  const last = known?.scope === text ? known : undefined;
  const age = last === undefined ? Number.POSITIVE_INFINITY : run.now - last.at;
  const full = age >= run.config.ingest.full_crawl_minutes * MINUTE_MS;
  return { since: full ? undefined : readAt, last, scope: text };
}

/**
 * The given full crawl if it is believed; else undefined, and the feed says why. If there was a full crawl before, the
 * catalog can be served whatever becomes of this one. That is reported here again, because a run that was killed right
 * after its full crawl could not report it.
 */
export function acceptCrawl(
  { run, feed, state }: CatalogWalk,
  plan: CrawlPlan,
  crawled: Crawled | undefined,
): Crawled | undefined {
  if (plan.last) feed.report.catalog_whole = true;
  const doubt = crawled && doubtOf(plan, crawled, state, run.now);
  if (doubt === undefined) return crawled;
  feed.leaveIncomplete(doubt);
  return undefined;
}

function doubtOf(
  { last }: CrawlPlan,
  { rows, nested }: Crawled,
  { doubt }: WalkState,
  now: Instant,
): string | undefined {
  if (doubt !== undefined) return doubt;
  if (rows === 0) return 'the venue listed nothing';
  if (last === undefined) return undefined;
  if (nested === 0 && last.nested !== 0)
    return `the venue listed ${rows} events without any market; markets missing from it are not closed`;
  if (now - last.at >= BELIEVED_AFTER_MS) return undefined;
  if (rows >= last.rows * LEAST_SHARE) return undefined;
  return `the venue listed ${rows} rows after ${last.rows} in the full crawl before; markets missing from it are not closed`;
}

/** Notes a completed full crawl. */
export function noteCrawl(
  { run, feed }: CatalogWalk,
  { scope }: CrawlPlan,
  { rows, nested, began }: Crawled,
): void {
  const note: Crawl = { at: run.now, began, rows, nested, scope };
  run.store.write((writer) => {
    setNote(writer, feed.name, FULL_CRAWL, note);
    // From its beginning, since what its first pages list may have changed before it ended.
    setNote(writer, feed.name, CHANGES_READ, began);
    // Pages that this crawl did not meet no longer belong to the listing.
    forgetPages(writer, feed.name, began);
  });
  feed.report.catalog_whole = true;
}

/** Clocks differ, and a bound in whole seconds is exclusive, so changes from just before it are read again. */
const OVERLAP_MS = MINUTE_MS;

/** The bound, in seconds since 1970, to ask a venue for changes since an instant. */
export function changedSince(at: Instant): number {
  return toSeconds(at - OVERLAP_MS);
}

/**
 * Notes that a listing's changes were read to their end, so that the next reading starts where this one began. If an
 * answer was not believed, nothing is noted and the same changes are read again.
 */
export function noteChangesRead({ run, feed, state }: CatalogWalk, { began }: Crawled): void {
  if (state.doubt === undefined) run.store.write((writer) => setNote(writer, feed.name, CHANGES_READ, began));
}
