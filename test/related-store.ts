/** A store whose markets have neighbours, and an application over it. */
import { relate } from '../src/compute/relate.ts';
import type { CatalogMarket } from '../src/model/catalog.ts';
import { config } from '../src/model/config.ts';
import { createApp } from '../src/serve/serve.ts';
import { insertApiKey } from '../src/store/api-keys.ts';
import { upsertMarket } from '../src/store/catalog.ts';
import { setCatalogState } from '../src/store/runs.ts';
import { readSimilarityTables } from '../src/store/similarity-tables.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { market, NOW, SITES } from './small-store.ts';

const tables = readSimilarityTables();

/** Adds or changes markets. */
export function putMarkets(
  store: Store,
  markets: readonly (Partial<CatalogMarket> & { market_id: string })[],
): void {
  store.write((writer) => {
    for (const each of markets) upsertMarket(writer, market(each), NOW);
  });
}

/** Brings neighbours up to date. */
export function relateAll(store: Store): void {
  relate(store, { tables, floors: config.parse({}).relations.floors }, () => {});
}

/** Questions of three venues that are near each other, and others that are near nothing. */
export const MARKETS = [
  {
    market_id: 'venue_a:BTC150',
    question: 'Bitcoin above $150k by end of 2026?',
    description: 'Pays on a price.',
  },
  { market_id: 'venue_a:BTC140', question: 'Bitcoin above $140k by end of 2026?' },
  { market_id: 'venue_a:BTC130', question: 'Bitcoin above $130k by end of 2026?' },
  { market_id: 'venue_b:0xb150', question: 'Will BTC reach $150,000 before 2027?' },
  { market_id: 'venue_b:us:btc-120', question: 'Will BTC reach $120,000 before 2027?' },
  { market_id: 'venue_c:150', question: 'BTC price at or above 150000 in 2026?' },
  { market_id: 'venue_a:RAIN', question: 'Will it rain in Reykjavik on 3 May 2026?' },
  {
    market_id: 'venue_b:0xclosed',
    question: 'Will Bitcoin reach $150,000 by end of 2026?',
    status: 'closed' as const,
  },
  ...['Oslo', 'Lima', 'Quito', 'Accra', 'Hanoi', 'Minsk'].map((city, i) => ({
    market_id: `venue_b:0xmayor${i}`,
    question: `Who will be the next mayor of ${city}?`,
  })),
];

/** An application over a store with {@link MARKETS}. */
export function openRelatedApp(options: { similarityBudgetMs?: number; now?: () => number } = {}) {
  const store = openStore(':memory:');
  putMarkets(store, MARKETS);
  relateAll(store);
  const key = store.write((writer) => {
    setCatalogState(writer, 'serving', NOW);
    return insertApiKey(writer, 'acme', ['markets:read'], NOW);
  });
  const app = createApp({ store, now: () => NOW, sites: SITES, label: '', report: () => {}, ...options });
  return {
    store,
    get: (path: string) => app.request(path, { headers: { Authorization: `Bearer ${key}` } }),
    close: () => store.close(),
  };
}
