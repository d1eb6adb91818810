import { platformOf } from '../../model/platform.ts';
import { presentCents, presentInstant, presentNumber } from '../../routes/present.ts';
import { eachMarkedMarket, type MarkedMarketRow } from '../../store/catalog/market-lists.ts';
import type { Reader } from '../../store/store.ts';
import { type ColumnOf, number, type Table, tableOf, text } from './table.ts';

const COLUMNS: readonly ColumnOf<MarkedMarketRow>[] = [
  text('market_id', (market) => market.market_id),
  text('platform', (market) => platformOf(market.family)),
  text('event_id', (market) => market.event_id),
  text('question', (market) => market.question),
  text('status', (market) => market.status),
  number('latest_price', (market) => presentCents(market.price)),
  text('price_basis', (market) => market.basis),
  text('price_at', (market) => presentInstant(market.observed_at)),
  text('beyond_quote', (market) => (market.beyond_quote === 1 ? 'true' : null)),
  number('volume', (market) => presentNumber(market.volume)),
  text('volume_unit', (market) => market.volume_unit),
  number('open_interest', (market) => presentNumber(market.open_interest)),
  text('closes_at', (market) => presentInstant(market.closes_at)),
  number('payout', (market) => market.payout),
];

/** Every market as the catalog has it, with its mark in cents, in the order of the ids. */
export function catalogTable(reader: Reader): Table {
  return tableOf(COLUMNS, eachMarkedMarket(reader));
}
