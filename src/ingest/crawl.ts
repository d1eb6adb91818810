import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { forgetPages } from '../store/catalog/page-notes.ts';
import { findNote, setNote } from '../store/notes.ts';
import type { CatalogWalk, WalkState } from './catalog-walk.ts';
import type { VenueRun } from './venues/venue.ts';

/** A full crawl of a listing that ended well: when, how many rows it had, and what was asked of the venue. */
const crawl = z.object({
  at: z.number(),
  /** The run that it began in, which is not that of its end where it took several. */
  began: z.number(),
  rows: z.number(),
  /** Rows that stand in those: markets in their events. */
  nested: z.number().optional(),
  scope: z.string(),
});
type Crawl = z.output<typeof crawl>;

/** How a run reads a listing. */
export interface CrawlPlan {
  /** From when on it asks for changes alone; undefined where it walks the whole listing. */
  since: Instant | undefined;
  /** The last full crawl of the same scope that ended well. */
  last: Crawl | undefined;
  /** What is asked of the venue, as text. */
  scope: string;
}

/** Lists that were read to their ends. */
export interface Crawled {
  rows: number;
  nested: number;
  /** The run that this began in: what was seen since is listed. */
  began: Instant;
}

/** Notes of the last full crawl, and of when changes were last read. */
const FULL_CRAWL = 'full_crawl';
const CHANGES_READ = 'changes_read';
/** A listing with less than this share of the rows of the full crawl before is not believed to be whole. */
const LEAST_SHARE = 0.5;
/** For so long: a list that stays as short has become so, or the one before was too long. */
const BELIEVED_AFTER_MS = DAY_MS;

/**
 * Whether it is time for a full crawl: none of this scope ended well yet, or the last one is older than the
 * setting.
 *
 * @param scope settings that narrow the listing; another scope begins anew
 */
export function planCrawl(run: VenueRun, feed: string, scope: object): CrawlPlan {
  const text = JSON.stringify(scope);
  const known = run.store.read((reader) => findNote(reader, feed, FULL_CRAWL, crawl));
  const last = known?.scope === text ? known : undefined;
  const age = last === undefined ? Number.POSITIVE_INFINITY : run.now - last.at;
  const full = age >= run.config.ingest.full_crawl_minutes * MINUTE_MS;
  return { since: full ? undefined : changesReadAt(run, feed), last, scope: text };
}

/**
 * A full crawl that reached its end; undefined where it is not believed, and the feed then says why. Where there was
 * a full crawl before, the catalog can be served whatever becomes of this one: a run that was killed right after that
 * crawl may not have said so.
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
    return `the venue listed ${rows} events without any market; nothing is taken for gone`;
  if (now - last.at >= BELIEVED_AFTER_MS) return undefined;
  if (rows >= last.rows * LEAST_SHARE) return undefined;
  return `the venue listed ${rows} rows after ${last.rows} in the full crawl before; nothing is taken for gone`;
}

/** Notes a full crawl that ended well. */
export function noteCrawl(
  { run, feed: { report } }: CatalogWalk,
  { scope }: CrawlPlan,
  { rows, nested, began }: Crawled,
): void {
  const { feed } = report;
  const note: Crawl = { at: run.now, began, rows, nested, scope };
  run.store.write((writer) => {
    setNote(writer, feed, FULL_CRAWL, note);
    // What its first pages list may have changed before it ended.
    setNote(writer, feed, CHANGES_READ, began);
    // A page that this crawl did not meet is none of the listing's any more.
    forgetPages(writer, feed, began);
  });
  report.catalog_whole = true;
}

/** The instant up to which a listing's changes are known; undefined before the first full crawl. */
function changesReadAt(run: VenueRun, feed: string): Instant | undefined {
  return run.store.read((reader) => findNote(reader, feed, CHANGES_READ, z.number()));
}

/** Two clocks differ, and a bound in whole seconds is exclusive: what changed just before is asked for again. */
const OVERLAP_MS = MINUTE_MS;

/** The bound, in whole seconds, that asks a venue for what changed since an instant. */
export function changedSince(at: Instant): number {
  return Math.floor((at - OVERLAP_MS) / 1000);
}

/**
 * Notes that a listing's changes were read to their end: what changed after that began is asked for next. What was not
 * believed is asked for once more.
 */
export function noteChangesRead({ run, feed, state }: CatalogWalk, { began }: Crawled): void {
  if (state.doubt === undefined)
    run.store.write((writer) => setNote(writer, feed.report.feed, CHANGES_READ, began));
}
