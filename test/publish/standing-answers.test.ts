import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { MARKET_STATUSES } from '../../src/model/catalog.ts';
import { DAY_MS, formatInstant, HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';
import { findCurrentGeneration } from '../../src/publish/archive/current-generation.ts';
import { eachDocument } from '../../src/publish/documents.ts';
import { publish } from '../../src/publish/publish.ts';
import { rollback } from '../../src/publish/rollback.ts';
import { StandingAnswers } from '../../src/publish/standing-answers.ts';
import { encodeId } from '../../src/routes/document-key.ts';
import { upsertEvents, upsertMarket } from '../../src/store/catalog/catalog.ts';
import { setMarketMark } from '../../src/store/catalog/market-marks.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { upsertSeries } from '../../src/store/catalog/series.ts';
import { upsertFiling } from '../../src/store/filings/filings.ts';
import { setSeriesFilings } from '../../src/store/filings/series-filings.ts';
import { upsertArticle } from '../../src/store/news.ts';
import { finishRun, insertRun } from '../../src/store/runs.ts';
import type { Store } from '../../src/store/store.ts';
import { filing } from '../helpers/filings-store.ts';
import { basket } from '../helpers/hand-definitions.ts';
import { publishStore } from '../helpers/publish-store.ts';
import { MARKETS } from '../helpers/related-store.ts';
import { rounds } from '../helpers/rounds.ts';
import {
  adopt,
  book,
  IDS,
  INDICES,
  market,
  NOW,
  observe,
  openSmallStore,
  RATES,
  relateAll,
  SITES,
} from '../helpers/small-store.ts';
import { openStoreFile } from '../helpers/store-file.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { treeOf } from './generation-steps.ts';
import { type MemorySink, memorySink } from './memory-sink.ts';

const OWN_INDEX = basket('OWN', [], { base_at: formatInstant(NOW) });
/** Within the public window, on its last day, and before it. */
const STATUS_DAYS = [1, 90, 91].map((days) => formatInstant(NOW - days * DAY_MS).slice(0, 10));
const PRODUCTS = ['Bitcoin price on December 31, 2026', 'Rain in Reykjavik'];

const TITLES = ['Bitcoin nears $150,000', 'Rain in Reykjavik', 'The next mayor of Lima', 'A quiet day'];

/** Some markets near each other, which change in everything that documents show of them. */
class World {
  readonly file: string;
  readonly store: Store;
  readonly sink: MemorySink = memorySink(2);
  now = NOW;
  readonly #ids = MARKETS.map((each) => each.market_id);

  constructor() {
    this.file = join(temporaryFolder(), 'foremark.db');
    this.store = openStoreFile(this.file);
    for (const [i] of MARKETS.entries()) this.putMarket(i, {});
    adopt(this.store, INDICES, RATES, NOW);
    this.putArticle(0, 0);
    for (const i of [1, 2]) this.putEvent(i, `S${i}`);
    this.putTerms([[1, 1]]);
    for (const i of [0, 1]) this.putFiling(i, 0, i);
    relateAll(this.store);
  }

  putMarket(i: number, change: object): void {
    const market_id = this.#ids[i % this.#ids.length] as string;
    const own = { event_id: `venue_a:E${1 + (i % 2)}`, ...MARKETS[i % MARKETS.length] };
    this.store.write((writer) => upsertMarket(writer, market({ ...own, ...change, market_id }), this.now));
  }

  addMarket(i: number): void {
    const own = MARKETS[i % MARKETS.length];
    const market_id = `venue_a:NEW${this.#ids.length}`;
    this.#ids.push(market_id);
    this.store.write((writer) => upsertMarket(writer, market({ ...own, market_id }), this.now));
  }

  putMark(i: number, price: number | undefined): void {
    const market_id = this.#ids[i % this.#ids.length] as string;
    const mark = price === undefined ? undefined : { price, basis: 'mid' as const, observed_at: this.now };
    this.store.write((writer) => setMarketMark(writer, marketKey(writer, market_id), mark));
  }

  putArticle(i: number, title: number): void {
    const article = { news_id: `n${i}`, url: `https://news.example/${i}`, source: 'wire' };
    this.store.write((writer) =>
      upsertArticle(writer, { ...article, title: TITLES[title] as string }, this.now),
    );
  }

  putFiling(i: number, product: number, day: number): void {
    const product_name = PRODUCTS[product] as string;
    const status_day = STATUS_DAYS[day] as string;
    const given = { feed: 'dcm_products', product_name, status_day, org: 'KEX' } as const;
    this.store.write((writer) => upsertFiling(writer, filing(201 + i, given), this.now, false));
  }

  /** Event `E<i>`, of a series. */
  putEvent(i: number, series: string): void {
    const of = { family: 'venue_a', title: 'One' } as const;
    this.store.write((writer) => {
      upsertEvents(writer, [{ ...of, event_id: `venue_a:E${i}`, native_id: `E${i}`, series }], this.now);
      const listed = { ...of, series_id: `venue_a:${series}`, native_id: series };
      upsertSeries(writer, { ...listed, tags: [], settlement_sources: [] }, this.now);
    });
  }

  /** Which filings the terms of the series are in. */
  putTerms(pairs: readonly [series: number, filing: number][]): void {
    const named = pairs.map(([series, i]) => ({ series_id: `venue_a:S${series}`, filing_id: 201 + i }));
    this.store.write((writer) => setSeriesFilings(writer, named, ''));
  }

  /** Makes an index of some markets beside the existing ones. */
  putIndex(members: readonly number[]): void {
    const constituents = members.map((i) => ({ market_id: MARKETS[i]?.market_id }));
    const own = { ...OWN_INDEX, constituents };
    adopt(this.store, members.length > 0 ? [...INDICES, own] : INDICES, RATES, this.now);
  }

  publish(program = 'a'): Promise<void> {
    return publishAsAnswered(this, program);
  }

  /** A publish whose sink gives up at some request. */
  async fail(at: number): Promise<void> {
    const last = this.sink.requests + at;
    this.sink.before = (request) => {
      if (request >= last) throw new Error('cut off');
    };
    try {
      const { store, sink, now } = this;
      await publishStore(store, sink, now, { program: 'a' });
    } catch (thrown) {
      expect(String(thrown)).toContain('cut off');
    } finally {
      this.sink.before = undefined;
    }
  }
}

/** Publishes, which must give what answering everything gives. */
async function publishAsAnswered(
  { store, sink, now }: Pick<World, 'store' | 'sink' | 'now'>,
  program = 'a',
): Promise<void> {
  const documents = new Map<string, string>();
  store.read((reader) => {
    for (const each of eachDocument(reader, { now, sites: SITES }))
      if ('body' in each) documents.set(each.key, String(each.body));
  });
  const report = await publishStore(store, sink, now, { program });
  expect(report.overlooked).toBeUndefined();
  expect(treeOf(sink)).toEqual(Object.fromEntries(documents));
  expect(report.documents).toBe(documents.size);
}

/** Changes of what else a venue says of a market; undefined where it says it no more. */
const FURTHER = [
  { event_id: undefined },
  { yes_sub_title: 'Above' },
  { slug: 'a slug?', event_slug: 'of/an-event' },
  { rules_primary: 'If it rains.' },
  { market_type: 'scalar', open_interest: 3.25 },
  { volume: 7, volume_unit: 'usd' },
  { listed_at: NOW - 100 * DAY_MS },
  { listed_at: NOW - DAY_MS, opens_at: NOW },
  { closes_at: NOW + 3 * DAY_MS },
  { status: 'settled', settled_at: NOW, payout: 0.005 },
] as const;

type Step = (world: World) => unknown;
const index = fc.nat({ max: 30 });
const steps: fc.Arbitrary<{ name: string; step: Step }> = fc.oneof(
  fc.record({ i: index, price: fc.constantFrom(0.2, 0.3, 0.305, undefined) }).map(({ i, price }) => ({
    name: `mark ${i} ${price}`,
    step: (world: World) => world.putMark(i, price),
  })),
  fc
    .record({
      i: index,
      change: fc.oneof(
        fc.constantFrom(...MARKET_STATUSES).map((status) => ({ status })),
        fc.constantFrom('Pays on a price.', 'Pays.').map((description) => ({ description })),
        fc.nat({ max: 3 }).map((volume) => ({ volume, volume_unit: 'contracts' as const })),
        fc.constantFrom(...MARKETS).map(({ question }) => ({ question })),
        fc.constantFrom('E1', 'E2').map((event_id) => ({ event_id: `venue_a:${event_id}` })),
        fc.constantFrom(...FURTHER),
      ),
    })
    .map(({ i, change }) => ({
      name: `market ${i} ${JSON.stringify(change)}`,
      step: (world: World) => world.putMarket(i, change),
    })),
  index.map((i) => ({ name: `new market ${i}`, step: (world: World) => world.addMarket(i) })),
  fc.record({ i: fc.nat({ max: 3 }), title: fc.nat({ max: 3 }) }).map(({ i, title }) => ({
    name: `article ${i} ${title}`,
    step: (world: World) => world.putArticle(i, title),
  })),
  fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 1 }), fc.nat({ max: 2 })).map((filing) => ({
    name: `filing ${filing}`,
    step: (world: World) => world.putFiling(...filing),
  })),
  fc.record({ i: fc.constantFrom(1, 2), series: fc.constantFrom('S1', 'S2') }).map(({ i, series }) => ({
    name: `event ${i} ${series}`,
    step: (world: World) => world.putEvent(i, series),
  })),
  fc.array(fc.tuple(fc.constantFrom(1, 2), fc.nat({ max: 2 })), { maxLength: 3 }).map((pairs) => ({
    name: `terms ${JSON.stringify(pairs)}`,
    step: (world: World) => world.putTerms(pairs),
  })),
  fc.subarray([0, 1, 2, 6]).map((members) => ({
    name: `index of ${members}`,
    step: (world: World) => world.putIndex(members),
  })),
  fc.constant({ name: 'relate', step: (world: World) => relateAll(world.store) }),
  fc.constantFrom(0, 5 * MINUTE_MS, DAY_MS).map((later) => ({
    name: `publish ${later} later`,
    step: async (world: World) => {
      world.now += later;
      await world.publish();
    },
  })),
  fc.constantFrom(HOUR_MS, 8 * DAY_MS).map((later) => ({
    name: `wait ${later}`,
    step: (world: World) => {
      world.now += later;
    },
  })),
  fc.constant({ name: 'publish by another program', step: (world: World) => world.publish('b') }),
  fc.nat({ max: 60 }).map((at) => ({ name: `fail at ${at}`, step: (world: World) => world.fail(at) })),
  fc.constant({
    name: 'roll back',
    step: async ({ sink, now }: World) => {
      // A failed publish leaves records that no pointer names.
      const { generation } = JSON.parse(String(sink.objects.get('archive/pointer.json')));
      if (generation > 1) await rollback(1, { sink, now, variants: [] });
    },
  }),
);

