import { given } from '../../../model/given.ts';
import { catalogId } from '../../../model/platform.ts';
import { type CatalogPage, emptyPage, type ListedMarket } from '../../catalog/listed-market.ts';
import {
  type FindKnownYes,
  keptYesPlace,
  NONE_KNOWN,
  rejectExchanged,
  yesName,
} from '../../catalog/yes-side.ts';
import { eachRow, fieldText, leaveOut, readEnvelope, reject } from '../../wire/wire-rows.ts';
import { lifeOfListed } from './statuses.ts';
import * as wire from './wire.ts';

/** The cursor that marks the end of the listing. */
const END = 'LTE=';

/**
 * Parses a page of the CLOB's `/markets`: markets without events, quotes or volume. A market that is known keeps its
 * Yes side.
 */
export function parseListingPage(json: unknown, findYes: FindKnownYes = NONE_KNOWN): CatalogPage {
  const { data, next_cursor } = readEnvelope(wire.listingPage, json);
  const page = emptyPage(next_cursor === END ? undefined : next_cursor);
  page.read = data.length;
  for (const value of data) page.ids.push(fieldText(value, 'condition_id') ?? '');
  for (const { row, value, place } of eachRow(page, wire.clobMarket, data, 'condition_id'))
    if (row.tokens.length === 2) {
      const outcomes = row.tokens.map(({ outcome }) => outcome);
      const tokens = row.tokens.map(({ token_id }) => token_id);
      const yes = keptYesPlace(outcomes, tokens, findYes(marketId(row)));
      if (yes === undefined) leaveOut(page, rejectExchanged(value, place, 'tokens'));
      else page.markets.push(listedMarket(row, yes, yesName(outcomes, yes)));
    } else {
      const reason = `tokens must be two, got ${row.tokens.length}`;
      leaveOut(page, { ...reject(value, place, 'tokens', reason), expected: true });
    }
  return page;
}

function marketId({ condition_id }: wire.ClobMarket): string {
  return catalogId('venue_b_global', condition_id.toLowerCase());
}

function listedMarket(row: wire.ClobMarket, yes: 0 | 1, yes_sub_title: string | undefined): ListedMarket {
  const { status, venue_status, payout } = lifeOfListed(row, yes);
  return {
    market: {
      market_id: marketId(row),
      family: 'venue_b_global',
      native_id: row.condition_id.toLowerCase(),
      question: row.question,
      status,
      venue_status,
      ...given({
        description: row.description,
        slug: row.market_slug,
        yes_sub_title,
        price_token: row.tokens[yes]?.token_id,
        opens_at: row.accepting_order_timestamp,
        closes_at: row.end_date_iso,
        payout,
      }),
    },
  };
}
