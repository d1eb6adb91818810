import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/model/time.ts';
import type { Tier } from '../../src/routes/route.ts';
import { findIndexPrint, listIndexPrints } from '../../src/store/prints/index-prints.ts';
import { basket, index, START } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { openSmallApp, type Row, rows, rowWith } from '../helpers/small-app.ts';
import { adopt, IDS, INDICES, NOW, QUIET_SINCE, RATES } from '../helpers/small-store.ts';

const app = ofEachTest(openSmallApp);

const tickers = (body: Row): unknown[] => rows(body).map((row) => row.ticker);
const levelAt = (ticker: string, at: number) =>
  app.small.store.read((reader) => findIndexPrint(reader, ticker, at))?.level ?? Number.NaN;

describe('the list of indices', () => {
  it('[4.3/1] is in presentation order, a hundred a page, with the methodologies of the list', async () => {
    const body = await app.anyone('/indices');
    expect(tickers(body)).toEqual(['SMALL', 'GAUGE.K', 'QUIET', 'LATER']);
    expect(body.meta).toEqual({
      page: 1,
      per_page: 100,
      total: 4,
      total_pages: 1,
      has_next: false,
      window: '7d',
    });
    expect(body.methodologies).toEqual(['basket', 'gauge']);
  });

  it.each([
    ['methodology=gauge', ['gauge']],
    ['methodology=nti', []],
    ['search=baskets&per_page=1', ['basket']],
    ['per_page=1&page=9', ['basket', 'gauge']],
  ])(
    '[4.3/1] gives for ?%s the methodologies of the whole filtered list, all its pages',
    async (query, tokens) => {
      expect((await app.anyone(`/indices?${query}`)).methodologies).toEqual(tokens);
      expect((await app.member(`/indices?${query}`)).methodologies).toEqual(tokens);
    },
  );

  it.each([
    ['sort=order&sort_dir=desc', ['LATER', 'QUIET', 'GAUGE.K', 'SMALL']],
    ['sort=ticker', ['GAUGE.K', 'LATER', 'QUIET', 'SMALL']],
    ['sort=name', ['GAUGE.K', 'LATER', 'QUIET', 'SMALL']],
    ['sort=last', ['GAUGE.K', 'QUIET', 'SMALL', 'LATER']],
    ['sort=last&sort_dir=desc', ['SMALL', 'QUIET', 'GAUGE.K', 'LATER']],
    ['sort=change', ['GAUGE.K', 'QUIET', 'SMALL', 'LATER']],
    ['sort=constituents&sort_dir=desc', ['SMALL', 'GAUGE.K', 'LATER', 'QUIET']],
    ['sort=methodology', ['LATER', 'QUIET', 'SMALL', 'GAUGE.K']],
    ['search=quiet', ['QUIET']],
    ['search=%20BASKET%20', ['SMALL', 'QUIET']],
    ['search=baskets%20quiet', ['QUIET']],
    ['search=gauge%2Dk', ['GAUGE.K']],
    ['search=gaugek', ['GAUGE.K']],
    ['search=G%C3%A4uge', ['GAUGE.K']],
    ['search=uge', ['GAUGE.K']],
    ['search=quiet%20gauge', []],
    ['search=%3F', []],
    ['search=%20', ['SMALL', 'GAUGE.K', 'QUIET', 'LATER']],
    // A letter only begins a word.
    ['search=l', ['LATER']],
    ['methodology=gauge', ['GAUGE.K']],
    ['methodology=nti', []],
    ['methodology=', ['SMALL', 'GAUGE.K', 'QUIET', 'LATER']],
    ['exclude_derived=true', ['SMALL', 'GAUGE.K', 'QUIET', 'LATER']],
    ['per_page=3&page=2', ['LATER']],
    ['unknown=1&page=1', ['SMALL', 'GAUGE.K', 'QUIET', 'LATER']],
  ])('[4.3/1] answers ?%s; absent values come last either way', async (query, expected) => {
    expect(tickers(await app.anyone(`/indices?${query}`))).toEqual(expected);
  });

  it.each(['1d', '7d', '30d'])('[4.3/1] shows the percent change over the window %s', async (window) => {
    const body = await app.anyone(`/indices?window=${window}`);
    const change =
      100 * (levelAt('SMALL', NOW) / levelAt('SMALL', NOW - Number.parseInt(window, 10) * DAY_MS) - 1);
    expect(rowWith(rows(body), 'ticker', 'SMALL').change_percent).toBeCloseTo(change, 5);
  });

  it('[4.3/1] shows no change over a window that began before the first print', async () => {
    const body = await app.anyone('/indices?window=90d');
    expect(rowWith(rows(body), 'ticker', 'SMALL')).not.toHaveProperty('change_percent');
  });

  it('[4.3/1] shows no change from a level of 0, since there is no percentage of it', () => {
    const hand = new HandStore();
    hand.adopt([basket('GONE', ['A'])]);
    hand.at(START, { A: 0.5 });
    hand.at(START + DAY_MS, { A: { pays: 0 } });
    const list = (days: number) =>
      hand.ask('/indices', { query: { window: '1d', sort: 'change' }, now: START + days * DAY_MS });
    expect(list(1)?.data).toMatchObject([{ latest_price: 0, change_percent: -100 }]);
    expect(list(3)?.data).toMatchObject([{ latest_price: 0 }]);
    expect((list(3)?.data as object[] | undefined)?.[0]).not.toHaveProperty('change_percent');
  });
});

