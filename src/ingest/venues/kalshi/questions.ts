import type { ListedMarket } from '../../catalog/listed-market.ts';
import { fieldText } from '../../wire/wire-rows.ts';
import { plainTitle } from './plain-title.ts';
import type { Market } from './wire.ts';

/** What a market's question and link are made from. */
export interface EventContext {
  title: string;
  series?: string | undefined;
  /** Number of markets that the event lists, including those left out. */
  markets: number;
}

/**
 * The question of a market: its event's title, with the outcome if the event has several markets.
 *
 * @param event undefined when it is not known; then the market's own title is used
 * @returns undefined when the row has no title either
 */
export function questionOf(row: Market, event: EventContext | undefined): string | undefined {
  if (!event) {
    const own = row.title ?? row.yes_sub_title;
    return own === undefined ? undefined : plainTitle(own);
  }
  const title = plainTitle(event.title);
  const outcome = plainTitle(row.yes_sub_title ?? row.title ?? '');
  const saysNoMore = outcome === '' || outcome === title;
  return event.markets < 2 || saysNoMore ? title : `${title} – ${outcome}`;
}

/**
 * The titles shared by several rows of an event. Such a title says what the event asks ("TB at DAL Winner?") and serves
 * as the event's title where that is not known.
 *
 * @returns by the key of the row's title
 */
export function sharedTitles(values: readonly unknown[]): Map<string, EventContext> {
  const shared = new Map<string, EventContext>();
  for (const [key, rows] of Map.groupBy(values, titleKey)) {
    const title = fieldText(rows[0], 'title');
    const markets = countMarkets(rows);
    if (title !== null && markets > 1) shared.set(key, { title, markets });
  }
  return shared;
}

/** The number of markets among rows, of which a repeated one counts once. */
export function countMarkets(values: readonly unknown[]): number {
  return new Set(values.map((value) => fieldText(value, 'ticker'))).size;
}

/** The key of a shared title: the event's ticker and the title of the row. */
export function titleKey(value: unknown): string {
  return `${fieldText(value, 'event_ticker') ?? ''}\n${fieldText(value, 'title') ?? ''}`;
}

/** Adds the ticker to equal questions of one event: two players of one name, or rows without an outcome's name. */
export function tellApart(listed: readonly ListedMarket[]): void {
  const keyOf = ({ market: { event_id, question } }: ListedMarket) => `${event_id}\n${question}`;
  for (const group of Map.groupBy(listed, keyOf).values()) {
    if (new Set(group.map(({ market }) => market.native_id)).size < 2) continue;
    for (const { market } of group) market.question += ` (${market.native_id})`;
  }
}
