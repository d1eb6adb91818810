import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { basket, index, rate, START } from '../helpers/hand-definitions.ts';
import { HandStore, type Prices } from '../helpers/hand-store.ts';

const text = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');

const team = (more: object = {}) =>
  index('TEAM.26', 'nti', {
    constituents: [
      { market_id: 'venue_a:C', seat: 'championship' },
      { market_id: 'venue_a:F', seat: 'conference' },
      { market_id: 'venue_a:D', seat: 'division' },
      ...[40, 45, 50].map((line) => ({ market_id: `venue_a:W${line}`, seat: 'wins', line })),
    ],
    ...more,
  });
const pair = basket('PAIR', [], { constituents: [{ market_id: 'venue_a:C' }, { rate: 'D.RATE' }] });
const division = rate('D.RATE', ['D']);

const OPENING: Prices = { C: 0.1, F: 0.2, D: 0.4, W40: 0.8, W45: 0.6, W50: 0.3 };

function season(
  definition: object = team(),
  boards: readonly Prices[] = [OPENING],
  step = HOUR_MS,
): HandStore {
  const hand = new HandStore();
  hand.adopt([definition, pair], [division]);
  for (const [i, board] of boards.entries()) hand.at(START + i * step, board);
  return hand;
}

describe('the constituents of an index', () => {
  it('[2.4.1] [4.3/5] are the same in rows, count and correlation: without settled ones or those waiting for a seat', () => {
    const boards = [OPENING, { ...OPENING, C: { pays: 1 } }];
    const hand = season(team(), boards);
    for (const [id, count] of [
      ['PAIR', 1],
      ['TEAM.26', 4],
    ] as const) {
      expect(hand.ask('/indices/{id}/constituents', { id })?.data).toHaveLength(count);
      expect(hand.ask('/indices/{id}', { id })?.constituent_count).toBe(count);
      const correlation = hand.ask('/indices/{id}/correlation', { id });
      expect(correlation?.market_ids).toHaveLength(count);
      expect(correlation?.matrix).toHaveLength(count);
    }
  });
});

describe('a change in effect that is not calculated yet', () => {
  const later = START + 25 * HOUR_MS;

  it('[2.9/1] leaves the indices of a market as the constituent list has them', () => {
    const hand = new HandStore();
    hand.adopt([basket('PAIR', ['A', 'B'])]);
    hand.at(START, { A: 0.5, B: 0.5, C: 0.5 });
    hand.adopt([basket('PAIR', ['A', 'C'])], [], { withNotice: true });
    const weights = (now: number) =>
      Object.fromEntries(
        ['A', 'B', 'C'].map((name) => {
          const answer = hand.ask('/markets/{id}/indices', { id: `venue_a:${name}`, now });
          const found = (answer?.data ?? []) as { weight: number }[];
          return [name, found.map((row) => row.weight)];
        }),
      );
    const listed = hand.ask('/indices/{id}/constituents', { id: 'PAIR', now: later })?.data;
    expect(listed).toMatchObject([
      { market_id: 'venue_a:A', weight: 0.5 },
      { market_id: 'venue_a:B', weight: 0.5 },
    ]);
    expect(weights(later)).toEqual({ A: [0.5], B: [0.5], C: [] });
    hand.at(later, { A: 0.5, B: 0.5, C: 0.5 });
    expect(weights(later)).toEqual({ A: [0.5], B: [], C: [0.5] });
  });

  it('[2.4.2/1] leaves every priced member of a team in its seat', () => {
    const hand = season();
    const { constituents, ...rest } = team();
    hand.adopt([{ ...rest, constituents: (constituents as object[]).slice(1) }, pair], [division], {
      withNotice: true,
    });
    const sleeves = hand.ask('/indices/{id}', { id: 'TEAM.26', now: later })?.sleeves;
    expect(sleeves).toMatchObject([
      { seat: 'championship', weight: 0.25, members: [{ market_id: 'venue_a:C', weight: 0.25 }] },
      { seat: 'conference', weight: 0.25 },
      { seat: 'division', weight: 0.25 },
      { seat: 'wins', weight: 0.25 },
    ]);
  });
});

