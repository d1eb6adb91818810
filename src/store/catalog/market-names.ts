import { ForemarkError } from '../../model/errors.ts';
import { RowInsertion } from '../many-rows.ts';
import type { Reader, Writer } from '../store.ts';

/** The permanent key of a market, assigned when its id is first used. */
export function marketKey(writer: Writer, marketId: string): number {
  const known = writer.value<number>('SELECT market_key FROM market_names WHERE market_id = ?', marketId);
  return known ?? writer.run('INSERT INTO market_names (market_id) VALUES (?)', marketId).key;
}

const nameRows = new RowInsertion({
  table: 'market_names',
  columns: ['market_id'],
  otherwise: 'ON CONFLICT (market_id) DO NOTHING',
});

/** The keys of many markets, by id; markets without a key get one. */
export function marketKeys(writer: Writer, marketIds: readonly string[]): Map<string, number> {
  nameRows.insert(writer, marketIds);
  const names = writer.all<{ market_id: string; market_key: number }>(
    `SELECT market_id, market_key FROM json_each(?) AS wanted CROSS JOIN market_names ON market_id = wanted.value`,
    JSON.stringify(marketIds),
  );
  return new Map(names.map((each) => [each.market_id, each.market_key]));
}

/** The id of the market with a key. @throws ForemarkError store_unusable when there is none */
export function marketIdOf(reader: Reader, key: number): string {
  const id = reader.value<string>('SELECT market_id FROM market_names WHERE market_key = ?', key);
  if (id === undefined) throw new ForemarkError('store_unusable', `store has no market with key ${key}`);
  return id;
}