describe('who sees an index', () => {
  it('[2.4/4] visibility is shown on authenticated answers and on no public one', async () => {
    for (const row of rows(await app.anyone('/indices'))) expect(row).not.toHaveProperty('visibility');
    expect(await app.anyone('/indices/SMALL')).not.toHaveProperty('visibility');
    const own = rows(await app.member('/indices'));
    expect(own.map((row) => row.visibility)).toEqual([
      'public',
      'public',
      'public',
      'public',
      'organization',
    ]);
    expect(await app.member('/indices/SECRET')).toMatchObject({ visibility: 'organization' });
  });

  it("[2.4/4][5/2] an organization's index is shown to its own keys alone", async () => {
    expect(tickers(await app.member('/indices', app.small.keys.other))).not.toContain('SECRET');
    for (const path of ['', '/prices', '/constituents', '/correlation']) {
      const hidden = await app.get(`/api/v1/public/indices/SECRET${path}`);
      const foreign = await app.get(`/api/v1/indices/SECRET${path}`, {
        Authorization: `Bearer ${app.small.keys.other}`,
      });
      expect([hidden.status, foreign.status], path).toEqual([404, 404]);
      expect((await app.member(`/indices/SECRET${path}`)).ticker, path).toBe('SECRET');
    }
  });
});

