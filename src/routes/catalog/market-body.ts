import { platformOf } from '../../model/platform.ts';
import type { MarkedMarketRow } from '../../store/catalog/market-lists.ts';
import { linkOf } from '../links.ts';
import { present, presentCents, presentInstant, presentNumber } from '../present.ts';
import type { RouteRequest } from '../route.ts';

/**
 * A market as lists and the detail show it: the same mark everywhere, absent fields left out.
 *
 * @see Spec 2.1
 */
export function marketBody(market: MarkedMarketRow, { sites }: RouteRequest<object>) {
  const us = market.family === 'venue_b_us';
  return {
    market_id: market.market_id,
    platform: platformOf(market.family),
    question: market.question,
    description: present(market.description),
    status: market.status,
    latest_price: presentCents(market.price),
    price_basis: present(market.basis),
    price_at: presentInstant(market.observed_at),
    beyond_quote: market.beyond_quote === 1 || undefined,
    link: linkOf(market, sites),
    event_id: present(market.event_id),
    event_ticker: us ? present(market.event_slug) : undefined,
    rules_primary: us ? present(market.rules_primary) : undefined,
    yes_sub_title: us ? present(market.yes_sub_title) : undefined,
    market_type: us ? present(market.market_type) : undefined,
    volume: presentNumber(market.volume),
    volume_unit: present(market.volume_unit),
    open_interest: presentNumber(market.open_interest),
    closes_at: presentInstant(market.closes_at),
    payout: market.payout ?? undefined,
  };
}
