import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { upsertEvents, upsertMarkets } from '../../src/store/catalog/catalog.ts';
import { rebuildSearch } from '../../src/store/catalog/search-index.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { openSmallApp, type Row, rows } from '../helpers/small-app.ts';
import { BASE, IDS, market, put } from '../helpers/small-store.ts';

const MANY = 1_250;

const app = ofEachTest(openSmallApp);
beforeEach(() => {
  const { store } = app.small;
  put(store, {
    market_id: 'venue_a:KXTITLE-28-X',
    question: 'Will the U.S. lift tariffs on Perú’s exports?',
  });
  put(store, {
    market_id: 'venue_a:KXOTHER-28',
    question: 'Which trade deal comes first?',
    description: 'A deal on tariffs counts when the US lifts them.',
    volume: 1_000_000,
  });
  put(store, { market_id: 'venue_b:0xf00', question: 'Bitcoin above $100,000?', slug: 'btc-100k-2026' });
  put(store, { market_id: 'venue_a:KXBTC-LONG', question: 'Will anything at all ever happen to bitcoin?' });
  put(store, { market_id: 'venue_b:us:obrien', question: "O'Brien wins?" });
  store.write((writer) => {
    for (const [id, title, description] of [
      ['venue_a:KXTRADE', 'Trade and tariffs', undefined],
      ['venue_b:902', 'Courts', 'Rulings about tariffs.'],
    ] as const)
      upsertEvents(
        writer,
        [
          {
            event_id: id,
            family: id.startsWith('venue_a') ? 'venue_a' : 'venue_b_global',
            native_id: id.slice(8),
            title,
            ...(description ? { description } : {}),
            listed_at: BASE,
          },
        ],
        BASE,
      );
  });
  const many = Array.from({ length: MANY }, (_, i) =>
    market({
      market_id: `venue_c:many-${i}`,
      question: `Ubiquitous question ${i}`,
      volume: i,
      closes_at: BASE + i * HOUR_MS,
    }),
  );
  store.write((writer) => upsertMarkets(writer, many, BASE, new Map()));
});

const ids = (body: Row, field = 'market_id'): unknown[] => rows(body).map((row) => row[field]);
const find = async (text: string, more = '') =>
  ids(await app.anyone(`/markets?search=${encodeURIComponent(text)}${more}`));

