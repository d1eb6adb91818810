/**
 * The simulated world: invented prediction markets in the venues' real wire formats. It promises
 * that the same seed and epoch give the same bytes at the same instant, and it knows nothing of the product.
 */
import { DAY, DEMO_NOW, startOfDay, WORLD_EPOCH } from './calendar.ts';
import { buildCatalog, type Catalog } from './catalog.ts';
import type { WorldFiling } from './filings/filing.ts';
import { buildFilings } from './filings/filings.ts';
import { type Article, buildArticles } from './news/articles.ts';
import { createTruth, type Truth } from './truth/probabilities.ts';

/** The parameters of a world. Instants in milliseconds. */
export interface WorldOptions {
  seed?: number;
  /** The world's clock at its start; the demo's instant when omitted. */
  now?: number;
  /** Whether the clock then runs in real time; it stands still when omitted. */
  running?: boolean;
  /** Start of history; the world's fixed epoch when omitted. */
  epoch?: number;
  /** Start of history as whole days before the day of `now`; ignored beside `epoch`. */
  days?: number;
  /** Approximate number of markets of both venues together. */
  markets?: number;
  /** Names of the topics to include; all when omitted. */
  topics?: readonly string[];
  /** Maximum page size of Kalshi's events list; 200, as at the venue, when omitted. */
  events_a_page?: number;
  /** Settled markets older than this are in Kalshi's historical tier; none are when omitted. */
  historical_cutoff?: number;
}

/** A world at its own instant. */
export interface World {
  seed: number;
  epoch: number;
  truth: Truth;
  catalog: Catalog;
  historical_cutoff: number;
  events_a_page: number;
  /** Whether the clock moves by itself. */
  running: boolean;
  /** All filings, including those not received yet; built on first use. */
  filings(): WorldFiling[];
  /** All stories of the newspapers, including those not published yet; built on first use. */
  articles(): Article[];
  /** The world's instant in milliseconds. */
  now(): number;
  /** Sets the clock, which keeps running if it ran. */
  setNow(at: number): void;
}

/**
 * Makes a world. Its catalog is complete at once; prices are calculated on request.
 *
 * @example createWorld({ seed: 7, markets: 3000 })
 */
export function createWorld(options: WorldOptions = {}): World {
  const seed = options.seed ?? 7;
  const start = options.now ?? DEMO_NOW;
  const epoch =
    options.epoch ?? (options.days === undefined ? WORLD_EPOCH : startOfDay(start) - options.days * DAY);
  let base = start;
  let since = performance.now();
  const truth = createTruth(seed, epoch);
  const catalog = buildCatalog({ epoch, start, markets: options.markets ?? 3_000 }, options.topics);
  let filings: WorldFiling[] | undefined;
  let articles: Article[] | undefined;
  return {
    seed,
    epoch,
    truth,
    catalog,
    filings: () => (filings ??= buildFilings(catalog, seed, epoch)),
    articles: () => (articles ??= buildArticles(catalog, truth, seed, epoch, start)),
    events_a_page: options.events_a_page ?? 200,
    running: options.running ?? false,
    historical_cutoff: options.historical_cutoff ?? epoch - 90 * DAY,
    now: () => (options.running ? base + Math.floor(performance.now() - since) : base),
    setNow(at) {
      base = at;
      since = performance.now();
    },
  };
}
