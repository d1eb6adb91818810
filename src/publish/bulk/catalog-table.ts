import { platformOf } from '../../model/platform.ts';
import { formatInstant } from '../../model/time.ts';
import { type Instant, toCents } from '../../model/units.ts';
import { eachMarkedMarket } from '../../store/catalog/market-lists.ts';
import type { Reader } from '../../store/store.ts';
import type { Column, Table } from './table.ts';

const COLUMNS: readonly Column[] = [
  { name: 'market_id', type: 'text' },
  { name: 'platform', type: 'text' },
  { name: 'event_id', type: 'text' },
  { name: 'question', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'latest_price', type: 'number' },
  { name: 'price_basis', type: 'text' },
  { name: 'price_at', type: 'text' },
  { name: 'volume', type: 'number' },
  { name: 'volume_unit', type: 'text' },
  { name: 'open_interest', type: 'number' },
  { name: 'closes_at', type: 'text' },
  { name: 'payout', type: 'number' },
];

/** Every market as the catalog has it, with its mark in cents, in the order of the ids. */
export function catalogTable(reader: Reader): Table {
  return { columns: COLUMNS, rows: eachRow(reader) };
}

function* eachRow(reader: Reader) {
  const instant = (at: Instant | null) => (at === null ? null : formatInstant(at));
  for (const market of eachMarkedMarket(reader))
    yield [
      market.market_id,
      platformOf(market.family),
      market.event_id,
      market.question,
      market.status,
      market.price === null ? null : toCents(market.price),
      market.basis,
      instant(market.observed_at),
      market.volume,
      market.volume_unit,
      market.open_interest,
      instant(market.closes_at),
      market.payout,
    ];
}
