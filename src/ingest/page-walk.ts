import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { given } from '../model/given.ts';

/** A page of a listing, with what tells it apart from another. */
export interface ListingPage {
  /** The cursor of the next page; undefined on the last. */
  next: string | undefined;
  /** The ids of its rows, in order. */
  ids: readonly string[];
}

/** How far a walk came: the last page that it has read, and the digests of those before. */
export interface WalkPlace {
  /** Absent where that is the first. */
  cursor?: string;
  pages: string[];
}

/** What a walk over a listing that may outlast its time is told. */
export interface WalkOptions {
  /** After it no page is asked for any more. */
  timeUp?: AbortSignal;
  /** Where an earlier walk of the same listing was left. */
  from?: WalkPlace;
  /** Called with where it stands, when its time is up and when a page could not be fetched or kept. */
  leaveAt?(place: WalkPlace): void;
}

/** Pages without a row, one after the other, that a filter may leave of a listing. */
const MOST_EMPTY = 50;

/** What tells a page apart from others of its listing: the ids of its rows in their order, in 64 bits. */
export function pageDigest({ ids }: ListingPage): string {
  return hash('sha256', JSON.stringify(ids)).slice(0, 16);
}

/**
 * Walks a listing from page to page until it ends. Venues have answered with the same page under a fresh
 * cursor and with a cursor that leads back: either ends the walk, and says so. So do rows that come again and again in
 * another order: a row or two slip over the border of a page, but no list is twice as long as what it lists. Pages without
 * rows are no repetition of each other, as long as there is an end of them.
 *
 * @param keep called with each page that is not a repetition
 * @returns undefined when the listing was walked to its end, else why the walk stopped before
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
    const pages = [...digests.keys()].slice(0, last.before);
    leaveAt?.({ pages, ...given({ cursor: last.cursor }) });
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
      return `page ${number} is the last of ${empty} without a row; the rest of the list was not read`;
    const ids = page.ids.filter((id) => id !== '');
    for (const id of ids) seen.add(crc32(id));
    rows += ids.length;
    if (rows > 2 * seen.size)
      return `page ${number} is the last of ${rows} rows that list ${seen.size}; the rest of the list was not read`;
    if (cursors.has(page.next))
      return `page ${number} leads back to a page that was read; the rest of the list was not read`;
    cursors.add(page.next);
    cursor = page.next;
  }
}
