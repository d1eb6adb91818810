import type { Config } from '../../../model/config.ts';
import { DAY_MS, HOUR_MS } from '../../../model/time.ts';
import type { Span } from '../../prices/history-span.ts';
import type { VenueRequest } from '../../wire/request.ts';
import { urlOf } from '../../wire/url.ts';
import { yesCoin } from './outcome-names.ts';

/** The weights of a request for a book, and of most others. */
const LIGHT = 2;
const HEAVY = 20;

/** Candles that add 1 to the weight of a request, and the most that the venue keeps of one interval. */
const CANDLES_A_WEIGHT = 60;
const MOST_CANDLES = 5000;
const INTERVALS = { '1h': HOUR_MS, '1d': DAY_MS };

/** A request to the venue's only route, with the weight that the venue's rate limit gives it. */
export function infoRequest(
  { venues }: Config,
  body: { type: string } & Record<string, unknown>,
): VenueRequest {
  return {
    url: urlOf(venues.venue_c.base_url, '/info'),
    body,
    weight: body.type === 'l2Book' ? LIGHT : HEAVY,
  };
}

/** A request for the candles of an outcome's Yes side. It weighs more the more candles the answer may have. */
export function candleRequest(
  config: Config,
  nativeId: string,
  interval: keyof typeof INTERVALS,
  { from, to }: Span,
): VenueRequest {
  const req = { coin: yesCoin(nativeId), interval, startTime: from, endTime: to };
  const candles = Math.min(MOST_CANDLES, Math.ceil((to - from) / INTERVALS[interval]));
  return {
    ...infoRequest(config, { type: 'candleSnapshot', req }),
    weight: HEAVY + Math.ceil(candles / CANDLES_A_WEIGHT),
  };
}
