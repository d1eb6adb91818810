import { platformOf } from '../../model/platform.ts';
import { formatInstant } from '../../model/time.ts';
import { toCents } from '../../model/units.ts';
import type { MarkedMarketRow } from '../../store/catalog/market-lists.ts';
import { linkOf } from '../links.ts';
import { present, presentNumber } from '../present.ts';
import type { Sites } from '../route.ts';

/**
 * A market as lists and the detail show it: the same mark everywhere, absent fields left out.
 *
 * @see Spec 2.1
 */
export function marketBody(market: MarkedMarketRow, sites: Sites) {
  const us = market.family === 'venue_b_us';
  return {
    market_id: market.market_id,
    platform: platformOf(market.family),
    question: market.question,
    ...present('description', market.description),
    status: market.status,
    ...(market.price === null ? {} : { latest_price: toCents(market.price) }),
    ...present('price_basis', market.basis),
    ...(market.observed_at === null ? {} : { price_at: formatInstant(market.observed_at) }),
    link: linkOf(market, sites),
    ...present('event_id', market.event_id),
    ...(us ? present('event_ticker', market.event_slug) : {}),
    ...(us ? present('rules_primary', market.rules_primary) : {}),
    ...(us ? present('yes_sub_title', market.yes_sub_title) : {}),
    ...(us ? present('market_type', market.market_type) : {}),
    ...presentNumber('volume', market.volume),
    ...(market.volume === null ? {} : present('volume_unit', market.volume_unit)),
    ...presentNumber('open_interest', market.open_interest),
    ...(market.closes_at === null ? {} : { closes_at: formatInstant(market.closes_at) }),
    ...(market.payout === null ? {} : { payout: market.payout }),
  };
}