describe('the detail of a team index', () => {
  it('[2.4/6] [2.4.2/1] [2.4.2/2] has four sleeves; the win-total pair is one row with both marks', () => {
    const detail = season().ask('/indices/{id}', { id: 'TEAM.26' });
    expect(detail).toMatchObject({ latest_price: 1000, fourth_seat: 'wins', constituent_count: 5 });
    expect(detail?.sleeves).toEqual([
      {
        seat: 'championship',
        weight: 0.25,
        members: [{ market_id: 'venue_a:C', mark_price: 0.1, weight: 0.25, active_from: text(START) }],
      },
      expect.objectContaining({ seat: 'conference' }),
      expect.objectContaining({ seat: 'division' }),
      {
        seat: 'wins',
        weight: 0.25,
        members: [
          {
            lines: [45, 50],
            mark_price: expect.closeTo(0.45, 12),
            weight: 0.25,
            active_from: text(START),
            marks: [
              expect.objectContaining({ market_id: 'venue_a:W45', line: 45, mark_price: 0.6 }),
              expect.objectContaining({ market_id: 'venue_a:W50', line: 50, mark_price: 0.3 }),
            ],
          },
        ],
      },
    ]);
  });

  it('[2.4.2/2] has active_until on a line that left, and the later start of the two for the pair', () => {
    const moved = { ...OPENING, W40: 0.7, W45: 0.4, W50: 0.1 };
    const at = text(START + HOUR_MS);
    for (const more of [{}, { series: 'historical', reconstitutes_at: [at] }]) {
      const detail = season(team(more), [OPENING, moved]).ask('/indices/{id}', { id: 'TEAM.26' });
      const sleeves = detail?.sleeves as { members: object[] }[] | undefined;
      expect(sleeves?.[0]?.members).toEqual([expect.objectContaining({ active_from: text(START) })]);
      expect(sleeves?.[3]?.members).toEqual([
        expect.objectContaining({ lines: [40, 45], active_from: at }),
        expect.objectContaining({
          market_id: 'venue_a:W50',
          mark_price: 0.1,
          weight: 0,
          active_from: text(START),
          active_until: at,
        }),
      ]);
    }
  });

  it('[2.4.2/2] has active_until on what was deleted, and on that alone', () => {
    const deletions = [{ market_id: 'venue_a:D', at: text(START + HOUR_MS), price_cents: 40 }];
    const detail = season(team({ deletions }), [OPENING, OPENING]).ask('/indices/{id}', { id: 'TEAM.26' });
    const sleeves = detail?.sleeves as { members: object[] }[] | undefined;
    const until = sleeves?.flatMap(({ members }) => members.map((each) => 'active_until' in each));
    expect(until).toEqual([false, false, true, false]);
  });

  it('[2.4.2/3] before the first print has as wins members the pair around the latest marks', () => {
    const later = season(team({ base_at: text(START + DAY_MS) })).ask('/indices/{id}', { id: 'TEAM.26' });
    expect(later?.latest_price).toBeUndefined();
    expect((later?.sleeves as { members: object[] }[] | undefined)?.[3]?.members).toEqual([
      expect.objectContaining({ lines: [45, 50], mark_price: expect.closeTo(0.45, 12) }),
    ]);
  });

  it('[2.4.2/3] before the first print takes the lines in any order and from rates, without staged ones and those without a mark, made monotone', () => {
    const { constituents } = team();
    const lines = [55, 50, 47, 40, 45].map((line) => ({ rate: `W.${line}`, seat: 'wins', line }));
    const staged = { market_id: 'venue_a:S', seat: 'division', status: 'staged' };
    const hand = new HandStore();
    hand.adopt(
      [
        team({
          base_at: text(START + DAY_MS),
          constituents: [...constituents.slice(0, 3), staged, ...lines],
        }),
      ],
      [40, 45, 47, 50, 55].map((line) => rate(`W.${line}`, [`W${line}`])),
    );
    hand.at(START, { ...OPENING, S: 0.5, W40: 0.5, W45: 0.6, W50: 0.3, W55: 0.2 });
    const detail = hand.ask('/indices/{id}', { id: 'TEAM.26' });
    const sleeves = detail?.sleeves as { members: Record<string, unknown>[] }[] | undefined;
    expect(sleeves?.[2]?.members.map((each) => each.market_id)).toEqual(['venue_a:D']);
    // 0.5 and 0.6 are the wrong way around: both count as 0.55.
    expect(sleeves?.[3]?.members).toMatchObject([
      {
        lines: [45, 50],
        mark_price: expect.closeTo(0.425, 12),
        marks: [
          { rate: 'W.45', mark_price: expect.closeTo(0.55, 12) },
          { rate: 'W.50', mark_price: 0.3 },
        ],
      },
    ]);
  });

  it('[2.4.2/1] before the first print has as next game the first with a mark', () => {
    const games = ['G1', 'G2', 'G3'].map((name) => ({ market_id: `venue_a:${name}`, seat: 'next_game' }));
    const constituents = [...team().constituents.slice(0, 3), ...games];
    const later = team({ base_at: text(START + DAY_MS), fourth_seat: 'next_game', constituents });
    const detail = season(later, [{ ...OPENING, G2: 0.6, G3: 0.7 }]).ask('/indices/{id}', { id: 'TEAM.26' });
    expect((detail?.sleeves as { members: object[] }[] | undefined)?.[3]?.members).toEqual([
      { market_id: 'venue_a:G2', mark_price: 0.6, weight: 0.25 },
    ]);
  });

  it('[2.4.2/2] has a line that came back as a member since its return, and as one that left before', () => {
    const moved = { ...OPENING, W40: 0.7, W45: 0.4, W50: 0.1 };
    const detail = season(team(), [OPENING, moved, OPENING]).ask('/indices/{id}', { id: 'TEAM.26' });
    const [left, back] = [text(START + HOUR_MS), text(START + 2 * HOUR_MS)];
    expect((detail?.sleeves as { members: object[] }[] | undefined)?.[3]?.members).toMatchObject([
      { lines: [45, 50], active_from: back, marks: [{ active_from: text(START) }, { active_from: back }] },
      { market_id: 'venue_a:W50', active_from: text(START), active_until: left },
      { market_id: 'venue_a:W40', active_from: left, active_until: back },
    ]);
  });

  it('[2.4.1/5] before the first print has the catalog shares as weights, those of a seat among the members shown', () => {
    const later = season(team({ base_at: text(START + DAY_MS) })).ask('/indices/{id}', { id: 'TEAM.26' });
    const weights = (later?.sleeves as { weight: number; members: { weight: number }[] }[] | undefined)?.map(
      ({ weight, members }) => [weight, members.map((each) => each.weight)],
    );
    expect(weights).toEqual(Array.from({ length: 4 }, () => [0.25, [0.25]]));
  });

  it('[2.4.2/4] starts at the same level as prices', () => {
    const hand = season();
    expect(hand.ask('/indices/{id}/prices', { id: 'TEAM.26' })?.data).toEqual([
      { at: text(START), level: 1000 },
    ]);
  });

  it('compares nothing across a new start, and shows both starts', () => {
    const reset = START + DAY_MS;
    const dated = team({ reconstitutes_at: [text(reset)] });
    const boards = [OPENING, { ...OPENING, C: 0.2 }, { ...OPENING, C: 0.3 }];
    const hand = season(dated, boards, DAY_MS);
    const detail = hand.ask('/indices/{id}', { id: 'TEAM.26', tier: 'authenticated', organization: 'x' });
    expect(detail).toMatchObject({ previous_close_1d: 1000, latest_price: 1125, official_daily_value: 1000 });
    const sleeves = detail?.sleeves as { members: object[] }[] | undefined;
    expect(sleeves?.[0]?.members).toMatchObject([{ market_id: 'venue_a:C', active_from: text(reset) }]);
    const early = hand.ask('/indices/{id}', {
      id: 'TEAM.26',
      tier: 'authenticated',
      organization: 'x',
      now: reset + HOUR_MS,
    });
    expect(early?.previous_close_1d).toBeUndefined();
    expect(early?.official_daily_value).toBe(1000);
    const list = hand.ask('/indices', { query: { window: '7d' } });
    const row = (list?.data as { ticker: string }[] | undefined)?.find((each) => each.ticker === 'TEAM.26');
    expect(row).not.toHaveProperty('change_percent');
    const ofDay = (now: number) =>
      (hand.ask('/indices', { query: { window: '1d' }, now })?.data as object[] | undefined)?.at(0);
    expect(ofDay(reset + HOUR_MS)).not.toHaveProperty('change_percent');
    expect(ofDay(reset + DAY_MS)).toMatchObject({ ticker: 'TEAM.26', change_percent: 12.5 });
    expect(hand.ask('/indices/{id}/prices', { id: 'TEAM.26' })?.series_starts).toEqual([
      text(START),
      text(reset),
    ]);
    // All five are admitted anew.
    expect(hand.ask('/indices/{id}/membership-events', { id: 'TEAM.26' })?.meta).toMatchObject({ total: 10 });
  });
});