describe('the detail of an index', () => {
  it('[2.4/1][4.3/2] has its heading, even for a ticker with a dot, on both tiers', async () => {
    expect(await app.anyone('/indices/GAUGE.K')).toMatchObject({
      index_id: 'GAUGE.K',
      ticker: 'GAUGE.K',
      name: 'A gauge',
      description: 'Two names.',
      methodology: 'gauge',
      quote_convention: 'probability',
      latest_price: Math.round(levelAt('GAUGE.K', NOW) * 1e6) / 1e6,
    });
    expect(await app.member('/indices/SMALL')).not.toHaveProperty('description');
  });

  it('of a total return, and of no other, names its base index and what settlements turn into', () => {
    const hand = new HandStore();
    hand.adopt([basket('PAIR', ['A', 'B']), index('PAIR.TR', 'total_return', { base_index_id: 'PAIR' })]);
    hand.at(START, { A: 0.5, B: 0.5 });
    expect(hand.ask('/indices/{id}', { id: 'PAIR.TR' })).toMatchObject({
      base_index_id: 'PAIR',
      settlement_cash: 'reinvested_pro_rata',
    });
    const plain = hand.ask('/indices/{id}', { id: 'PAIR' });
    for (const name of ['base_index_id', 'settlement_cash']) expect(plain).not.toHaveProperty(name);
  });

  it('[2.4/2] shows the public a print of exactly seven days, but not one a millisecond older', async () => {
    app.clock.now = QUIET_SINCE + 7 * DAY_MS;
    expect(await app.anyone('/indices/QUIET')).toMatchObject({ latest_price: 1000 });
    app.clock.now++;
    const quiet = await app.anyone('/indices/QUIET');
    for (const field of ['latest_price', 'coverage', 'confidence']) expect(quiet).not.toHaveProperty(field);
    expect(quiet).toMatchObject({ latest_print_at: '2026-04-08T12:00:00Z' });
    const listed = rowWith(rows(await app.anyone('/indices')), 'ticker', 'QUIET');
    expect(listed).not.toHaveProperty('latest_price');
    expect(listed).not.toHaveProperty('change_percent');
    expect(await app.member('/indices/QUIET')).toMatchObject({ latest_price: 1000 });
  });

  it('[2.4/3] has the previous closes of the last Eastern day and of seven days before, for keys alone', async () => {
    // The day in New York ends at 04:00 UTC in summer time: its last six-hourly print is that of midnight UTC.
    const level = (at: string) => Math.round(levelAt('SMALL', Date.parse(at)) * 1e6) / 1e6;
    expect(await app.member('/indices/SMALL')).toMatchObject({
      previous_close_1d: level('2026-04-15T00:00:00Z'),
      previous_close_7d: level('2026-04-08T00:00:00Z'),
    });
    const open = await app.anyone('/indices/SMALL');
    expect(open).not.toHaveProperty('previous_close_1d');
    expect(open).not.toHaveProperty('previous_close_7d');
    app.clock.now = Date.parse('2026-03-06T13:00:00Z');
    expect(await app.member('/indices/SMALL')).toMatchObject({ previous_close_1d: 1000 });
    expect(await app.member('/indices/SMALL')).not.toHaveProperty('previous_close_7d');
  });

  it('[2.4/5] has group returns that sum to the change since the close, and group weights that sum to 1', async () => {
    const detail = await app.member('/indices/SMALL');
    const groups = rows(detail, 'constituent_returns');
    expect(detail.group_by).toBe('state');
    expect(groups.map((row) => row.group)).toEqual(['GA', 'PA', 'NV']);
    const total = (field: string) => groups.reduce((sum, row) => sum + Number(row[field]), 0);
    expect(total('weight')).toBeCloseTo(1, 12);
    expect(total('point_change')).toBeCloseTo(
      Number(detail.latest_price) - Number(detail.previous_close_1d),
      4,
    );
    expect(rowWith(groups, 'group', 'NV')).toEqual({ group: 'NV', weight: 0, point_change: 0 });
    expect(rows(await app.anyone('/indices/SMALL'), 'constituent_returns')).toEqual(groups);
  });

  it.each(['SMALL', 'GAUGE.K', 'QUIET'])(
    '[2.4/5][2.4.1/3] weighs the groups of %s as its constituents, even while all are held and nothing prints',
    async (ticker) => {
      const sum = (all: Row[]) => all.reduce((total, row) => total + Number(row.weight), 0);
      const groups = rows(await app.anyone(`/indices/${ticker}`), 'constituent_returns');
      const weights = sum(rows(await app.anyone(`/indices/${ticker}/constituents`)));
      expect(groups.length).toBeGreaterThan(0);
      expect(sum(groups)).toBeCloseTo(weights, 12);
      expect(weights).toBeCloseTo(ticker === 'QUIET' ? 0 : 1, 12);
    },
  );

  it('[2.4/5] makes each constituent its own group without a dimension, and has no group before the first close', async () => {
    const gauge = rows(await app.anyone('/indices/GAUGE.K'), 'constituent_returns');
    expect(gauge.map((row) => row.group)).toEqual([IDS.swinging, IDS.us]);
    expect(await app.anyone('/indices/LATER')).toMatchObject({ constituent_returns: [] });
  });
});

