import type { Config } from '../../../model/config.ts';
import type { VenueRequest } from '../../wire/request.ts';
import { urlOf } from '../../wire/url.ts';

/** The weights of a request for a book, and of most others. */
const LIGHT = 2;
const HEAVY = 20;

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
