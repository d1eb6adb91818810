import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A page of a listing, with what tells it apart from another. */
export interface ListingPage {
  /** The cursor of the next page; undefined on the last. */
  next: string | undefined;
  /** The ids of its rows, in order. */
  ids: readonly string[];
}

/**
 * Walks a listing from page to page until it ends. Venues have answered with the same page under a fresh
 * cursor and with a cursor that leads back: either ends the walk, and says so. So do rows that come again and again in
 * another order: a row or two slip over the border of a page, but no list is twice as long as what it lists.
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
  const seen = new Set<number>();
  let rows = 0;
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
