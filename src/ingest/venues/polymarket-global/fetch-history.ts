import { DAY_MS } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import type { Feed } from '../../feed.ts';
import type { Span } from '../../history-span.ts';
import { walkPages } from '../../page-walk.ts';
import type { Answer } from '../../request.ts';
import { urlOf } from '../../url.ts';
import type { VenueRun } from '../venue.ts';
import { type HistoryPage, parseHistoryPage, parseTokenHistory } from './parse-history.ts';

/** An answer with its points. */
export interface FetchedHistory {
  answer: Answer;
  page: HistoryPage;
}

/** Whose history is asked for. */
export interface HistorySource {
  run: VenueRun;
  feed: Feed;
  token: string;
  /** Whether the market has an outcome, so that its last tick may be the payout. */
  decided: boolean;
}

/** Both hosts refuse a longer window. */
const WINDOW_MS = 15 * DAY_MS;
const POINTS_A_PAGE = 10_000;
const HOURLY_SECONDS = 3600;
/** The finest grain that is kept for good; hourly points are dropped after some months. */
const LASTING_SECONDS = 10_800;
const HOURLY_MINUTES = 60;
/** Resolved markets answer only at this grain. */
const RESOLVED_MINUTES = 720;

/**
 * Hourly points of a token from the data host, window by window; and, when `wantsCoarse` says so of the
 * earliest, three-hourly ones for what lies before it.
 */
export async function fetchDataHistory(
  source: HistorySource,
  span: Span,
  wantsCoarse: (earliest: Instant | undefined) => boolean,
): Promise<FetchedHistory[]> {
  const fetched: FetchedHistory[] = [];
  for (const { from, to } of windowsOf(span)) {
    const window = { start: seconds(from), end: seconds(to), bucket_seconds: HOURLY_SECONDS };
    fetched.push(...(await fetchPages(source, window)));
  }
  let earliest: Instant | undefined;
  for (const { page } of fetched)
    for (const { observed_at } of page.observations)
      earliest = Math.min(earliest ?? observed_at, observed_at);
  if (!wantsCoarse(earliest)) return fetched;
  const coarse = await fetchPages(source, { interval: 'max', bucket_seconds: LASTING_SECONDS });
  const until = earliest ?? Number.POSITIVE_INFINITY;
  for (const { page } of coarse)
    page.observations = page.observations.filter(
      ({ observed_at }) => observed_at >= span.from && observed_at < until,
    );
  return [...coarse, ...fetched];
}

async function fetchPages(
  { run, feed, token, decided }: HistorySource,
  window: Record<string, string | number>,
): Promise<FetchedHistory[]> {
  const fetched: FetchedHistory[] = [];
  const { data_url } = run.config.venues.venue_b_global;
  const stopped = await walkPages(
    async (cursor) => {
      const parameters = { token_id: token, ...window, limit: POINTS_A_PAGE, cursor };
      const answer = await feed.fetch({ url: urlOf(data_url, '/v2/prices-history', parameters) });
      const page = parseHistoryPage(answer.json, run.now, decided);
      const ids = page.observations.map(({ observed_at }) => String(observed_at));
      return { answer, page, next: page.next, ids };
    },
    ({ answer, page }) => {
      fetched.push({ answer, page });
    },
  );
  if (stopped !== undefined) feed.leaveIncomplete(stopped);
  return fetched;
}

/** Points of a token from the order book host, window by window: the second choice. */
export async function fetchTokenHistory(
  { run, feed, token, decided }: HistorySource,
  span: Span,
): Promise<FetchedHistory[]> {
  const fetched: FetchedHistory[] = [];
  for (const { from, to } of windowsOf(span)) {
    const url = urlOf(run.config.venues.venue_b_global.clob_url, '/prices-history', {
      market: token,
      startTs: seconds(from),
      endTs: seconds(to),
      fidelity: decided ? RESOLVED_MINUTES : HOURLY_MINUTES,
    });
    const answer = await feed.fetch({ url });
    fetched.push({ answer, page: parseTokenHistory(answer.json, run.now) });
  }
  return fetched;
}

/** A span in windows that follow one another; the last ends just after the span, so that its end is asked. */
function windowsOf({ from, to }: Span): Span[] {
  const windows: Span[] = [];
  const end = to + 1000;
  for (let start = from; start < end; start += WINDOW_MS)
    windows.push({ from: start, to: Math.min(end, start + WINDOW_MS) });
  return windows;
}

function seconds(at: Instant): number {
  return Math.floor(at / 1000);
}
