/** A small store made by the product's own functions: a few markets of every family, forty days of prices. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compute } from '../../src/compute/compute.ts';
import { relate } from '../../src/compute/relations/relate.ts';
import type { Announcement } from '../../src/model/announcement.ts';
import { SCOPES } from '../../src/model/api-key.ts';
import type { CatalogMarket } from '../../src/model/catalog.ts';
import { config } from '../../src/model/config.ts';
import type { NewsArticle } from '../../src/model/news.ts';
import type { Observation } from '../../src/model/observation.ts';
import { parseCatalogId } from '../../src/model/platform.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import type { Sites } from '../../src/routes/route.ts';
import { insertApiKey, revokeApiKey } from '../../src/store/api-keys.ts';
import { upsertEvents, upsertMarket } from '../../src/store/catalog/catalog.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { insertAnnouncement } from '../../src/store/definitions/announcements.ts';
import { upsertArticle } from '../../src/store/news.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { setCatalogState } from '../../src/store/runs.ts';
import { readSimilarityTables } from '../../src/store/similarity-tables.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { fillFilings } from './filings-store.ts';
import { parseDefinitions } from './hand-definitions.ts';
import { makeFolder } from './make-folder.ts';

/** The instant up to which the store is calculated: 08:00 in New York. */
export const NOW = Date.parse('2026-04-15T12:00:00Z');
/** Forty days of prices, over the change to summer time on 8 March. */
export const BASE = Date.parse('2026-03-06T00:00:00Z');
/** When the quiet market was last seen: exactly seven days before {@link NOW}. */
export const QUIET_SINCE = NOW - 7 * DAY_MS;

export const SITES: Sites = {
  venue_a: 'https://a.example',
  venue_b_global: 'https://b.example',
  venue_b_us: 'https://us.example',
};

/** Ids by the special property of each market. */
export const IDS = {
  steady: 'venue_a:KXSTEADY-26',
  swinging: 'venue_a:KXSWING-26-UP',
  global: 'venue_b:0xaa01',
  us: 'venue_b:us:will-it-rain',
  oneSided: 'venue_a:KXONESIDE-26',
  neverPriced: 'venue_a:KXNEVER-26',
  staged: 'venue_a:KXSTAGED-26',
  quiet: 'venue_b:0xaa02',
  settled: 'venue_a:KXDONE-26',
  wild: 'venue_b:us:../a/%2e%2e?x=é#.json',
} as const;

/** Keys by their owner. */
interface Keys {
  acme: string;
  other: string;
  revoked: string;
  filingsOnly: string;
  /** Acme's, with every scope. */
  all: string;
}

/** An id of each kind of record, by the first part of its routes' paths. */
export const ID_OF: Readonly<Record<string, string>> = {
  filings: '103',
  news: 'n1',
  indices: 'SMALL',
  rates: 'R.MEAN',
  markets: IDS.steady,
  announcements: '1',
};

const ARTICLE: NewsArticle = {
  news_id: 'n1',
  url: 'https://news.example/1',
  source: 'wire',
  title: 'Rainfall contracts clear',
};

const NOTICE: Announcement = {
  type: 'methodology_update',
  title: 'Marks of one-sided books',
  body: 'Every methodology says what it does with them.',
  announced_at: BASE,
  effective_at: BASE,
  added: [],
  removed: [],
};

export interface SmallStore {
  store: Store;
  /** Its own folder, removed on close. */
  folder: string;
  path: string;
  keys: Keys;
  close(): void;
}

/** The store as a file, with its keys: made once per process, since a copy opens in milliseconds. */
let made: { file: Buffer; keys: Keys } | undefined;

/**
 * Opens a copy of the store in a temporary folder of its own.
 *
 * @param markets seen an instant before {@link NOW}, beside its own or changed; then the store is made anew
 */
