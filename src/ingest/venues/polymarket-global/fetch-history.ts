import { leastOf } from '../../../model/extremes.ts';
import { DAY_MS, HOUR_MS, toSeconds } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import type { Feed } from '../../feed.ts';
import type { HistoryPart } from '../../prices/collect-histories.ts';
import type { Span } from '../../prices/history-span.ts';
import { urlOf } from '../../wire/url.ts';
import { isVenueTrouble } from '../../wire/venue-trouble.ts';
import type { VenueRun } from '../venue.ts';
import { type HistoryPage, parseHistoryPage, parseTokenHistory } from './parse-history.ts';

type FetchedHistory = HistoryPart<HistoryPage>;

/** The token whose history is fetched, and what requests for it need. */
interface Asking {
  run: VenueRun;
  feed: Feed;
  token: string;
  /** Whether the market has an outcome, so that its last tick may be the payout. */
  decided: boolean;
}

/** Both hosts refuse a longer window. */
const WINDOW_MS = 15 * DAY_MS;
/** If points begin this much later than wanted, the part before them is asked for in another way. */
const HOURLY_GAP_MS = 2 * HOUR_MS;
const POINTS_A_PAGE = 10_000;
const HOURLY_SECONDS = 3600;
/** The finest grain that the data host keeps forever; it drops hourly points after some months. */
const LASTING_SECONDS = 10_800;
const HOURLY_MINUTES = 60;
/** The history of resolved markets is available only at this grain. */
const RESOLVED_MINUTES = 720;

/**
 * Fetches the hourly points of a token, window by window. On the first read of a history the part of a window before
 * its first point is fetched from the order book host too: the data host drops hourly points after some months, in the
 * middle of a window, and empty answers have been wrong before. What is still missing before the earliest point is
 * fetched at the grain that is kept forever. Once the data host fails, the rest comes from the order book host.
 */
export async function fetchHistory(asking: Asking, span: Span, first: boolean): Promise<FetchedHistory[]> {
  const fetched: FetchedHistory[] = [];
  let dataHost = true;
  for (const window of windowsOf(span)) {
    const answers: FetchedHistory[] | undefined = dataHost
      ? await fetchDataWindow(asking, window)
      : undefined;
    dataHost = answers !== undefined;
    const begins = earliestOf(answers ?? []) ?? window.to;
    const late = begins > window.from + HOURLY_GAP_MS || begins === window.to;
    if (!dataHost || (late && first))
      fetched.push(await fetchTokenWindow(asking, { from: window.from, to: begins }));
    fetched.push(...(answers ?? []));
  }
  const earliest = earliestOf(fetched);
  if (dataHost && first && (earliest === undefined || earliest > span.from + HOURLY_GAP_MS))
    fetched.unshift(...(await fetchCoarse(asking, span, earliest)));
  return fetched;
}

function earliestOf(fetched: readonly FetchedHistory[]): Instant | undefined {
  return leastOf(fetched.flatMap(({ page }) => page.observations.map(({ observed_at }) => observed_at)));
}

async function fetchDataWindow(asking: Asking, { from, to }: Span): Promise<FetchedHistory[] | undefined> {
  try {
    const window = { start: toSeconds(from), end: toSeconds(to), bucket_seconds: HOURLY_SECONDS };
    return await fetchPages(asking, window);
  } catch (thrown) {
    if (!isVenueTrouble(thrown)) throw thrown;
    asking.feed.leaveIncomplete(
      `history is fetched from the order book host, since the data host failed: ${thrown.message}`,
    );
    return undefined;
  }
}

async function fetchCoarse(
  asking: Asking,
  span: Span,
  earliest: Instant | undefined,
): Promise<FetchedHistory[]> {
  const coarse = await fetchPages(asking, { interval: 'max', bucket_seconds: LASTING_SECONDS });
  const until = earliest ?? Number.POSITIVE_INFINITY;
  for (const { page } of coarse)
    page.observations = page.observations.filter(
      ({ observed_at }) => observed_at >= span.from && observed_at < until,
    );
  return coarse;
}

async function fetchPages(
  { run, feed, token, decided }: Asking,
  window: Record<string, string | number>,
): Promise<FetchedHistory[]> {
  const fetched: FetchedHistory[] = [];
  const { data_url } = run.config.venues.venue_b_global;
  await feed.walk(
    async (cursor) => {
      const parameters = { token_id: token, ...window, limit: POINTS_A_PAGE, cursor };
      const answer = await feed.fetch({ url: urlOf(data_url, '/v2/prices-history', parameters) });
      const page = parseHistoryPage(answer.json, run.now, decided);
      return { answer, page, next: page.next, ids: page.ids };
    },
    ({ answer, page }) => {
      fetched.push({ answer, page });
    },
  );
  return fetched;
}

async function fetchTokenWindow(
  { run, feed, token, decided }: Asking,
  { from, to }: Span,
): Promise<FetchedHistory> {
  const url = urlOf(run.config.venues.venue_b_global.clob_url, '/prices-history', {
    market: token,
    startTs: toSeconds(from),
    endTs: toSeconds(to),
    fidelity: decided ? RESOLVED_MINUTES : HOURLY_MINUTES,
  });
  const answer = await feed.fetch({ url });
  const page = parseTokenHistory(answer.json, run.now);
  page.observations = page.observations.filter(({ observed_at }) => observed_at < to);
  return { answer, page };
}

/** Splits a span into consecutive windows; the last ends just after the span, so that its end is included. */
function windowsOf({ from, to }: Span): Span[] {
  const windows: Span[] = [];
  const end = to + 1000;
  for (let start = from; start < end; start += WINDOW_MS)
    windows.push({ from: start, to: Math.min(end, start + WINDOW_MS) });
  return windows;
}
