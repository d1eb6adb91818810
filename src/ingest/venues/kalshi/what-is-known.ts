import type { CatalogEvent, CatalogMarket } from '../../../model/catalog.ts';
import { given } from '../../../model/given.ts';
import { findEvent, findMarketNames } from '../../../store/catalog/catalog.ts';
import { findSeries } from '../../../store/catalog/series.ts';
import type { Reader } from '../../../store/store.ts';
import type { CatalogPage, ListedMarket } from '../../catalog/listed-market.ts';

/**
 * Completes a page of events with what the store knows: the categories of their series, since the venue maintains only
 * those; the dates of an event whose markets have all been moved to the historical tier, or cannot be read; and the
 * question of a market whose siblings have been moved.
 */
export function withWhatIsKnown(reader: Reader, page: CatalogPage): CatalogPage {
  const titles = new Map(page.events.map(({ event_id, title }) => [event_id, title]));
  return {
    ...page,
    events: page.events.map((event) => withSeriesCategory(reader, withKnownDates(reader, event))),
    markets: page.markets.map((listed) => withSiblings(reader, listed, titles)),
  };
}

function withSiblings(
  reader: Reader,
  listed: ListedMarket,
  titles: ReadonlyMap<string, string>,
): ListedMarket {
  const { market } = listed;
  const { question } = market;
  if (question !== titles.get(market.event_id ?? '')) return listed;
  const known = findMarketNames(reader, market.market_id)?.question;
  return known?.startsWith(`${question} – `) ? { ...listed, market: { ...market, question: known } } : listed;
}

function withKnownDates(reader: Reader, event: CatalogEvent): CatalogEvent {
  if (event.closes_at !== undefined) return event;
  const known = findEvent(reader, event.event_id);
  const { listed_at = known?.listed_at, closes_at = known?.closes_at } = event;
  return { ...event, ...given({ listed_at, closes_at }) };
}

function withSeriesCategory(reader: Reader, event: CatalogEvent): CatalogEvent {
  const { series } = event;
  const category = series === undefined ? undefined : findSeries(reader, 'venue_a', series)?.category;
  return category === undefined ? event : { ...event, category };
}

/** A row without its event, with the question and event slug that the catalog has, or else those given. */
export function withKnownNames(
  reader: Reader,
  listed: ListedMarket,
  otherwise?: Pick<CatalogMarket, 'question' | 'event_slug'>,
): ListedMarket {
  const { market } = listed;
  const known = findMarketNames(reader, market.market_id) ?? otherwise;
  if (known === undefined) return listed;
  const { question, event_slug } = known;
  return { ...listed, market: { ...market, question, ...given({ event_slug }) } };
}
