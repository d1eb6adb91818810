import type { Config } from '../../../model/config.ts';
import type { VenueRequest } from '../../wire/request.ts';
import { urlOf } from '../../wire/url.ts';

/** What a book weighs, and what most other questions do. */
const LIGHT = 2;
const HEAVY = 20;

/** One question to the venue's only route, weighed as the venue weighs it. */
export function infoRequest(
  { venues }: Config,
  body: { type: string } & Record<string, unknown>,
): VenueRequest {
  return {
    url: urlOf(venues.venue_c.base_url, '/info', {}),
    body,
    weight: body.type === 'l2Book' ? LIGHT : HEAVY,
  };
}
