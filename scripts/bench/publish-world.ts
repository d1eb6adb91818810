import { relate } from '../../src/compute/relations/relate.ts';
import type { CatalogMarket } from '../../src/model/catalog.ts';
import { config } from '../../src/model/config.ts';
import { formatInstant } from '../../src/model/time.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { setMarketMark } from '../../src/store/catalog/market-marks.ts';
import { upsertFiling } from '../../src/store/filings/filings.ts';
import { upsertArticle } from '../../src/store/news.ts';
import { setCatalogState } from '../../src/store/runs.ts';
import { readSimilarityTables } from '../../src/store/similarity-tables.ts';
import type { Store } from '../../src/store/store.ts';
import { FAMILIES, PLATFORMS, questions, VENUES } from './relations-world.ts';

export const NOW = Date.UTC(2026, 10, 2);
/** The time between two steps of the world. */
export const STEP = 300_000;

/** Markets that ask the same question about different numbers. */
const LADDER = 8;
const ARTICLES = 60;
const FILINGS = 200;

/** Rules of about the length that venues write. */
const RULES =
  'If the source named below reports so before the time stated, then the market resolves to Yes. Revisions after ' +
  'that are not counted, and where the source does not report, the venue asks the next one of its list. ';

/** The markets of a world whose documents are as long as real ones: rules, neighbours, articles and filings. */
export class PublishWorld {
  readonly #store: Store;
  readonly #markets: number;
  #step = 0;

  constructor(store: Store, markets: number) {
    this.#store = store;
    this.#markets = markets;
    const tables = readSimilarityTables();
    const texts = questions(tables);
    const asked = Array.from({ length: Math.ceil(markets / LADDER) }, () => texts.next().value ?? '');
    const textOf = (i: number) => asked[i % asked.length] ?? '';
    store.write((writer) => {
      for (let i = 0; i < markets; i++)
        upsertMarket(writer, marketOf(i, textOf(Math.floor(i / LADDER))), NOW);
      for (let i = 0; i < ARTICLES; i++) {
        const title = textOf(i * 3);
        const url = `https://news.example/${i}`;
        upsertArticle(writer, { news_id: `n${i}`, url, source: 'wire', title, published_at: NOW }, NOW);
      }
      for (let i = 0; i < FILINGS; i++) {
        const title = textOf(i);
        const status_day = formatInstant(NOW).slice(0, 10);
        const named = {
          filing_id: 1000 + i,
          feed: 'dcm_products',
          org: 'KEX',
          title,
          product_name: title,
        } as const;
        const source_url = `https://registry.example/${i}`;
        upsertFiling(writer, { ...named, status: 'Certified', status_day, source_url }, NOW, true);
      }
      setCatalogState(writer, 'serving', NOW);
    });
    relate(store, { now: NOW, tables, floors: config.parse({}).relations.floors }, () => {});
    this.move(1);
  }

  /** The world's present instant. */
  get now(): number {
    return NOW + this.#step * STEP;
  }

  /** Moves the world one step ahead, where a share of the markets has a new mark. */
  move(share: number): void {
    this.#step++;
    const every = Math.round(1 / share);
    this.#store.write((writer) => {
      const keys = writer.all<{ market_key: number }>('SELECT market_key FROM markets ORDER BY market_key');
      for (let i = this.#step % every; i < this.#markets; i += every) {
        const price = ((i * 7 + this.#step * 13) % 990) / 1000 + 0.005;
        const key = keys[i]?.market_key;
        if (key !== undefined) setMarketMark(writer, key, { price, basis: 'mid', observed_at: this.now });
      }
    });
  }
}

function marketOf(i: number, question: string): CatalogMarket {
  const family = FAMILIES[i % VENUES] ?? 'venue_a';
  const native_id = family === 'venue_c' ? String(i) : `BENCH-${String(i).padStart(7, '0')}`;
  return {
    market_id: `${PLATFORMS[i % VENUES]}:${native_id}`,
    family,
    native_id,
    question: `${question} (${(i % LADDER) + 1} or more)`,
    slug: native_id.toLowerCase(),
    description: RULES.repeat(1 + (i % 3)),
    status: 'active',
    venue_status: 'active',
    event_id: `${PLATFORMS[i % VENUES]}:E${i % 97}`,
    volume: i * 3,
    volume_unit: 'contracts',
  };
}
