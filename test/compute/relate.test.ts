import { beforeAll, describe, expect, it } from 'vitest';
import { relate } from '../../src/compute/relations/relate.ts';
import { config } from '../../src/model/config.ts';
import type { NewsArticle } from '../../src/model/news.ts';
import type { Platform } from '../../src/model/platform.ts';
import { type RelationSort, TEXT_GROUPS, type TextGroup } from '../../src/model/relations.ts';
import { DAY_MS } from '../../src/model/time.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { upsertArticle } from '../../src/store/news.ts';
import { listNearRecords } from '../../src/store/relations/neighbours.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { filing } from '../helpers/filings-store.ts';
import { rate } from '../helpers/hand-definitions.ts';
import { MARKETS, putFilings, putMarkets } from '../helpers/related-store.ts';
import { adopt, type GivenMarket, market, NOW } from '../helpers/small-store.ts';
import { tables } from '../quality/methods.ts';
import { worldSet } from '../quality/sets.ts';

const { floors } = config.parse({}).relations;
const run = (store: Store, progress = () => {}) => relate(store, { now: NOW, tables, floors }, progress);

function put(store: Store, markets: readonly GivenMarket[]): void {
  store.write((writer) => {
    for (const each of markets) upsertMarket(writer, market(each), 1);
  });
}

const neighbours = (store: Store, id: string, venue: Platform, limit: number) =>
  store.read((reader) => listNearRecords(reader, { sort: 'market', record_id: id }, venue, limit));

function near(store: Store, id: string, venue: Platform, limit = 16) {
  return neighbours(store, id, venue, limit).map((each) => each.record_id);
}

const questions = worldSet('held-out', 1).pool.map(({ text }, i) => ({
  market_id: `${i % 2 === 0 ? 'venue_a' : 'venue_b'}:${i}`,
  question: text,
}));
const few = questions.filter((_, i) => i % 12 === 0);