describe('daily values and membership events', () => {
  const boards: Prices[] = [OPENING, { ...OPENING, C: 0.2 }, { ...OPENING, C: 0.2, D: { pays: 1 } }];

  it('[4.3/6] [2.4/6] daily values are the closes of completed Eastern days', () => {
    const hand = season(team(), boards, DAY_MS);
    const values = hand.ask('/indices/{id}/daily-values', { id: 'TEAM.26' });
    // A settlement is a step too, but begins no series.
    expect(values?.series_starts).toEqual([text(START)]);
    expect(hand.ask('/indices/{id}/prices', { id: 'TEAM.26' })).not.toHaveProperty('series_starts');
    expect(values?.data).toEqual([
      { day: '2026-10-20', value: 1000, at: text(START) },
      { day: '2026-10-21', value: 1250, at: text(START + DAY_MS) },
    ]);
    expect(hand.ask('/indices/{id}', { id: 'TEAM.26' })?.official_daily_value).toBe(1250);
  });

  it('[4.3/6] membership events are admissions, including the opening ones, and settlements, newest first', () => {
    const hand = season(team(), boards, DAY_MS);
    const events = hand.ask('/indices/{id}/membership-events', { id: 'TEAM.26' });
    const rows = events?.data as Record<string, unknown>[] | undefined;
    expect(rows?.[0]).toEqual({
      at: text(START + 2 * DAY_MS),
      kind: 'settlement',
      market_id: 'venue_a:D',
      seat: 'division',
      mark_price: 1,
    });
    expect(rows?.slice(1).map((row) => [row.kind, row.market_id, row.mark_price])).toEqual([
      ['admission', 'venue_a:W50', 0.3],
      ['admission', 'venue_a:W45', 0.6],
      ['admission', 'venue_a:D', 0.4],
      ['admission', 'venue_a:F', 0.2],
      ['admission', 'venue_a:C', 0.1],
    ]);
    expect(events?.meta).toMatchObject({ total: 6, has_next: false });
  });

  it('[4.3/6] a departure without settlement is no membership event, the admission in its place is', () => {
    const falling = { ...OPENING, W40: 0.6, W45: 0.3, W50: 0.1 };
    const hand = season(team(), [OPENING, falling], DAY_MS);
    const events = hand.ask('/indices/{id}/membership-events', { id: 'TEAM.26' });
    const rows = events?.data as Record<string, unknown>[] | undefined;
    expect(rows?.filter((row) => row.at === text(START + DAY_MS))).toEqual([
      {
        at: text(START + DAY_MS),
        kind: 'admission',
        market_id: 'venue_a:W40',
        seat: 'wins',
        line: 40,
        mark_price: 0.6,
      },
    ]);
  });

  it('[4.3/6] a membership event of a rate has its kind, and the rate it concerns', () => {
    const constituents = team().constituents.map((each) =>
      each.seat === 'division' ? { rate: 'D.RATE', seat: 'division' } : each,
    );
    const events = season(team({ constituents }), boards, DAY_MS).ask('/indices/{id}/membership-events', {
      id: 'TEAM.26',
    });
    const rows = events?.data as Record<string, unknown>[] | undefined;
    expect(rows?.filter((row) => 'rate' in row)).toEqual([
      { at: text(START + 2 * DAY_MS), kind: 'settlement', rate: 'D.RATE', seat: 'division', mark_price: 1 },
      { at: text(START), kind: 'admission', rate: 'D.RATE', seat: 'division', mark_price: 0.4 },
    ]);
  });

  it('[2.4.2/7] other families answer with empty lists, an unknown index is not found', () => {
    const hand = season(team(), boards, DAY_MS);
    expect(hand.ask('/indices/{id}/prices', { id: 'PAIR' })?.data).toHaveLength(boards.length);
    for (const path of ['/indices/{id}/daily-values', '/indices/{id}/membership-events']) {
      expect(hand.ask(path, { id: 'PAIR' })?.data).toEqual([]);
      expect(hand.ask(path, { id: 'NONE' })).toBeUndefined();
    }
  });
});

it('[2.4/5] a rate-backed constituent has kind rate, in its row and in constituent_returns', () => {
  const hand = season(team(), [OPENING, { ...OPENING, D: 0.5 }], DAY_MS);
  expect(hand.ask('/indices/{id}/constituents', { id: 'PAIR' })?.data).toEqual([
    expect.objectContaining({ market_id: 'venue_a:C', basis: 'mid' }),
    expect.objectContaining({
      kind: 'rate',
      rate: 'D.RATE',
      basis: 'print',
      mark_price: 0.5,
      excluded: false,
    }),
  ]);
  expect(hand.ask('/indices/{id}', { id: 'PAIR' })?.constituent_returns).toEqual([
    expect.objectContaining({ group: 'venue_a:C', point_change: 0 }),
    expect.objectContaining({ group: 'D.RATE', kind: 'rate', point_change: 125, percent_change: 25 }),
  ]);
});
