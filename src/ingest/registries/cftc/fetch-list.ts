import type { Filing } from '../../../model/filing.ts';
import { HOUR_MS } from '../../../model/time.ts';
import { findListed } from '../../../store/filings/filings.ts';
import type { CollectorRun } from '../../collector.ts';
import type { Feed } from '../../feed.ts';
import { readInTime } from '../../wire/read-in-time.ts';
import { urlOf } from '../../wire/url.ts';
import { leaveOut } from '../../wire/wire-rows.ts';
import { type FetchPage, findWholeRead, type ListSource } from '../collect-list.ts';
import { type FilingList, pathOf } from './lists.ts';
import { type FilingsPage, parseListPage } from './parse-list.ts';

const feedOf = (list: string) => `cftc/${list}`;

/** How a list is asked for. */
export function listSource(run: CollectorRun, list: FilingList): ListSource {
  const met = new Set<number>();
  return {
    feed: feedOf(list.feed),
    full_walk_hours: run.config.registries.cftc.full_walk_hours,
    fetcher: (feed) => pageFetcher(run, feed, list, met),
  };
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
  let lacksPager: boolean | undefined;
  return async (number) => {
    // A walk may resume at a page that the list no longer has.
    const mayBePastEnd = lacksPager ?? number > 0;
    const { ingest, registries } = run.config;
    const { base_url, site } = registries.cftc;
    const url = urlOf(base_url, pathOf(list), { col: 'Date', dir: 'DESC', page: number });
    const answer = await feed.fetch({ url, format: 'html' });
    const page = readInTime(ingest.parse_timeout_seconds, () =>
      parseListPage(answer.body, list, site, mayBePastEnd),
    );
    const ids = page.filings.map((each) => String(each.filing_id));
    if (lacksPager ? ids.every((id) => seen.has(id)) : mayBePastEnd && page.read === 0)
      return { ...page, filings: [], number, answer, ids: [], next: undefined };
    for (const id of ids) seen.add(id);
    lacksPager = page.lastPage === undefined;
    const goesOn = page.lastPage === undefined ? page.read > 0 : page.lastPage > number;
    const unmet = page.filings.filter(({ filing_id }) => !met.has(filing_id) && met.add(filing_id));
    const filings = unmet.filter((each) => !leaveToOther(run, page, each));
    return { ...page, filings, number, answer, ids, next: goesOn ? String(number + 1) : undefined };
  };
}

/**
 * Leaves out a filing that is in another list too: a filing has one row, which would otherwise change with each list
 * that is read. It stays with the list where it was met first, until it has been missing there for as long as the
 * interval between two whole readings.
 */
function leaveToOther(run: CollectorRun, page: FilingsPage, filing: Filing): boolean {
  const { feeds, full_walk_hours } = run.config.registries.cftc;
  const { filing_id, feed } = filing;
  const other = run.store.read((reader) => {
    const listed = findListed(reader, filing_id);
    if (!listed || listed.feed === feed || !feeds.includes(listed.feed)) return undefined;
    const wholeAt = findWholeRead(reader, feedOf(listed.feed)) ?? 0;
    return wholeAt - listed.last_seen_at < full_walk_hours * HOUR_MS ? listed.feed : undefined;
  });
  if (other === undefined) return false;
  const reason = `it is also in the list ${other}, where it is read`;
  const position = page.filings.indexOf(filing);
  leaveOut(page, { position, native_id: String(filing_id), path: 'filing_id', reason, expected: true });
  return true;
}
