import { platformOf } from '../../model/platform.ts';
import { formatInstant } from '../../model/time.ts';
import { toCents, toPlain } from '../../model/units.ts';
import { eachMarkedMarket, type MarkedMarketRow } from '../../store/catalog/market-lists.ts';
import type { Reader } from '../../store/store.ts';
import { type ColumnOf, number, type Table, tableOf, text } from './table.ts';

const COLUMNS: readonly ColumnOf<MarkedMarketRow>[] = [
  text('market_id', (market) => market.market_id),
  text('platform', (market) => platformOf(market.family)),
  text('event_id', (market) => market.event_id),
  text('question', (market) => market.question),
  text('status', (market) => market.status),
  number('latest_price', ({ price }) => (price === null ? null : toCents(price))),
  text('price_basis', (market) => market.basis),
  text('price_at', ({ observed_at }) => (observed_at === null ? null : formatInstant(observed_at))),
  number('volume', ({ volume }) => (volume === null ? null : toPlain(volume))),
  text('volume_unit', (market) => market.volume_unit),
  number('open_interest', ({ open_interest }) => (open_interest === null ? null : toPlain(open_interest))),
  text('closes_at', ({ closes_at }) => (closes_at === null ? null : formatInstant(closes_at))),
  number('payout', (market) => market.payout),
];

/** Every market as the catalog has it, with its mark in cents, in the order of the ids. */
export function catalogTable(reader: Reader): Table {
  return tableOf(COLUMNS, eachMarkedMarket(reader));
}