describe('the prices of an index', () => {
  it('[4.3/3] are all its prints up to now, oldest first, the same on both tiers', async () => {
    const prints = app.small.store.read((reader) => listIndexPrints(reader, 'SMALL', 0, NOW));
    const body = await app.anyone('/indices/SMALL/prices');
    expect(rows(body)).toHaveLength(prints.length);
    expect(rows(body)[0]).toEqual({ at: '2026-03-06T00:00:00Z', level: 1000 });
    expect(rows(body).at(-1)?.level).toBe((await app.anyone('/indices/SMALL')).latest_price);
    expect(await app.member('/indices/SMALL/prices')).toEqual(body);
    app.clock.now = Date.parse('2026-03-06T06:00:00Z');
    expect(rows(await app.anyone('/indices/SMALL/prices'))).toHaveLength(2);
  });

  it('say when the index was launched, before which they were calculated afterwards; a change is no launch', async () => {
    const [small] = INDICES;
    const changed = { ...small, name: 'Another name' };
    const added = { ...small, ticker: 'ADDED' };
    adopt(app.small.store, [...INDICES.slice(1), changed, added], RATES, NOW);
    expect((await app.anyone('/indices/SMALL/prices')).launched_at).toBe('2026-03-06T00:00:00Z');
    expect((await app.anyone('/indices/ADDED/prices')).launched_at).toBe('2026-04-15T12:00:00Z');
    expect((await app.anyone(`/rates/${RATES[0]?.ticker}/prices`)).launched_at).toBe('2026-03-06T00:00:00Z');
  });

  it('[4.3/3] are an empty list before the first print', async () => {
    expect(await app.anyone('/indices/LATER/prices')).toMatchObject({ ticker: 'LATER', data: [] });
  });
});

describe('the constituents of an index', () => {
  const constituents = async (ticker: string) => rows(await app.anyone(`/indices/${ticker}/constituents`));

  it('[2.4.1/2] have shares that sum to 1 when included, and are then not excluded', async () => {
    const included = (await constituents('SMALL')).filter((row) => Number(row.weight) > 0);
    expect(included.map((row) => row.market_id)).toEqual([IDS.steady, IDS.swinging, IDS.global]);
    expect(included.every((row) => row.excluded === false)).toBe(true);
    expect(included.reduce((sum, row) => sum + Number(row.weight), 0)).toBeCloseTo(1, 12);
  });

  it('[2.4.1/1][2.4.1/3] whose book fails a check have weight 0, and are excluded with the reason', async () => {
    expect(rowWith(await constituents('SMALL'), 'market_id', IDS.oneSided)).toMatchObject({
      weight: 0,
      excluded: true,
      exclude_reason: 'one_sided_book',
      basis: 'held',
      mark: 40,
      mark_price: 0.4,
      observed_at: '2026-04-15T06:00:00Z',
    });
  });

  it('[2.4.1/4] not priced yet have weight 0, are not excluded and have no mark', async () => {
    expect(rowWith(await constituents('SMALL'), 'market_id', IDS.neverPriced)).toEqual({
      market_id: IDS.neverPriced,
      groups: { state: 'NV' },
      question: 'KXNEVER-26?',
      weight: 0,
      excluded: false,
    });
  });

  it('[2.4.1/5] have their catalog shares before the first print', async () => {
    expect(await constituents('LATER')).toEqual([
      { market_id: IDS.steady, question: 'KXSTEADY-26?', weight: 0.75, excluded: false },
      { market_id: IDS.us, question: 'will-it-rain?', weight: 0.25, excluded: false },
    ]);
  });

  it('[4.3/4] are the same on both tiers, without staged ones', async () => {
    const open = await constituents('SMALL');
    expect(rows(await app.member('/indices/SMALL/constituents'))).toEqual(open);
    expect(open.map((row) => row.market_id)).not.toContain(IDS.staged);
  });

  it('[4.3/4] are without staged ones before the first print, too', async () => {
    const before = { ...INDICES[0], ticker: 'SOON', base_at: '2027-01-01T00:00:00Z' };
    adopt(app.small.store, [...INDICES, before], RATES);
    const listed = (await constituents('SOON')).map((row) => row.market_id);
    expect(listed).toContain(IDS.steady);
    expect(listed).not.toContain(IDS.staged);
  });
});