export function openSmallStore(markets: readonly GivenMarket[] = []): SmallStore {
  if (markets.length === 0) made ??= makeFile([]);
  const { file, keys } = made && markets.length === 0 ? made : makeFile(markets);
  const folder = makeFolder();
  const path = join(folder, 'foremark.db');
  writeFileSync(path, file);
  const store = openStore(path);
  return {
    store,
    folder,
    path,
    keys,
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeFile(markets: readonly GivenMarket[]): { file: Buffer; keys: Keys } {
  const folder = makeFolder();
  const path = join(folder, 'foremark.db');
  const store = openStore(path);
  try {
    const keys = fillStore(store, markets);
    store.close();
    return { file: readFileSync(path), keys };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fillStore(store: Store, markets: readonly GivenMarket[]): Keys {
  fillCatalog(store);
  for (const [id, priceAt] of Object.entries(PRICES)) observe(store, id, pricesOf(priceAt));
  observe(
    store,
    IDS.oneSided,
    pricesOf(() => 0.4).filter((each) => each.observed_at < NOW),
  );
  observe(
    store,
    IDS.quiet,
    pricesOf(() => 0.3).filter((each) => each.observed_at <= QUIET_SINCE),
  );
  observe(store, IDS.oneSided, [{ observed_at: NOW - HOUR_MS, bid: 0.4 }]);
  for (const each of markets) put(store, each, NOW - 1);
  adopt(store, INDICES, RATES, BASE);
  store.write((writer) => insertAnnouncement(writer, NOTICE));
  store.write((writer) => upsertArticle(writer, ARTICLE, NOW));
  compute(store, NOW, () => {});
  relateAll(store);
  fillFilings(store, NOW);
  return makeKeys(store);
}

/** The fields of a market that a test is about. */
export type GivenMarket = Partial<CatalogMarket> & Pick<CatalogMarket, 'market_id'>;

/** A market with the required fields; the rest as given. */
export function market(given: GivenMarket): CatalogMarket {
  const parts = partsOf(given.market_id);
  return { ...parts, question: `${parts.native_id}?`, status: 'active', venue_status: 'active', ...given };
}

function partsOf(id: string): Pick<CatalogMarket, 'family' | 'native_id'> {
  const parts = parseCatalogId(id);
  if (!parts) throw new Error(`${id} begins with no venue`);
  return parts;
}

/** Adds or changes a market. */
export function put(store: Store, given: GivenMarket, seenAt = BASE): void {
  store.write((writer) => upsertMarket(writer, market(given), seenAt));
}

/** Adds observations of a market's book. */
export function observe(store: Store, id: string, observations: Observation[]): void {
  store.write((writer) =>
    insertObservations(writer, marketKey(writer, id), { series: 'quote', observations }, NOW),
  );
}

/** A book around a price, two cents wide, traded in its middle. */
export function book(observed_at: Instant, price: number): Observation {
  return { observed_at, bid: price - 0.01, ask: price + 0.01, last: price };
}

/** Adopts definitions in the form of their files. */
export function adopt(store: Store, indices: unknown[], rates: unknown[], now = NOW): void {
  const definitions = parseDefinitions(indices, rates);
  store.write((writer) => adoptDefinitions(writer, definitions, now, { keepMissing: false }));
}

const tables = readSimilarityTables();

/** Updates the neighbours of all records. */
export function relateAll(store: Store, now = NOW): void {
  relate(store, { now, tables, floors: config.parse({}).relations.floors }, () => {});
}

const EVERY_MS = 6 * HOUR_MS;

function pricesOf(priceAt: (day: number) => number): Observation[] {
  const all: Observation[] = [];
  for (let at = BASE; at <= NOW; at += EVERY_MS) all.push(book(at, priceAt((at - BASE) / DAY_MS)));
  return all;
}

const PRICES: Record<string, (day: number) => number> = {
  [IDS.steady]: (day) => 0.5 + 0.002 * day,
  [IDS.swinging]: (day) => 0.4 + 0.1 * Math.sin(day),
  [IDS.global]: (day) => 0.35 - 0.1 * Math.sin(day),
  [IDS.us]: (day) => 0.2 + 0.05 * Math.cos(3 * day),
  [IDS.staged]: () => 0.6,
  [IDS.settled]: () => 0.9,
  [IDS.wild]: () => 0.25,
};

function fillCatalog(store: Store): void {
  store.write((writer) => {
    const event = (event_id: string, title: string, listed_at: Instant, more = {}) =>
      upsertEvents(writer, [{ ...partsOf(event_id), event_id, title, listed_at, ...more }], BASE);
    event('venue_a:KXSTEADY', 'Steady things', BASE);
    event('venue_a:KXZERO', 'Nobody traded', BASE + DAY_MS);
    event('venue_b:900', 'No figures at all', BASE + 2 * DAY_MS);
    event('venue_b:901', 'The venue counts itself', BASE + 3 * DAY_MS, { volume: 77, open_interest: 7 });
    event('venue_a:KXSTAGED', 'Not yet in', BASE - DAY_MS);
    setCatalogState(writer, 'serving', BASE);
  });
  put(store, { market_id: IDS.steady, event_id: 'venue_a:KXSTEADY', volume: 10, listed_at: BASE });
  put(store, { market_id: IDS.swinging, event_id: 'venue_a:KXSTEADY', volume: 5, description: 'It swings.' });
  put(store, { market_id: IDS.oneSided, event_id: 'venue_a:KXZERO', volume: 0, open_interest: 0 });
  put(store, { market_id: IDS.neverPriced, event_id: 'venue_a:KXZERO', description: '' });
  put(store, { market_id: IDS.staged, event_id: 'venue_a:KXSTAGED', open_interest: 0 });
  put(store, { market_id: IDS.global, event_id: 'venue_b:900', slug: 'global-one', event_slug: 'globals' });
  put(store, { market_id: IDS.quiet, event_id: 'venue_b:901', volume: 3, volume_unit: 'usd' });
  put(store, {
    market_id: IDS.us,
    slug: 'will-it-rain',
    event_slug: 'rain',
    rules_primary: 'If it rains.',
    yes_sub_title: 'Rain',
    market_type: 'binary',
  });
  put(store, { market_id: IDS.wild, question: 'Is this id safe?' });
  put(store, { market_id: IDS.settled, status: 'settled', settled_at: BASE + 10 * DAY_MS, payout: 1 });
}

const index = {
  methodology: 'basket',
  quote_convention: 'points',
  visibility: 'public',
  base_at: new Date(BASE).toISOString(),
  interval_minutes: 360,
  weighting: { scheme: 'equal' },
};

const member = (market_id: string, state: string) => ({ market_id, groups: { state } });

/** The indices, in presentation order. */
export const INDICES = [
  {
    ...index,
    ticker: 'SMALL',
    name: 'Small basket',
    group_by: 'state',
    constituents: [
      member(IDS.steady, 'GA'),
      member(IDS.swinging, 'GA'),
      member(IDS.global, 'PA'),
      member(IDS.oneSided, 'PA'),
      member(IDS.neverPriced, 'NV'),
      { ...member(IDS.staged, 'NV'), status: 'staged' },
    ],
  },
  {
    ...index,
    ticker: 'GAUGE.K',
    name: 'A gauge',
    description: 'Two names.',
    methodology: 'gauge',
    quote_convention: 'probability',
    constituents: [{ market_id: IDS.swinging }, { market_id: IDS.us }],
  },
  { ...index, ticker: 'QUIET', name: 'Quiet basket', constituents: [{ market_id: IDS.quiet }] },
  {
    ...index,
    ticker: 'LATER',
    name: 'Begins later',
    base_at: '2027-01-01T00:00:00Z',
    weighting: { scheme: 'fixed' },
    constituents: [
      { market_id: IDS.steady, weight: 3 },
      { market_id: IDS.us, weight: 1 },
    ],
  },
  {
    ...index,
    ticker: 'SECRET',
    name: 'Canary of Acme',
    visibility: 'organization',
    organization: 'acme',
    constituents: [{ market_id: IDS.wild }, { market_id: IDS.steady }],
  },
];

const rate = {
  methodology: 'event_contract',
  visibility: 'public',
  start_at: new Date(BASE).toISOString(),
  interval_minutes: 360,
};

/** The rates, in presentation order. */
export const RATES = [
  { ...rate, ticker: 'R.STEADY', name: 'Steady rate', sources: [{ market_id: IDS.steady }] },
  {
    ...rate,
    ticker: 'R.MEAN',
    name: 'Mean of three',
    methodology: 'simple_average',
    sources: [
      { market_id: IDS.steady, weight: 2 },
      { market_id: IDS.swinging },
      { market_id: IDS.neverPriced },
    ],
  },
  { ...rate, ticker: 'R.QUIET', name: 'A quiet rate', sources: [{ market_id: IDS.quiet }] },
  { ...rate, ticker: 'R.DONE', name: 'Done', sources: [{ market_id: IDS.settled }] },
  {
    ...rate,
    ticker: 'R.SECRET',
    name: 'Canary rate of Acme',
    visibility: 'organization',
    organization: 'acme',
    sources: [{ market_id: IDS.us }],
  },
];

function makeKeys(store: Store): Keys {
  return store.write((writer) => {
    const keys = {
      acme: insertApiKey(writer, 'acme', ['markets:read'], NOW),
      other: insertApiKey(writer, 'other', ['markets:read'], NOW),
      revoked: insertApiKey(writer, 'acme', ['markets:read'], NOW),
      filingsOnly: insertApiKey(writer, 'acme', ['org:filings:read'], NOW),
      all: insertApiKey(writer, 'acme', SCOPES, NOW),
    };
    revokeApiKey(writer, keys.revoked.slice(9, 17), NOW);
    return keys;
  });
}