describe('a search for markets', () => {
  it('[4.1/1] finds words of the question, the description, the slug and the ticker', async () => {
    expect(await find('tariffs exports')).toEqual(['venue_a:KXTITLE-28-X']);
    expect(await find('deal counts')).toEqual(['venue_a:KXOTHER-28']);
    expect(await find('btc 2026')).toEqual(['venue_b:0xf00']);
    expect(await find('btc-100k-2026')).toEqual(['venue_b:0xf00']);
    expect(await find('KXTITLE-28-X')).toEqual(['venue_a:KXTITLE-28-X']);
    expect(await find('venue_a:KXTITLE-28-X')).toEqual(['venue_a:KXTITLE-28-X']);
  });

  it('[4.1/1] ranks a title above a description, and the shortest matching title first', async () => {
    expect(await find('tariffs')).toEqual(['venue_a:KXTITLE-28-X', 'venue_a:KXOTHER-28']);
    expect(await find('bitcoin')).toEqual(['venue_b:0xf00', 'venue_a:KXBTC-LONG']);
  });

  it.each([
    ['US tariffs', 'u.s. TARIFFS!'],
    ['tariff', 'TARIFFS'],
    ['peru', 'PERÚ'],
    ['obrien', "o'brien"],
    ['o brien', 'O’BRIEN?'],
    ['100,000', '100000'],
    ['kxtitle28x', 'kxtitle-28-x'],
    ['btc 100k 2026', 'btc_100k/2026'],
    ['venue_a:KXTITLE-28-X', 'Venue_A:kxtitle-28-x'],
    ['venue_b:us:obrien', 'VENUE_B:US:OBRIEN'],
  ])('finds the same by %s and %s', async (one, other) => {
    expect(await find(one)).toEqual(await find(other));
    expect((await find(one)).length).toBeGreaterThan(0);
  });

  it('requires every word', async () => {
    expect(await find('bitcoin tariffs')).toEqual([]);
    expect(await find('nowhere-to-be-found')).toEqual([]);
  });

  it('[4.1/2][2.3/1] is not counted, and paged by has_next without a row skipped or repeated', async () => {
    const seen: unknown[] = [];
    for (let page = 1; ; page++) {
      const body = await app.anyone(`/markets?search=ubiquitous&per_page=150&page=${page}`);
      expect(body.meta).toMatchObject({ total: null, total_pages: null, has_next: page < 9 });
      expect(body.meta).not.toHaveProperty('total_capped');
      seen.push(...ids(body));
      if (!(body.meta as Row).has_next) break;
    }
    expect(seen).toHaveLength(MANY);
    expect(new Set(seen).size).toBe(MANY);
  });

  it('[4.1/2] is counted when it is sorted', async () => {
    const body = await app.anyone('/markets?search=ubiquitous&sort=volume&per_page=2');
    expect(body.meta).toEqual({ page: 1, per_page: 2, total: MANY, total_pages: MANY / 2, has_next: true });
    expect(ids(body)).toEqual([`venue_c:many-${MANY - 1}`, `venue_c:many-${MANY - 2}`]);
    expect(await find('ubiquitous', '&sort=closes&sort_dir=asc&per_page=1')).toEqual(['venue_c:many-0']);
    expect(await find('ubiquitous', '&sort=volume&sort_dir=asc&per_page=1')).toEqual(['venue_c:many-0']);
    expect(await find('ubiquitous', '&sort=volume&per_page=2&page=2')).toEqual([
      `venue_c:many-${MANY - 3}`,
      `venue_c:many-${MANY - 4}`,
    ]);
  });

  it('[4.1/1] can be narrowed by venue and by close', async () => {
    expect(await find('tariffs', '&venue=venue_b')).toEqual([]);
    expect(await find('bitcoin', '&venue=venue_b')).toEqual(['venue_b:0xf00']);
    const until = new Date(BASE + 2 * HOUR_MS).toISOString();
    expect(new Set(await find('ubiquitous', `&expires_before=${until}`))).toEqual(
      new Set(['venue_c:many-0', 'venue_c:many-1', 'venue_c:many-2']),
    );
    expect(
      ids(await app.member(`/markets?search=${encodeURIComponent(IDS.steady.slice(8))}&scope=constituents`)),
    ).toEqual([IDS.steady]);
    expect(ids(await app.member('/markets?search=bitcoin&scope=constituents'))).toEqual([]);
  });

  it('for blanks is ignored, and for signs alone finds nothing', async () => {
    expect((await app.anyone('/markets?search=%20')).meta).toMatchObject({ total: 10 + 5 + MANY });
    expect((await app.anyone('/markets?search=%3F!%22%27')).meta).toMatchObject({
      total: null,
      has_next: false,
    });
  });

  it('follows changes, and is the same when it is rebuilt', async () => {
    const { store } = app.small;
    put(store, { market_id: 'venue_a:KXNEW-1', question: 'Something about zeppelins' });
    expect(await find('zeppelin')).toEqual(['venue_a:KXNEW-1']);
    put(store, { market_id: 'venue_a:KXNEW-1', question: 'Something about airships', volume: 5_000 });
    expect(await find('zeppelin')).toEqual([]);
    expect(await find('airship')).toEqual(['venue_a:KXNEW-1']);
    const before = await app.anyone('/markets?search=ubiquitous&per_page=500');
    const parts = () =>
      store.read((reader) => reader.all('SELECT DISTINCT segid FROM market_words_idx')).length;
    expect(parts()).toBeGreaterThan(1);
    rebuildSearch(store);
    expect(await app.anyone('/markets?search=ubiquitous&per_page=500')).toEqual(before);
    expect(parts()).toBe(1);
  });

  it('never fails, whatever is typed', async () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            '"',
            "'",
            '*',
            '(',
            ')',
            'AND',
            'OR',
            'NOT',
            'NEAR(',
            '{head}:',
            '-',
            '^',
            '+',
            ':',
            'a',
            '\0',
            'é',
            '漢',
            '💥',
            '\u{10FFFF}',
            '\uD800',
          ),
          { maxLength: 30 },
        )
        .map((parts) => parts.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const query = new URLSearchParams({ search: text.slice(0, 200) });
        for (const path of ['/markets', '/events']) {
          const { status } = await app.get(`/api/v1/public${path}?${query}&per_page=3`);
          expect(status, JSON.stringify(text)).toBe(200);
        }
      }),
      { numRuns: 300 },
    );
    expect(app.reported).toEqual([]);
  });
});

describe('a search for events', () => {
  it('[4.2/2][2.3/3] is by relevance and uncounted, even with a sort', async () => {
    for (const more of ['', '&sort=title', '&sort=listed&sort_dir=asc']) {
      const body = await app.anyone(`/events?search=tariffs${more}`);
      expect(body).toMatchObject({ total: null, total_pages: null, has_next: false });
      expect(ids(body, 'event_id').length, more).toBe(2);
    }
    expect(ids(await app.anyone('/events?search=tariffs'), 'event_id')).toEqual([
      'venue_a:KXTRADE',
      'venue_b:902',
    ]);
    expect(ids(await app.anyone('/events?search=tariffs&sort=title'), 'event_id')).toEqual([
      'venue_b:902',
      'venue_a:KXTRADE',
    ]);
    for (const sort of ['', '&sort=title'])
      for (const [page, has_next] of [
        [1, true],
        [2, false],
      ] as const) {
        const body = await app.anyone(`/events?search=tariffs${sort}&per_page=1&page=${page}`);
        expect(body, `${sort} ${page}`).toMatchObject({ total: null, has_next });
        expect(rows(body)).toHaveLength(1);
      }
  });

  it('[4.2/1] can be narrowed by venue, scope and the time of addition', async () => {
    const found = async (more: string) => ids(await app.member(`/events?search=tariffs${more}`), 'event_id');
    expect(await found('&venue=venue_b')).toEqual(['venue_b:902']);
    expect(await found('&scope=constituents')).toEqual([]);
    expect(await found(`&created_since=${new Date(BASE + DAY_MS).toISOString()}`)).toEqual([]);
  });
});
