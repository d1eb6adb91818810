import { given } from '../../../model/given.ts';
import { catalogId } from '../../../model/platform.ts';
import { type CatalogPage, emptyPage, type ListedMarket } from '../../catalog/listed-market.ts';
import { eachRow, fieldText, leaveOut, readEnvelope, reject } from '../../wire/wire-rows.ts';
import { lifeOfListed } from './statuses.ts';
import * as wire from './wire.ts';
import { yesName, yesPlace } from './yes-side.ts';

/** The cursor that marks the end of the listing. */
const END = 'LTE=';

/** Parses a page of the CLOB's `/markets`: markets without events, quotes or volume. */
export function parseListingPage(json: unknown): CatalogPage {
  const { data, next_cursor } = readEnvelope(wire.listingPage, json);
  const page = emptyPage(next_cursor === END ? undefined : next_cursor);
  page.read = data.length;
  for (const value of data) page.ids.push(fieldText(value, 'condition_id') ?? '');
  for (const { row, value, place } of eachRow(page, wire.clobMarket, data, 'condition_id'))
    if (row.tokens.length === 2) page.markets.push(listedMarket(row));
    else {
      const reason = `tokens must be two, got ${row.tokens.length}`;
      leaveOut(page, { ...reject(value, place, 'tokens', reason), expected: true });
    }
  return page;
}

function listedMarket(row: wire.ClobMarket): ListedMarket {
  const outcomes = row.tokens.map(({ outcome }) => outcome);
  const yes = yesPlace(outcomes);
  const { status, venue_status, payout } = lifeOfListed(row, yes);
  const native_id = row.condition_id.toLowerCase();
  return {
    market: {
      market_id: catalogId('venue_b_global', native_id),
      family: 'venue_b_global',
      native_id,
      question: row.question,
      status,
      venue_status,
      ...given({
        description: row.description,
        slug: row.market_slug,
        yes_sub_title: yesName(outcomes),
        price_token: row.tokens[yes]?.token_id,
        opens_at: row.accepting_order_timestamp,
        closes_at: row.end_date_iso,
        payout,
      }),
    },
  };
}
