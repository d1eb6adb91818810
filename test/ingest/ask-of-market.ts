import { createApp } from '../../src/serve/serve.ts';
import { insertApiKey } from '../../src/store/api-keys.ts';
import type { Store } from '../../src/store/store.ts';
import type { Row } from '../world/open-world.ts';

const SITES = { venue_a: 'https://a.test', venue_b_global: 'https://b.test', venue_c: 'https://c.test' };

/** Fields of a candle without bid and ask. */
export const TRADED_CANDLE = ['end_at', 'interval_minutes', 'open', 'high', 'low', 'close', 'volume'];

/** Asks the authenticated API of a market: of itself, or of a path below it. */
export function askOfMarket(store: Store, marketId: string, now: number): (path?: string) => Promise<Row> {
  const key = store.write((writer) => insertApiKey(writer, 'desk', ['markets:read'], now));
  const app = createApp({ store, now: () => now, sites: SITES, label: '', report: () => {} });
  return async (path = '') => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await app.request(`/api/v1/markets/${encodeURIComponent(marketId)}${path}`, { headers });
    return (await response.json()) as Row;
  };
}
