import { hash } from 'node:crypto';

/** A page of a listing, with what tells it apart from another. */
export interface ListingPage {
  /** The cursor of the next page; undefined on the last. */
  next: string | undefined;
  /** The ids of its rows, in order. */
  ids: readonly string[];
}

/**
 * Walks a listing from page to page until it ends. Venues have answered with the same page under a fresh
 * cursor and with a cursor that leads back: either ends the walk, and says so.
 *
 * @param keep called with each page that is not a repetition
 * @returns undefined when the listing was walked to its end, else why the walk stopped before
 */
export async function walkPages<Page extends ListingPage>(
  fetchPage: (cursor: string | undefined) => Promise<Page>,
  keep: (page: Page, number: number) => void | Promise<void>,
): Promise<string | undefined> {
  const cursors = new Set<string>();
  const digests = new Map<string, number>();
  let cursor: string | undefined;
  for (let number = 1; ; number++) {
    const page = await fetchPage(cursor);
    const digest = hash('sha256', JSON.stringify(page.ids));
    const before = digests.get(digest);
    if (before !== undefined)
      return `page ${number} repeats page ${before}; the rest of the list was not read`;
    digests.set(digest, number);
    await keep(page, number);
    if (page.next === undefined) return undefined;
    if (cursors.has(page.next))
      return `page ${number} leads back to a page that was read; the rest of the list was not read`;
    cursors.add(page.next);
    cursor = page.next;
  }
}