describe('[C/3] neighbours', () => {
  const most = questions.slice(0, 1200);
  /** The result of one run over {@link most}. */
  const whole = openStore(':memory:');
  beforeAll(() => {
    put(whole, most);
    run(whole);
  });

  it('stay the same in a run with nothing to do, which compares nothing', () => {
    const store = openStore(':memory:');
    put(store, few);
    expect(run(store)).toEqual({ texts: few.length, read: few.length, compared: few.length, waiting: 0 });
    const before = few.map(({ market_id }) => near(store, market_id, 'venue_a'));
    expect(run(store)).toEqual({ texts: few.length, read: 0, compared: 0, waiting: 0 });
    expect(few.map(({ market_id }) => near(store, market_id, 'venue_a'))).toEqual(before);
  });

  it('cost nothing that grows with the vocabulary in a run with nothing to do', () => {
    const store = openStore(':memory:');
    put(store, few.slice(0, 20));
    run(store);
    store.write((writer) => writer.run('DROP TABLE relation_terms'));
    expect(run(store)).toEqual({ texts: 20, read: 0, compared: 0, waiting: 0 });
  });

  it('are found for every text, also for more than one transaction reads', () => {
    const store = openStore(':memory:');
    const count = 4_001;
    const many = Array.from({ length: count }, (_, i) => ({
      market_id: `venue_a:${i}`,
      question: `Case ${i}?`,
      // An inactive market is read, but hardly compared.
      status: 'closed' as const,
    }));
    put(store, many);
    expect(run(store)).toEqual({ texts: count, read: count, compared: count, waiting: 0 });
    expect(run(store)).toEqual({ texts: count, read: 0, compared: 0, waiting: 0 });
  });

  it('are found both ways for new texts, as if all had come at once', () => {
    const atOnce = openStore(':memory:');
    put(atOnce, few);
    run(atOnce);
    const inSteps = openStore(':memory:');
    const late = few.filter((_, i) => i % 10 === 3);
    put(
      inSteps,
      few.filter((each) => !late.includes(each)),
    );
    run(inSteps);
    put(inSteps, late);
    expect(run(inSteps)).toEqual({ texts: few.length, read: late.length, compared: late.length, waiting: 0 });
    let found = 0;
    let all = 0;
    for (const { market_id } of few)
      for (const venue of ['venue_a', 'venue_b'] as const) {
        const expected = neighbours(atOnce, market_id, venue, 5);
        const got = neighbours(inSteps, market_id, venue, 5);
        const least = got.at(-1)?.similarity ?? 0;
        all += expected.length;
        // The strikes of a ladder are equally near: any of them will do.
        found += expected.filter(
          (each) =>
            got.some((other) => other.record_id === each.record_id) ||
            (got.length === expected.length && least >= each.similarity - 0.01),
        ).length;
      }
    expect(all).toBeGreaterThan(700);
    // Word rarity is still that of the first run, so that lists differ where similarities are close.
    expect(found / all).toBeGreaterThan(0.97);
  });

  it('are active markets only: one that closes leaves, and comes back when it trades again', () => {
    const store = openStore(':memory:');
    const [a, b] = ['venue_a:A', 'venue_b:B'];
    const text = { question: 'Will Bitcoin reach $150k in 2027?' };
    put(store, [...few, { market_id: a, ...text }, { market_id: b, ...text }]);
    run(store);
    expect(near(store, a, 'venue_b', 1)).toEqual([b]);
    put(store, [{ market_id: b, ...text, status: 'closed' }]);
    expect(run(store).read).toBe(0);
    expect(near(store, a, 'venue_b')).not.toContain(b);
    expect(near(store, b, 'venue_a', 1)).toEqual([a]);
    put(store, [{ market_id: b, ...text, status: 'active' }]);
    expect(run(store)).toMatchObject({ read: 0, compared: 1 });
    expect(near(store, a, 'venue_b', 1)).toEqual([b]);
    put(store, [{ market_id: b, ...text, status: 'settled' }]);
    run(store);
    expect(near(store, a, 'venue_b')).not.toContain(b);
    expect(near(store, b, 'venue_a', 1)).toEqual([a]);
    expect(run(store)).toMatchObject({ read: 0, compared: 0 });
  });

  it('ignore settled markets, both as texts to compare and in how rare a word is', () => {
    const aged = openStore(':memory:');
    put(aged, few);
    run(aged);
    const [gone, live] = [few.slice(0, few.length / 2), few.slice(few.length / 2)];
    put(
      aged,
      gone.map((each) => ({ ...each, status: 'settled' as const })),
    );
    const all = live.length;
    expect(run(aged)).toEqual({ texts: all, read: 0, compared: all, waiting: 0 });
    // As in a store from before they were left out.
    const sql = 'UPDATE relation_texts SET compared = 0 WHERE text_group = ?';
    aged.write((writer) => writer.run(sql, TEXT_GROUPS.settled));
    expect(run(aged)).toEqual({ texts: all, read: 0, compared: 0, waiting: 0 });
    const young = openStore(':memory:');
    put(young, live);
    run(young);
    const nearest = (store: Store) =>
      live.map(({ market_id }) => neighbours(store, market_id, 'venue_a', 1)[0]?.similarity);
    expect(nearest(aged)).toEqual(nearest(young));
  });

  it("do not show what an organization's rates are called", () => {
    const markets = [
      ...few,
      { market_id: 'venue_a:A', question: 'Will Bitcoin reach $99k in 2027?' },
      { market_id: 'venue_b:B', question: 'Will Bitcoin, the Zorblax of coins, reach $99k in 2027?' },
    ];
    const nearest = (rates: readonly unknown[]) => {
      const store = openStore(':memory:');
      put(store, markets);
      adopt(store, [], [...rates]);
      run(store);
      return markets.map(({ market_id }) => neighbours(store, market_id, 'venue_b', 16));
    };
    const named = (i: number) =>
      rate(`OWN${i}`, [], {
        name: `Zorblax ${i}`,
        visibility: 'organization',
        organization: 'desk',
        sources: [{ market_id: 'venue_a:A' }],
      });
    expect(nearest(Array.from({ length: 40 }, (_, i) => named(i)))).toEqual(nearest([]));
  });

  it('follow a text that changes', () => {
    const store = openStore(':memory:');
    put(store, [...few, { market_id: 'venue_a:A', question: 'Will Bitcoin reach $150k in 2027?' }]);
    put(store, [{ market_id: 'venue_b:B', question: 'Will Ann Low be the nominee for NY-13?' }]);
    run(store);
    expect(near(store, 'venue_a:A', 'venue_b')).not.toContain('venue_b:B');
    put(store, [{ market_id: 'venue_b:B', question: 'BTC above 150,000 by end of 2027?' }]);
    expect(run(store)).toMatchObject({ read: 1, compared: 1 });
    expect(near(store, 'venue_a:A', 'venue_b', 1)).toEqual(['venue_b:B']);
  });

  it('are searched again once a list has lost half of its entries', () => {
    const store = openStore(':memory:');
    const strikes = Array.from({ length: 60 }, (_, i) => ({
      market_id: `venue_b:${i}`,
      question: `Will Bitcoin reach $${100 + i}k in 2027?`,
    }));
    put(store, [...few, ...strikes, { market_id: 'venue_a:A', question: 'Bitcoin above $99k in 2027?' }]);
    run(store);
    const first = near(store, 'venue_a:A', 'venue_b');
    expect(first.length).toBe(16);
    const gone = new Set(first.slice(0, 10));
    put(
      store,
      strikes
        .filter((each) => gone.has(each.market_id))
        .map((each) => ({ ...each, status: 'closed' as const })),
    );
    expect(run(store).compared).toBeGreaterThan(0);
    const second = near(store, 'venue_a:A', 'venue_b');
    expect(second.length).toBe(16);
    expect(second.some((id) => gone.has(id))).toBe(false);
  });

  it('that are equally near are in the order of their ids, whichever came first', () => {
    const alike = Array.from({ length: 120 }, (_, i) => ({
      market_id: `venue_b:${String(i).padStart(3, '0')}`,
      question: 'Will Bitcoin reach $99k in 2027?',
    }));
    const others = [...few.slice(0, 20), { market_id: 'venue_a:A', question: 'Bitcoin above $99k in 2027?' }];
    const first = alike.slice(0, 16).map((each) => each.market_id);
    const among = (late: readonly GivenMarket[]) => {
      const store = openStore(':memory:');
      put(
        store,
        [...others, ...alike].filter((each) => !late.includes(each)),
      );
      run(store);
      put(store, late);
      run(store);
      return near(store, 'venue_a:A', 'venue_b');
    };
    expect(among([])).toEqual(first);
    expect(among(alike.slice(3, 6))).toEqual(first);
    // Enough late ones that everything is compared again.
    expect(among(alike.slice(0, 110))).toEqual(first);
  });

  it('of a run that was cut off are completed by the next', () => {
    const cut = openStore(':memory:');
    put(cut, most);
    expect(() =>
      run(cut, () => {
        throw new Error('killed');
      }),
    ).toThrow('killed');
    expect(run(cut)).toEqual({ texts: 1200, read: 0, compared: 700, waiting: 0 });
    for (const { market_id } of most)
      expect(neighbours(cut, market_id, 'venue_a', 16)).toEqual(neighbours(whole, market_id, 'venue_a', 16));
  });

  it('left over when a run is out of time are compared in the next runs, with the same result', () => {
    const pieces = openStore(':memory:');
    put(pieces, most);
    const runs = [1, 2, 3, 4].map(() =>
      relate(pieces, { now: NOW, tables, floors, isTimeUp: () => true }, () => {}),
    );
    expect(runs.map(({ compared, waiting }) => [compared, waiting])).toEqual([
      [500, 700],
      [500, 200],
      [200, 0],
      [0, 0],
    ]);
    for (const { market_id } of most)
      expect(neighbours(pieces, market_id, 'venue_a', 16)).toEqual(
        neighbours(whole, market_id, 'venue_a', 16),
      );
  });

  it('below the floor are not kept, and a new floor has everything compared again', () => {
    const store = openStore(':memory:');
    put(store, few);
    run(store);
    expect(relate(store, { now: NOW, tables, floors: { ...floors, markets: 0.99 } }, () => {}).compared).toBe(
      few.length,
    );
    const left = few.flatMap(({ market_id }) => near(store, market_id, 'venue_a'));
    expect(left.length).toBeLessThan(few.length / 4);
  });

  it('are held to the floor of their own kind, whichever of the two came first', () => {
    const floors = { markets: 0.05, news: 0.2, filings: 0.2 };
    const [late, ...others] = MARKETS;
    const filings = [
      filing(201, { product_name: 'Bitcoin price on December 31, 2026' }),
      filing(202, { product_name: 'Bitcoin price range on May 3' }),
    ];
    for (const order of ['market last', 'filings last', 'together']) {
      const store = openStore(':memory:');
      const relateNow = () => relate(store, { now: NOW, tables, floors }, () => {});
      putMarkets(store, others);
      if (order === 'market last') putFilings(store, filings);
      else if (late) putMarkets(store, [late]);
      if (order !== 'together') relateNow();
      if (order !== 'market last') putFilings(store, filings);
      else if (late) putMarkets(store, [late]);
      relateNow();
      const of = (sort: RelationSort, record_id: string, group: TextGroup) =>
        store.read((reader) => listNearRecords(reader, { sort, record_id }, group, 16));
      const id = late?.market_id ?? '';
      expect(
        of('market', id, 'recent_filing').map((each) => each.record_id),
        order,
      ).toEqual(['201']);
      const shown = of('filing', '202', 'venue_a').find((each) => each.record_id === id);
      expect(shown?.similarity, order).toBeGreaterThan(floors.markets);
      expect(shown?.similarity, order).toBeLessThan(floors.filings);
    }
  });

  describe('among articles', () => {
    const LISTED = Date.parse('2026-10-01T00:00:00Z');
    const market_id = 'venue_a:BTC';
    const question = 'Will Bitcoin close above $100,000 in 2026?';
    const article = (news_id: string, published_at?: number): NewsArticle => ({
      news_id,
      url: `https://news.example/${news_id}`,
      source: 'wire',
      title: 'Bitcoin closes above $100,000',
      ...(published_at === undefined ? {} : { published_at }),
    });
    const putArticle = (store: Store, each: NewsArticle) =>
      store.write((writer) => upsertArticle(writer, each, 1));
    const newsOf = (store: Store, sort: 'market' | 'rate', record_id: string) =>
      store
        .read((reader) => listNearRecords(reader, { sort, record_id }, 'news', 16))
        .map((each) => each.record_id)
        .sort();
    const open = (listed: Partial<GivenMarket>) => {
      const store = openStore(':memory:');
      put(store, [{ market_id, question, ...listed }]);
      return store;
    };
    const ARTICLES = [
      article('old', LISTED - 90 * DAY_MS - 1),
      article('weeks before', LISTED - 90 * DAY_MS),
      article('after', LISTED + DAY_MS),
      article('undated'),
    ];

    it('[4.1/10] exclude those published over ninety days before the market was listed, whichever comes first', () => {
      const inTime = ['after', 'undated', 'weeks before'];
      const store = open({ listed_at: LISTED });
      for (const each of ARTICLES) putArticle(store, each);
      run(store);
      expect(newsOf(store, 'market', market_id)).toEqual(inTime);
      const late = open({ opens_at: LISTED });
      put(late, few);
      run(late);
      for (const each of ARTICLES) putArticle(late, each);
      run(late);
      expect(newsOf(late, 'market', market_id)).toEqual(inTime);
    });

    it('are unrestricted while the listing date is unknown, and are chosen again once it is known', () => {
      const store = open({});
      for (const each of ARTICLES) putArticle(store, each);
      run(store);
      expect(newsOf(store, 'market', market_id)).toEqual(['after', 'old', 'undated', 'weeks before']);
      put(store, [{ market_id, question, listed_at: LISTED }]);
      run(store);
      expect(newsOf(store, 'market', market_id)).toEqual(['after', 'undated', 'weeks before']);
      putArticle(store, article('after', LISTED - DAY_MS * 400));
      run(store);
      expect(newsOf(store, 'market', market_id)).toEqual(['undated', 'weeks before']);
    });

    it('of a rate may be as old as its first source allows', () => {
      const store = open({ listed_at: LISTED });
      put(store, [
        { market_id: 'venue_b:BTC', question, listed_at: LISTED - 10 * DAY_MS },
        { market_id: 'venue_c:BTC', question },
      ]);
      for (const each of ARTICLES) putArticle(store, each);
      const rateOf = (ticker: string, ...venues: string[]) =>
        rate(ticker, [], {
          name: question,
          methodology: 'simple_average',
          start_at: '2026-10-01T00:00:00Z',
          sources: venues.map((venue) => ({ market_id: `${venue}:BTC` })),
        });
      const rates = [
        rateOf('NEW', 'venue_a'),
        rateOf('TWO', 'venue_a', 'venue_b'),
        rateOf('ANY', 'venue_a', 'venue_c'),
      ];
      adopt(store, [], rates, LISTED);
      run(store);
      expect(newsOf(store, 'rate', 'NEW')).toEqual(['after', 'undated', 'weeks before']);
      for (const ticker of ['TWO', 'ANY'])
        expect(newsOf(store, 'rate', ticker)).toEqual(['after', 'old', 'undated', 'weeks before']);
    });
  });
});
