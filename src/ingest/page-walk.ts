import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A page of a listing, as far as a walk needs it. */
export interface ListingPage {
  /** The cursor of the next page; undefined on the last. */
  next: string | undefined;
  /** The ids of its rows, in order. */
  ids: readonly string[];
}

/** A checkpoint of a walk: the last page that it read, and the digests of those before. */
export interface WalkPlace {
  /** Cursor of that page; absent for the first. */
  cursor?: string | undefined;
  pages: string[];
}

/** Options of a walk that may not finish in time. */
export interface WalkOptions {
  /** Once aborted, no further page is fetched. */
  timeUp?: AbortSignal;
  /** The checkpoint of an earlier walk of the same listing, to resume from. */
  from?: WalkPlace;
  /** Called with a checkpoint when time is up, and when a page could not be fetched or stored. */
  leaveAt?(place: WalkPlace): void;
}

/** Pages without a row, one after another, at which a walk gives up; a filter may empty some pages. */
const MOST_EMPTY = 50;

/** Identifies a page of a listing: 64 bits of a hash of its row ids, in order. */
export function pageDigest({ ids }: ListingPage): string {
  return hash('sha256', JSON.stringify(ids)).slice(0, 16);
}

/**
 * Walks a listing page by page to its end. Venues have answered with the same page under a new cursor, and with a
 * cursor that leads back: either stops the walk, with a reason. So do rows that keep coming back in another order: a
 * few may slip across a page border, but a list is never twice as long as its distinct rows. Empty pages do not count
 * as repetitions, but too many of them in a row stop the walk too.
 *
 * @param keep called with each page that is not a repetition
 * @returns undefined when the listing was walked to its end, else why the walk stopped early
 */
export async function walkPages<Page extends ListingPage>(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
  keep: (page: Page, number: number) => void | Promise<void>,
  { timeUp, from, leaveAt }: WalkOptions = {},
): Promise<string | undefined> {
  const cursors = new Set<string>();
  const digests = new Map((from?.pages ?? []).map((digest, i) => [digest, i + 1]));
  const seen = new Set<number>();
  let rows = 0;
  let empty = 0;
  let cursor = from?.cursor;
  let last = { cursor, before: digests.size };
  const leave = () => {
    leaveAt?.({ cursor: last.cursor, pages: [...digests.keys()].slice(0, last.before) });
  };
  for (let number = digests.size + 1; ; number++) {
    if (timeUp?.aborted) {
      leave();
      const rest = leaveAt ? 'the next run goes on there' : 'the rest of the list was not read';
      return `ingest.deadline_seconds leaves no time for page ${number}; ${rest}`;
    }
    let page: Page;
    try {
      page = await fetchPage(cursor);
      const digest = pageDigest(page);
      const before = page.ids.length > 0 ? digests.get(digest) : undefined;
      if (before !== undefined)
        return `page ${number} repeats page ${before}; the rest of the list was not read`;
      await keep(page, number);
      last = { cursor, before: digests.size };
      digests.set(digest, number);
    } catch (thrown) {
      leave();
      throw thrown;
    }
    if (page.next === undefined) return undefined;
    empty = page.ids.length > 0 ? 0 : empty + 1;
    if (empty === MOST_EMPTY)
      return `${empty} pages in a row up to page ${number} have no rows; the rest of the list was not read`;
    const ids = page.ids.filter((id) => id !== '');
    for (const id of ids) seen.add(crc32(id));
    rows += ids.length;
    if (rows > 2 * seen.size)
      return `the ${rows} rows up to page ${number} have only ${seen.size} different ids; the rest of the list was not read`;
    if (cursors.has(page.next))
      return `page ${number} links back to a page that was read before; the rest of the list was not read`;
    cursors.add(page.next);
    cursor = page.next;
  }
}
