import type { Feed } from '../../feed.ts';
import { type BookWanted, keepCatalog, type NamedSeen } from '../../keep-catalog.ts';
import type { CatalogPage } from '../../listed-market.ts';
import type { NamedMarket } from '../../named-markets.ts';
import { namesToSee, notListed, selectUnseen } from '../../named-seen.ts';
import { walkPages } from '../../page-walk.ts';
import type { Answer } from '../../request.ts';
import { chunksOf, urlOf } from '../../url.ts';
import type { VenueRun } from '../venue.ts';
import { parseEventsPage, parseMarketsPage } from './parse-catalog.ts';

const EVENTS_A_PAGE = 200;
const TICKERS_A_REQUEST = 100;

/** Reads the open events with their markets, then the named markets that are not among them. */
export async function collectCatalog(run: VenueRun): Promise<BookWanted[]> {
  const names = namesToSee(run.named);
  await run.feed('venue_a/events', async (feed) => {
    const { series } = run.config.venues.venue_a;
    let events = 0;
    for (const series_ticker of series.length > 0 ? series : [undefined]) {
      const stopped = await walkPages(
        async (cursor) => {
          const parameters = { limit: EVENTS_A_PAGE, status: 'open', with_nested_markets: true };
          return await fetchEvents(run, feed, { ...parameters, series_ticker, cursor });
        },
        (page) => {
          keepPage(run, feed, page, names);
          events += page.ids.length;
          feed.progress(events);
        },
      );
      if (stopped !== undefined) feed.leaveIncomplete(stopped);
    }
    if (events === 0) feed.leaveIncomplete('the venue listed no open event');
    await collectUnseen(run, feed, names);
  });
  return [...names.bookWanted.values()];
}

async function collectUnseen(run: VenueRun, feed: Feed, names: NamedSeen): Promise<void> {
  const unseen = () => run.store.read((reader) => selectUnseen(reader, run.named, names, run.now));
  for (const wanted of chunksOf(unseen(), TICKERS_A_REQUEST)) await collectByTicker(run, feed, wanted, names);
  const message = notListed(unseen());
  if (message !== undefined) feed.leaveIncomplete(message);
}

// The question of a market needs its event, so the events of the markets found are read before the rows of the
// markets themselves are written; those stand alone only where an event does not hold its market any more.
async function collectByTicker(
  run: VenueRun,
  feed: Feed,
  wanted: readonly NamedMarket[],
  names: NamedSeen,
): Promise<void> {
  const tickers = wanted.map((each) => each.native_id).join(',');
  const url = urlOf(run.config.venues.venue_a.base_url, '/markets', {
    tickers,
    limit: TICKERS_A_REQUEST,
    mve_filter: 'exclude',
  });
  const answer = await feed.fetch({ url });
  const found = parseMarketsPage(answer.json);
  const events = new Set(found.markets.flatMap(({ market }) => nativeEvent(market.event_id)));
  for (const chunk of chunksOf([...events], TICKERS_A_REQUEST)) {
    const parameters = { tickers: chunk.join(','), limit: EVENTS_A_PAGE, with_nested_markets: true };
    keepPage(run, feed, await fetchEvents(run, feed, parameters), names);
  }
  const alone = found.markets.filter(({ market }) => !names.seen.has(market.market_id));
  keepPage(run, feed, { ...found, markets: alone, answer }, names);
}

function nativeEvent(eventId: string | undefined): string[] {
  return eventId === undefined ? [] : [eventId.slice('venue_a:'.length)];
}

async function fetchEvents(
  run: VenueRun,
  feed: Feed,
  parameters: Parameters<typeof urlOf>[2],
): Promise<CatalogPage & { answer: Answer }> {
  const answer = await feed.fetch({ url: urlOf(run.config.venues.venue_a.base_url, '/events', parameters) });
  return { ...parseEventsPage(answer.json), answer };
}

function keepPage(run: VenueRun, feed: Feed, page: CatalogPage & { answer: Answer }, names: NamedSeen): void {
  feed.keep(page.answer, page, (writer) => keepCatalog(writer, page, run.now, names));
}