describe('standing answers', () => {
  it('[C/4] a publish that reuses them has the same bytes as one that answers everything', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 6, maxLength: 14 }), async (chosen) => {
        const world = new World();
        try {
          await world.publish();
          for (const { step } of chosen) await step(world);
          await world.publish();
        } finally {
          world.store.close();
        }
      }),
      { numRuns: rounds(6) },
    );
  });

  it('[C/4] only documents that show a changed row are answered again', async () => {
    const world = new World();
    const { store, sink } = world;
    await world.publish();
    const all = await listAnswered(world, 'b');
    expect(all).toHaveLength(5 * MARKETS.length);
    expect(await listAnswered(world)).toEqual([]);

    world.putMark(0, 0.4);
    const shows = [...sink.objects].filter(([key, body]) => key.startsWith('api/') && isNear(key, body));
    const shown = [keyOf(0), ...shows.map(([key]) => key)].sort();
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.length).toBeLessThan(MARKETS.length);
    expect((await listAnswered(world)).sort(), 'a first mark').toEqual(shown);
    await world.publish();
    world.putMark(0, 0.6);
    expect((await listAnswered(world)).sort(), 'another price').toEqual(shown);
    world.putMark(0, 0.4);
    await world.publish();

    world.now += MINUTE_MS;
    world.putMark(0, 0.4);
    expect(await listAnswered(world), 'seen again at the same price').toEqual([keyOf(0)]);
    world.putMarket(1, { volume: 5, volume_unit: 'contracts' });
    expect((await listAnswered(world)).sort()).toEqual([keyOf(0), keyOf(1)].sort());

    await world.fail(3);
    expect(await listAnswered(world), 'after a failure').toEqual(all);
    await world.publish();
    expect(await listAnswered(world)).toEqual([]);
    await rollback(undefined, { sink, now: world.now, variants: [] });
    expect(await listAnswered(world), 'after a rollback').toEqual(all);
    await world.publish();
    world.now -= MINUTE_MS;
    expect(await listAnswered(world), 'the clock went back').toEqual(all);
    world.now += MINUTE_MS;
    sink.objects.clear();
    expect(await listAnswered(world), 'nothing is there any more').toEqual(all);
    store.close();
  });

  it('[C/4] markets show on the same day that an index has printed, has taken them in, or is withdrawn', async () => {
    const { store, close } = openSmallStore();
    const sink = memorySink(2);
    const publishAt = async (now: number) => {
      compute(store, now, () => {});
      await publishAsAnswered({ store, sink, now });
    };
    const shown = (id: string) => treeOf(sink)[`api/v1/public/markets/${encodeId(id)}/indices.json`];
    await publishAt(NOW);
    const before = shown(IDS.steady);

    const printed = NOW + 6 * HOUR_MS;
    observe(store, IDS.swinging, [book(printed, 0.8)]);
    await publishAt(printed);
    expect(shown(IDS.steady)).not.toBe(before);

    expect(shown(IDS.wild)).not.toContain('OWN');
    adopt(store, [...INDICES, { ...OWN_INDEX, constituents: [{ market_id: IDS.wild }] }], RATES, printed);
    await publishAt(printed + HOUR_MS);
    expect(shown(IDS.wild)).toContain('OWN');
    adopt(store, INDICES, RATES, printed + HOUR_MS);
    await publishAt(printed + 2 * HOUR_MS);
    expect(shown(IDS.wild)).not.toContain('OWN');
    close();
  });

  it('[C/4] the prints of a series are made again only when there are others, or its definition says something else', async () => {
    const { store, close } = openSmallStore();
    const sink = memorySink(2);
    const publishAt = (now: number) => publishAsAnswered({ store, sink, now });
    const madeAt = (now: number, program?: string) =>
      listMade({ store, sink, now }, /\/prices\.json$/, program);
    const [small, gauge, steady, mean] = [
      'indices/SMALL',
      'indices/GAUGE.K',
      'rates/R.STEADY',
      'rates/R.MEAN',
    ].map((series) => `api/v1/public/${series}/prices.json`);
    const all = await madeAt(NOW);
    expect(all).toEqual(expect.arrayContaining([small, gauge, steady, mean]));
    await publishAt(NOW);
    expect(await madeAt(NOW)).toEqual([]);
    expect(await madeAt(NOW + HOUR_MS), 'the clock went on').toEqual([]);
    expect(await madeAt(NOW, 'b'), 'another program').toEqual(all);
    expect(await madeAt(NOW + DAY_MS), 'the first of a day').toEqual(all);

    const printed = NOW + 6 * HOUR_MS;
    observe(store, IDS.steady, [book(printed, 0.8)]);
    compute(store, printed, () => {});
    const others = await madeAt(printed);
    expect(others).toEqual(expect.arrayContaining([small, steady, mean]));
    await publishAt(printed);

    observe(store, IDS.steady, [book(NOW - 2 * DAY_MS + 1, 0.3)]);
    const wish = { tickers: ['R.STEADY'], from: NOW - 3 * DAY_MS, to: NOW - DAY_MS, every_minutes: 60 };
    backfill(store, wish, printed + HOUR_MS, () => {});
    expect(await madeAt(printed + HOUR_MS), 'an earlier print was added').toEqual([steady]);
    await publishAt(printed + HOUR_MS);

    const changed = (change: object) =>
      RATES.map((each) => (each.ticker === 'R.MEAN' ? { ...each, ...change } : each));
    const adoptAt = (change: object, now: number) => adopt(store, INDICES, changed(change), now);
    adoptAt({ methodology: 'volume_weighted', sources: [{ market_id: IDS.steady }] }, printed + 2 * HOUR_MS);
    expect(await madeAt(printed + 2 * HOUR_MS), 'another methodology').toEqual([mean]);
    await publishAt(printed + 2 * HOUR_MS);
    adoptAt({ visibility: 'organization', organization: 'acme' }, printed + 3 * HOUR_MS);
    await publishAt(printed + 3 * HOUR_MS);
    expect(treeOf(sink)).not.toHaveProperty([mean as string]);
    adoptAt({}, printed + 4 * HOUR_MS);
    expect(await madeAt(printed + 4 * HOUR_MS), 'public once more').toEqual([mean]);
    await publishAt(printed + 4 * HOUR_MS);
    close();
  });

  it('[C/4] a store that was restored from a copy is reported as behind by the first publish that ends', async () => {
    const world = new World();
    const { store, sink } = world;
    const options = { sink, sites: SITES, label: '', program: 'a', progress() {} };
    const run = async (store: Store, killed = false) => {
      const { now } = world;
      const runId = store.write((writer) => insertRun(writer, 'publish', now));
      let outcome: 'complete' | 'failed' = 'failed';
      try {
        const report = await publish({ ...options, store, now });
        outcome = 'complete';
        return report;
      } finally {
        if (!killed) store.write((writer) => finishRun(writer, runId, now, outcome, {}));
      }
    };
    await run(store);
    const published = formatInstant(world.now);
    const copied = join(temporaryFolder(), 'copy.db');
    for (const end of ['', '-wal']) copyFileSync(world.file + end, copied + end);
    world.now += HOUR_MS;
    world.putMark(0, 0.4);
    const stood = formatInstant(world.now);
    // Killed once its generation stands: the next one knows it for its own.
    sink.after = (_request, key) => {
      if (key.startsWith('api/')) throw new Error('killed');
    };
    await expect(run(store, true)).rejects.toThrow('killed');
    sink.after = undefined;
    expect(await run(store)).not.toHaveProperty('behind');
    store.close();

    const copy = openStoreFile(copied);
    world.now -= MINUTE_MS;
    await expect(run(copy)).rejects.toMatchObject({ code: 'publication_superseded' });
    world.now += 2 * MINUTE_MS;
    sink.before = (_request, key) => {
      if (key.startsWith('archive/objects/')) throw new Error('killed');
    };
    await expect(run(copy, true)).rejects.toThrow('killed');
    sink.before = undefined;
    world.now += MINUTE_MS;
    expect(await run(copy)).toMatchObject({ behind: { stood, published } });
    expect(await run(copy)).not.toHaveProperty('behind');
    copy.close();
  });

  it('[C/4] a store that was restored from a copy is reported once as behind what stands', async () => {
    const world = new World();
    const { store, sink } = world;
    const publishFrom = (store: Store) => publishStore(store, sink, world.now, { program: 'a' });
    const published = formatInstant(world.now);
    expect(await publishFrom(store)).not.toHaveProperty('behind');
    const copied = join(temporaryFolder(), 'copy.db');
    for (const end of ['', '-wal']) copyFileSync(world.file + end, copied + end);
    world.now += MINUTE_MS;
    world.putMark(0, 0.4);
    expect(await publishFrom(store)).not.toHaveProperty('behind');
    store.close();
    const copy = openStoreFile(copied);
    const stood = formatInstant(world.now);
    world.now += MINUTE_MS;
    expect(await publishFrom(copy)).toMatchObject({ behind: { stood, published } });
    expect(await publishFrom(copy)).not.toHaveProperty('behind');
    // A rollback is no later publish by somebody else.
    await rollback(1, { sink, now: world.now, variants: [] });
    expect(await publishFrom(copy)).not.toHaveProperty('behind');
    copy.close();
  });

  it('[C/4] a change that no trigger noted is found on the next day, reported, and not relied on', async () => {
    const world = new World();
    const { store, sink } = world;
    await world.publish();
    store.write((writer) => writer.run('DROP TRIGGER market_changed'));
    world.putMarket(0, { volume: 5, volume_unit: 'contracts' });
    const again = () => publishStore(store, sink, world.now, { program: 'a' });
    await again();
    expect(treeOf(sink)[keyOf(0)]).not.toContain('"volume":5');
    world.now += DAY_MS;
    expect(await again()).toMatchObject({ overlooked: [keyOf(0)] });
    expect(treeOf(sink)[keyOf(0)]).toContain('"volume":5');
    world.putMarket(0, { volume: 6, volume_unit: 'contracts' });
    expect(await again()).not.toHaveProperty('overlooked');
    expect(treeOf(sink)[keyOf(0)]).toContain('"volume":6');
    await world.publish();
    store.close();
  });
});

const keyOf = (i: number) => `api/v1/public/markets/${encodeId(MARKETS[i]?.market_id as string)}.json`;
const isNear = (key: string, body: Buffer) =>
  key.endsWith('/related.json') && body.toString().includes(`"${MARKETS[0]?.market_id}"`);

/** Watched documents that the next publish would answer. */
function listAnswered(world: World, program?: string): Promise<string[]> {
  return listMade(world, /markets\/[^/]+(\.json|\/(related|news|filings|indices)\.json)$/, program);
}

/** Documents of some keys that the next publish would make. */
async function listMade(
  { store, sink, now }: Pick<World, 'store' | 'sink' | 'now'>,
  keys: RegExp,
  program = 'a',
): Promise<string[]> {
  const answered_by = JSON.stringify({ program, sites: SITES });
  const answers = new StandingAnswers({ store, now, answered_by, dryRun: true });
  answers.compareWith(await findCurrentGeneration(sink));
  return store.read((reader) =>
    [...eachDocument(reader, { now, sites: SITES }, answers)].flatMap((each) =>
      'body' in each && keys.test(each.key) ? [each.key] : [],
    ),
  );
}