describe('the correlation of an index', () => {
  it('[4.3/5] ends at the last completed close for the public, and runs through now for a key', async () => {
    const open = await app.anyone('/indices/GAUGE.K/correlation');
    const own = await app.member('/indices/GAUGE.K/correlation');
    expect(open.through).toBe('2026-04-15T00:00:00Z');
    expect(own.through).toBe('2026-04-15T12:00:00Z');
    expect((open.changes as number[][])[0]?.[1]).toBe(40);
    expect((own.changes as number[][])[0]?.[1]).toBe(41);
  });

  it('[4.3/5] is of the last 90 closes, plus the current mark with a key', () => {
    const hand = new HandStore();
    const [DAYS, start] = [100, Date.parse('2026-03-01T12:00:00Z')];
    const constituents = [{ market_id: 'venue_a:A' }, { market_id: 'venue_a:B' }];
    const base_at = new Date(start).toISOString();
    hand.adopt([{ ...INDICES[0], base_at, group_by: undefined, interval_minutes: 1440, constituents }]);
    for (let day = 0; day < DAYS; day++)
      hand.at(start + day * DAY_MS, { A: 0.5 + (day % 2) / 50, B: 0.3 + (day % 3) / 50 });
    const entered = (tier: Tier) =>
      hand.ask('/indices/{id}/correlation', { id: 'SMALL', tier })?.changes as number[][] | undefined;
    expect(entered('public')?.[0]?.[1]).toBe(89);
    expect(entered('authenticated')?.[0]?.[1]).toBe(90);
    // A day later nothing is newer than the last close, which does not count twice.
    const next = { id: 'SMALL', tier: 'authenticated', now: start + DAYS * DAY_MS } as const;
    const counts = hand.ask('/indices/{id}/correlation', next)?.changes as number[][] | undefined;
    expect(counts?.[0]?.[1]).toBe(89);
  });

  it('[4.3/5] is a symmetric matrix in the order of its markets, 1 on the diagonal, null where too little is known', async () => {
    const { market_ids, matrix } = await app.anyone('/indices/SMALL/correlation');
    expect(market_ids).toEqual([IDS.steady, IDS.swinging, IDS.global, IDS.oneSided, IDS.neverPriced]);
    const cells = matrix as (number | null)[][];
    cells.forEach((row, i) => {
      expect(row[i]).toBe(1);
      row.forEach((cell, j) => {
        expect(cell).toBe(cells[j]?.[i]);
      });
    });
    // The two swing against each other by the same sine; one constant price and one without any.
    expect(cells[1]?.[2]).toBeCloseTo(-1, 9);
    expect(cells[1]?.[3]).toBeNull();
    expect(cells[1]?.[4]).toBeNull();
  });

  it('[4.3/5] takes no step of a gauge for a return', () => {
    const hand = new HandStore();
    const daily = { interval_minutes: 1440 };
    const names = (...each: string[]) => each.map((name) => ({ market_id: `venue_a:${name}` }));
    const gauge = { quote_convention: 'probability', weighting: { scheme: 'equal' }, ...daily };
    hand.adopt([
      index('BOTH', 'composite', {
        weighting: { categories: { all: 1 } },
        constituents: ['WIDE', 'NARROW'].map((name) => ({ index: name, category: 'all' })),
        ...daily,
      }),
      index('WIDE', 'gauge', { ...gauge, constituents: names('A', 'LATE') }),
      index('NARROW', 'gauge', { ...gauge, constituents: names('A') }),
    ]);
    // From the tenth day on a name is in one of them that moves as all that is in both, but costs more.
    for (let day = 0; day < 30; day++) {
      const mark = 0.2 + (day % 3) / 50;
      hand.at(START + day * DAY_MS, day < 10 ? { A: mark } : { A: mark, LATE: 2 * mark });
    }
    const asked = { id: 'BOTH', now: START + 40 * DAY_MS };
    const { changes, matrix } = hand.ask('/indices/{id}/correlation', asked) as Record<string, number[][]>;
    expect(changes?.[0]?.[1]).toBe(29);
    expect(matrix?.[0]?.[1]).toBeCloseTo(1, 12);
  });

  it('[4.3/5] before the first close has no end and only the diagonal', async () => {
    const body = await app.anyone('/indices/LATER/correlation');
    expect(body).not.toHaveProperty('through');
    expect(body.matrix).toEqual([
      [1, null],
      [null, 1],
    ]);
  });
});
