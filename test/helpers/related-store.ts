/** A store whose markets have neighbours, and an application over it. */
import type { Scope } from '../../src/model/api-key.ts';
import type { Filing } from '../../src/model/filing.ts';
import type { NewsArticle } from '../../src/model/news.ts';
import { createApp } from '../../src/serve/serve.ts';
import { insertApiKey } from '../../src/store/api-keys.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { upsertFiling } from '../../src/store/filings/filings.ts';
import { upsertArticle } from '../../src/store/news.ts';
import { setCatalogState } from '../../src/store/runs.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { filing } from './filings-store.ts';
import { basket, rate } from './hand-definitions.ts';
import { adopt, type GivenMarket, market, NOW, relateAll, SITES } from './small-store.ts';

/** Adds or changes markets. */
export function putMarkets(store: Store, markets: readonly GivenMarket[]): void {
  store.write((writer) => {
    for (const each of markets) upsertMarket(writer, market(each), NOW);
  });
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

export const OLD_FILING = filing(202, {
  feed: 'dcm_products',
  product_name: 'Bitcoin price',
  status_day: '2025-11-03',
  org: 'KEX',
});

/** Filings: two near Bitcoin, one of them older than the public window, and one near nothing. */
const FILINGS: Filing[] = [
  filing(201, { feed: 'dcm_products', product_name: 'Bitcoin price on December 31, 2026', org: 'KEX' }),
  OLD_FILING,
  filing(203, { description: 'Fee schedule of clearing members' }),
];

/** Articles: one near Bitcoin contracts, one near the rate alone, one near nothing. */
const ARTICLES: NewsArticle[] = [
  {
    news_id: 'n1',
    url: 'https://news.example/1',
    source: 'wire',
    title: 'Bitcoin nears $150,000',
    summary: 'BTC rose.',
  },
  { news_id: 'n2', url: 'https://news.example/2', source: 'wire', title: 'Lunar lander reaches the Moon' },
  { news_id: 'n3', url: 'https://news.example/3', source: 'wire', title: 'A quiet day for gardeners' },
];

const SINCE = '2026-04-01T00:00:00Z';

const INDICES = [
  basket('COINS', [], {
    name: 'Coins',
    base_at: SINCE,
    constituents: [
      { market_id: 'venue_a:RAIN' },
      { market_id: 'venue_b:0xb150', status: 'staged' },
      { rate: 'MOON' },
    ],
  }),
  basket('PRIVATE', ['BTC150'], {
    name: 'Private',
    visibility: 'organization',
    organization: 'acme',
    base_at: SINCE,
  }),
];

const RATES = [
  rate('MOON', [], {
    name: 'Lunar lander on the Moon in 2026',
    methodology: 'simple_average',
    start_at: SINCE,
    sources: [{ market_id: 'venue_a:BTC150' }, { market_id: 'venue_c:150' }],
  }),
];

/** Adds or changes filings. */
export function putFilings(store: Store, filings: readonly Filing[]): void {
  store.write((writer) => {
    for (const each of filings) upsertFiling(writer, each, NOW, false);
  });
}

/** Adds or changes articles. */
export function putArticles(store: Store, articles: readonly NewsArticle[]): void {
  store.write((writer) => {
    for (const each of articles) upsertArticle(writer, each, NOW);
  });
}

/** An application over a store with {@link MARKETS}. */
export function openRelatedApp(options: { similarityBudgetMs?: number; now?: () => number } = {}) {
  const store = openStore(':memory:');
  putMarkets(store, MARKETS);
  putFilings(store, FILINGS);
  putArticles(store, ARTICLES);
  adopt(store, INDICES, RATES, NOW);
  relateAll(store);
  const keyOf = (organization: string, scopes: Scope[]) =>
    store.write((writer) => insertApiKey(writer, organization, scopes, NOW));
  store.write((writer) => setCatalogState(writer, 'serving', NOW));
  const key = keyOf('acme', ['markets:read', 'org:filings:read']);
  const weak = keyOf('other', ['markets:read']);
  const app = createApp({ store, now: () => NOW, sites: SITES, label: '', report: () => {}, ...options });
  return {
    store,
    get: (path: string) => app.request(path, { headers: { Authorization: `Bearer ${key}` } }),
    /** With a key that may not read filings and is another organization's. */
    getWeak: (path: string) => app.request(path, { headers: { Authorization: `Bearer ${weak}` } }),
    close: () => store.close(),
  };
}
