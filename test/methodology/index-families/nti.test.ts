import { describe, expect, it } from 'vitest';
import type { ContractView } from '../../../src/methodology/contract-views.ts';
import { calculateIndex } from '../../../src/methodology/index-families/index-families.ts';
import type { IndexStanding } from '../../../src/model/print.ts';
import { DAY_MS } from '../../../src/model/time.ts';
import { NO_OTHERS } from '../contracts.ts';
import { type Board, instantOf, LINES, type Members, SEASON, team, textOf, work } from './team-boards.ts';

const OPENING = { c: 0.1, f: 0.2, d: 0.4, w40: 0.8, w45: 0.6, w50: 0.3, w55: 0.1 };

const stepsOf = (worked: { steps: { reason: string; market_ids: string[] }[] } | undefined) =>
  worked?.steps.map((step) => [step.reason, ...step.market_ids.map((id) => id.replace('venue_a:', ''))]);

describe('the opening of a team index', () => {
  it('[2.4.2/1] [2.4.2/4] is at 1000 with four seats of 250, the wins seat on the pair around the even line', () => {
    const [first] = work(team(), [OPENING]);
    expect(first?.level).toBe(1000);
    expect([...(first?.held.keys() ?? [])]).toEqual(['c', 'f', 'd', 'w45', 'w50']);
    expect(first?.held.get('c')?.quantity).toBeCloseTo(2500, 9);
    expect(first?.held.get('w45')?.quantity).toBeCloseTo(125 / 0.6, 9);
    expect(first?.held.get('w50')?.quantity).toBeCloseTo(125 / 0.3, 9);
    expect(first?.held.get('f')?.weight).toBeCloseTo(0.25, 12);
  });

  it('[2.4.2/4] of a ticker without a dot is at the last level above 0 of its .K index, both ends included', () => {
    const levels: [number, number][] = [
      [instantOf(0) - 7 * DAY_MS, 1234.5],
      [instantOf(0), 0],
    ];
    const open = (ticker: string, known: [number, number][]) =>
      work(team(SEASON, { ticker }), [OPENING], {
        lastPositiveLevel: (asked, from, until) =>
          ['TEAM.K', 'TEAM.26.K', 'TEAM.K.K'].includes(asked)
            ? known.findLast(([at, level]) => at >= from && at <= until && level > 0)?.[1]
            : undefined,
      })[0]?.level;
    expect(open('TEAM', levels)).toBe(1234.5);
    expect(open('TEAM', [[instantOf(0), 900]])).toBe(900);
    expect(open('TEAM', [[instantOf(0) - 7 * DAY_MS - 1, 900]])).toBe(1000);
    expect(open('TEAM.26', levels)).toBe(1000);
    expect(open('TEAM.K', levels)).toBe(1000);
  });

  it('leaves out a seat without a price and makes the others equal', () => {
    const [first] = work(team(), [{ ...OPENING, c: 'one side' }]);
    expect(first?.value('f')).toBeCloseTo(1000 / 3, 9);
    expect(first?.held.get('c')).toMatchObject({ state: 'unpriced', weight: 0, quantity: 0 });
  });

  it('buys no quantity from a mark under half a cent: the rest goes to the other seats by value', () => {
    const [first] = work(team(), [{ ...OPENING, c: 0.002 }]);
    expect(first?.held.get('c')?.quantity).toBe(50_000);
    expect(first?.value('c')).toBeCloseTo(100, 9);
    expect(first?.value('f')).toBeCloseTo(300, 9);
    expect(first?.value('w45')).toBeCloseTo(150, 9);
    expect(first?.level).toBe(1000);
  });

  it('and to a constituent of the same seat where one is above it', () => {
    const two: Members = [...SEASON, { name: 'c2', seat: 'championship' }];
    const [first] = work(team(two), [{ ...OPENING, c: 0.002, c2: 0.5 }]);
    // 125 for each: 25,000 contracts at 0.2 cents are worth 50.
    expect(first?.value('c')).toBeCloseTo(50, 9);
    expect(first?.value('c2')).toBeCloseTo(200, 9);
    expect(first?.value('f')).toBeCloseTo(250, 9);
  });

  it('one at exactly half a cent takes none of the rest', () => {
    const members = [...SEASON.slice(0, 3), { name: 'c2', seat: 'championship' }];
    const [first] = work(team(members), [{ c: 0.004, c2: 0.005, d: 0.4 }]);
    // c buys 50,000 for 200 of its 250.
    expect(first?.value('c2')).toBeCloseTo(250, 9);
    expect(first?.value('d')).toBeCloseTo(550, 9);
  });

  it('and to all constituents by value where none is above it', () => {
    const [first] = work(team(SEASON.slice(0, 3)), [{ c: 0.002, f: 0.004, d: 0.001 }]);
    expect(first?.value('c')).toBeCloseTo(2000 / 7, 9);
    expect(first?.value('f')).toBeCloseTo(4000 / 7, 9);
    expect(first?.value('d')).toBeCloseTo(1000 / 7, 9);
    expect(first?.standing?.cash).toBe(0);
  });

  it('has no print before its base and none without a price', () => {
    expect(work(team(SEASON, { base_at: textOf(1) }), [OPENING])[0]?.print).toBeUndefined();
    expect(work(team(), [{}])[0]?.print).toBeUndefined();
  });
});

describe('between reconstitutions', () => {
  it('[2.4.2/5] quantities are constant: the level is the sum of quantity times mark', () => {
    const [, second] = work(team(), [OPENING, { ...OPENING, c: 0.2 }]);
    expect(second?.level).toBeCloseTo(1250, 9);
    expect(second?.held.get('c')?.weight).toBeCloseTo(0.4, 12);
    expect(second?.steps).toEqual([]);
  });

  it('[2.4.2/3] the wins seat follows the pair by a departure and an admission at current marks', () => {
    const moved = { ...OPENING, w40: 0.7, w45: 0.4, w50: 0.1, w55: 0.05 };
    const [, second, third] = work(team(), [OPENING, moved, moved]);
    // 125/0.6 × 0.4 + 125/0.3 × 0.1 = 125 stays in the seat, in two equal parts.
    expect(second?.level).toBeCloseTo(875, 9);
    expect(stepsOf(second)).toEqual([
      ['departure', 'w50'],
      ['admission', 'w40'],
    ]);
    expect(second?.held.get('w40')?.quantity).toBeCloseTo(62.5 / 0.7, 9);
    expect(second?.held.get('w45')?.quantity).toBeCloseTo(62.5 / 0.4, 9);
    expect(second?.held.get('w50')).toMatchObject({ state: 'departed', weight: 0 });
    expect(third?.held.has('w50')).toBe(false);
  });

  it('an unreadable line does not change the pair', () => {
    const boards: Board[] = [
      OPENING,
      { ...OPENING, w45: 'one side', w50: 0.2 },
      { ...OPENING, w40: 0.45, w45: 0.3, w50: 0.2 },
    ];
    const [, held, moved] = work(team(), boards);
    expect(held?.held.get('w45')).toMatchObject({ state: 'excluded', basis: 'held', price: 0.6, weight: 0 });
    expect(held?.steps).toEqual([]);
    expect(stepsOf(moved)).toEqual([
      ['departure', 'w50'],
      ['admission', 'w40'],
    ]);
    const [, unread] = work(team(), [OPENING, { ...OPENING, w40: 0.8, w45: 0.5, w50: 'one side', w55: 0.1 }]);
    expect(unread?.steps).toEqual([]);
    // Held at the upper end, and not held between the lines of a new pair.
    const high = { ...OPENING, w40: 0.9, w45: 0.8, w50: 0.6, w55: 0.3 };
    expect(work(team(), [high, { ...high, w55: 'one side' }])[1]?.steps).toEqual([]);
    const low = { ...OPENING, w45: 0.4 };
    expect(work(team(), [low, { ...high, w50: 'one side' }])[1]?.steps).toEqual([]);
    expect(stepsOf(work(team(), [low, high])[1])).toEqual([
      ['departure', 'w40', 'w45'],
      ['admission', 'w50', 'w55'],
    ]);
    // Outside the new pair it says nothing, and before any pair is held nothing can stay.
    expect(stepsOf(work(team(), [low, { ...high, w50: 0.4, w55: 'one side' }])[1])).toHaveLength(2);
    expect(stepsOf(work(team(), [OPENING, { ...high, w40: 'one side' }])[1])).toHaveLength(2);
    const [open] = work(team(), [{ ...OPENING, w50: 'one side' }]);
    expect([...(open?.held.keys() ?? [])]).toEqual(['c', 'f', 'd', 'w45', 'w55']);
  });

  it('the order of the lines in the definition does not matter', () => {
    const [open] = work(team(SEASON.toReversed()), [OPENING]);
    expect([...(open?.held.keys() ?? [])]).toEqual(['c', 'f', 'd', 'w45', 'w50']);
  });

  it('a departing constituent prints its last move, even while every other is held', () => {
    const members: Members = [
      { name: 'c', seat: 'championship', active_until: textOf(1) },
      { name: 'f', seat: 'conference' },
    ];
    const [, second] = work(team(members), [
      { c: 0.5, f: 0.5 },
      { c: 0.6, f: 'one side' },
    ]);
    expect(second?.print).toMatchObject({ level: 1100, cash: 600 });
    expect(second?.print?.lines.map((line) => [line.state, line.price])).toEqual([
      ['excluded', 0.5],
      ['departed', 0.6],
    ]);
  });

  it('a line whose mark the ladder moves prints, even though it was not seen anew', () => {
    const lines: Members = LINES.map((line) => ({ name: `w${line}`, seat: 'wins', line }));
    const at = (i: number, price: number): ContractView => ({
      status: 'active',
      book: { bid: price, ask: price, observed_at: instantOf(i) },
    });
    const boards = [
      { 40: at(0, 0.7), 45: at(0, 0.6), 50: at(0, 0.4), 55: at(0, 0.3) },
      { 40: at(0, 0.7), 45: at(0, 0.6), 50: at(0, 0.4), 55: at(1, 0.46) },
    ];
    let before: IndexStanding | undefined;
    const prints = boards.map((board, i) => {
      const { print, standing } = calculateIndex({
        definition: team(lines),
        at: instantOf(i),
        view: (id) => new Map(Object.entries(board)).get(id.replace('venue_a:w', '')),
        reconstitute: false,
        ...NO_OTHERS,
        ...(before ? { before } : {}),
      });
      before = standing;
      return print;
    });
    // 1250 contracts of line 50, pooled with line 55 at 43 cents.
    expect(prints.map((each) => each?.level)).toEqual([1000, expect.closeTo(1037.5, 9)]);
  });

  it('win totals are marked from the monotone ladder', () => {
    const [first] = work(team(), [{ ...OPENING, w45: 0.5, w50: 0.6, w55: 0.1 }]);
    expect(first?.held.get('w50')?.price).toBeCloseTo(0.55, 12);
    expect([...(first?.held.keys() ?? [])].slice(3)).toEqual(['w50', 'w55']);
  });

  it('a payoff enters the level once; its cash stays in the seat', () => {
    const paid = { ...OPENING, w45: { pays: 1 }, w50: 0.3, w40: { pays: 1 }, w55: 0.1 };
    const [, second] = work(team(), [OPENING, paid]);
    expect(second?.level).toBeCloseTo(750 + 125 / 0.6 + 125, 9);
    expect(stepsOf(second)?.[0]).toEqual(['settlement', 'w45']);
    expect(second?.value('w50', 'w55')).toBeCloseTo(125 / 0.6 + 125, 9);
  });

  it('cash of an empty seat goes to the other seats by value', () => {
    const [, second, third] = work(team(), [
      OPENING,
      { ...OPENING, d: { pays: 1 } },
      { ...OPENING, d: { pays: 1 }, c: 0.2 },
    ]);
    expect(second?.level).toBeCloseTo(1375, 9);
    expect(second?.value('c')).toBeCloseTo(1375 / 3, 9);
    expect(third?.level).toBeCloseTo(1375 + 1375 / 3, 9);
    expect(third?.held.has('d')).toBe(false);
  });

  it('takers of cash are live and marked at half a cent or more, in the same seat and in the others', () => {
    const three: Members = [...SEASON, ...['c2', 'c3'].map((name) => ({ name, seat: 'championship' }))];
    const full = { ...OPENING, c: 0.5, c2: 0.5, c3: 0.5 };
    const [, same] = work(team(three), [full, { ...full, c: { pays: 1 }, c3: 'one side' }]);
    // A third of 250 each at 0.50; c pays two thirds of 250, all of it to c2.
    expect(same?.value('c2')).toBeCloseTo(250, 9);
    expect(same?.value('c3')).toBeCloseTo(250 / 3, 9);
    const low: Board = { ...OPENING, d: { pays: 1 }, c: 0.004, f: 0.005, w45: 'one side', w50: 'one side' };
    const [, others] = work(team(), [OPENING, low]);
    expect(others?.value('f')).toBeCloseTo(1250 * 0.005 + 625, 9);
    expect(others?.value('c')).toBeCloseTo(2500 * 0.004, 9);
  });

  it('a constituent that was never held has no row once it has settled or expired', () => {
    const unheld = { ...OPENING, c: 'one side' } as const;
    const [first, settled] = work(team(), [unheld, { ...unheld, c: { pays: 1 }, d: 0.5 }]);
    expect(first?.held.get('c')).toMatchObject({ state: 'unpriced' });
    expect(settled?.held.has('c')).toBe(false);
    expect(settled?.steps).toEqual([]);
    const ending = SEASON.map((each) => (each.name === 'c' ? { ...each, active_until: textOf(1) } : each));
    expect(work(team(ending), [unheld, { ...unheld, d: 0.5 }])[1]?.held.has('c')).toBe(false);
  });

  it('a seat whose contract loses takes its value with it', () => {
    const [, second] = work(team(), [OPENING, { ...OPENING, d: { pays: 0 } }]);
    expect(second?.level).toBeCloseTo(750, 9);
    expect(stepsOf(second)).toEqual([['settlement', 'd']]);
  });

  it('a deleted constituent enters at its stated price and leaves like a settled one', () => {
    const deletions = [
      { market_id: 'venue_a:d', at: textOf(1), price_cents: 10 },
      { market_id: 'venue_a:w50', at: textOf(1), price_cents: 30 },
    ];
    const worked = work(team(SEASON, { deletions }), [
      OPENING,
      { ...OPENING, d: 'one side' },
      { ...OPENING, w40: 0.9 },
    ]);
    // the division loses three quarters, the ladder goes on without its line
    expect(worked[1]?.level).toBeCloseTo(812.5, 9);
    expect(stepsOf(worked[1])).toEqual([
      ['deletion', 'd', 'w50'],
      ['admission', 'w55'],
    ]);
    expect(worked[2]?.held.has('d')).toBe(false);
    expect(worked[2]?.level).toBeCloseTo(812.5, 9);
  });

  it('where no other constituent is live the cash waits, and the next to enter takes it', () => {
    const alone: Members = [
      { name: 'c', seat: 'championship' },
      { name: 'd', seat: 'division' },
    ];
    const [, second, third] = work(team(alone), [
      { d: 0.5 },
      { d: { pays: 1 } },
      { d: { pays: 1 }, c: 0.25 },
    ]);
    expect(second?.standing?.cash).toBeCloseTo(2000, 9);
    expect(third?.level).toBeCloseTo(2000, 9);
    expect(third?.held.get('c')?.quantity).toBeCloseTo(8000, 9);
    expect(third?.standing?.cash).toBe(0);
  });

  it('a constituent admitted into an empty seat gets one seat of the whole, the others shrink equally', () => {
    const [, second] = work(team(), [
      { ...OPENING, c: 'one side' },
      { ...OPENING, d: 0.8, c: 0.1 },
    ]);
    expect(second?.level).toBeCloseTo(1000 + 1000 / 3, 9);
    expect(second?.value('c')).toBeCloseTo((second?.level ?? 0) / 4, 9);
    expect(second?.value('d') ?? 0).toBeCloseTo(2 * (second?.value('f') ?? 0), 9);
  });

  it('a pair admitted into an empty seat gets one seat of the whole in equal parts', () => {
    const { c, f, d } = OPENING;
    const [, second] = work(team(), [{ c, f, d }, OPENING]);
    expect(stepsOf(second)).toEqual([['admission', 'w45', 'w50']]);
    for (const name of ['w45', 'w50']) expect(second?.value(name)).toBeCloseTo(125, 9);
  });

  it('a constituent admitted into a held seat takes the cash that waited', () => {
    const members = [SEASON[0], SEASON[2], { name: 'c2', seat: 'championship' }] as Members;
    const waiting = { c: 'one side', d: { pays: 1 } } as const;
    const [, second, third] = work(team(members), [{ c: 0.5, d: 0.5 }, waiting, { ...waiting, c2: 0.25 }]);
    expect(second?.standing?.cash).toBeCloseTo(1000, 9);
    expect(third?.level).toBeCloseTo(1500, 9);
    expect(third?.value('c2')).toBeCloseTo(1250, 9);
    expect(third?.value('c')).toBeCloseTo(250, 9);
  });

  it('a constituent admitted into a held seat gets an equal part of that seat alone', () => {
    const two: Members = [...SEASON, { name: 'c2', seat: 'championship' }];
    const [, second] = work(team(two), [OPENING, { ...OPENING, c2: 0.5 }]);
    expect(second?.value('c')).toBeCloseTo(125, 9);
    expect(second?.held.get('c2')?.quantity).toBeCloseTo(250, 9);
    expect(second?.value('f')).toBeCloseTo(250, 9);
  });

  it('[2.4.2/2] a constituent enters at its active_from and leaves at its active_until', () => {
    const windows: Members = [
      { name: 'c', seat: 'championship', active_until: textOf(1) },
      { name: 'c2', seat: 'championship', active_from: textOf(1) },
      ...SEASON.slice(1),
    ];
    const board = { ...OPENING, c2: 0.5 };
    const [first, second] = work(team(windows), [board, board]);
    expect(first?.held.has('c2')).toBe(false);
    expect(stepsOf(second)).toEqual([
      ['departure', 'c'],
      ['admission', 'c2'],
    ]);
    expect(second?.level).toBeCloseTo(1000, 9);
    expect(second?.value('c2')).toBeCloseTo(250, 9);
  });

  it('one that expires leaves its value and payoff in its seat; one that is left out leaves it to all', () => {
    const ending: Members = [
      { name: 'c', seat: 'championship', active_until: textOf(1) },
      { name: 'c2', seat: 'championship' },
      ...SEASON.slice(1),
    ];
    const board = { ...OPENING, c2: 0.5 };
    const seat = (second: Board) => work(team(ending), [board, second])[1];
    expect(seat(board)?.value('c2')).toBeCloseTo(250, 9);
    expect(seat(board)?.value('f')).toBeCloseTo(250, 9);
    // 1250 contracts of c pay 1: 1250, and c2 is worth 125.
    expect(seat({ ...board, c: { pays: 1 } })?.value('c2')).toBeCloseTo(1375, 9);
    const [, left] = work((i) => team(i < 1 ? ending : ending.slice(1)), [board, board]);
    expect(left?.value('c2')).toBeCloseTo(125 + 125 / 7, 9);
    expect(left?.level).toBeCloseTo(1000, 9);
  });

  it('with fourth_seat next_game the seat holds the next priced game, one at a time', () => {
    const games: Members = [
      ...SEASON.slice(0, 3),
      { name: 'g1', seat: 'next_game' },
      { name: 'g2', seat: 'next_game' },
    ];
    const [first, second] = work(team(games, { fourth_seat: 'next_game' }), [
      { c: 0.1, f: 0.2, d: 0.4, g1: 0.5, g2: 0.6 },
      { c: 0.1, f: 0.2, d: 0.4, g1: { pays: 1 }, g2: 0.6 },
    ]);
    expect(first?.held.has('g2')).toBe(false);
    expect(second?.level).toBeCloseTo(1250, 9);
    expect(stepsOf(second)).toEqual([
      ['settlement', 'g1'],
      ['admission', 'g2'],
    ]);
    expect(second?.value('g2')).toBeCloseTo(1250 / 4, 9);
  });

  it('a failed book moves nothing, and the whole move enters when it is good again', () => {
    const [, second, third] = work(team(), [
      OPENING,
      { ...OPENING, c: 'one side', f: 0.21 },
      { ...OPENING, c: 0.05, f: 0.21 },
    ]);
    expect(second?.level).toBeCloseTo(1012.5, 9);
    expect(second?.held.get('c')).toMatchObject({ state: 'excluded', exclude_reason: 'one_sided_book' });
    expect(second?.print?.coverage).toBeCloseTo(762.5 / 1012.5, 12);
    expect(third?.level).toBeCloseTo(887.5, 9);
  });

  it('a series that has lost everything stays at 0', () => {
    const two = SEASON.slice(0, 2);
    const [, second, third] = work(team(two), [{ c: 0.5 }, { c: { pays: 0 } }, { c: { pays: 0 }, f: 0.5 }]);
    expect(second?.level).toBe(0);
    expect(third?.print).toBeUndefined();
    expect(third?.steps).toEqual([]);
  });
});

describe('reconstitution', () => {
  const dated = { reconstitutes_at: [textOf(2)] };
  const boards: Board[] = [OPENING, { ...OPENING, c: 0.3 }, { ...OPENING, c: 0.4 }, { ...OPENING, c: 0.2 }];

  it('[2.4.2/6] restarts a live series at 1000 with equal seats', () => {
    const worked = work(team(SEASON, dated), boards);
    expect(worked.map((each) => each.level)).toEqual([
      1000,
      expect.closeTo(1500, 9),
      1000,
      expect.closeTo(875, 9),
    ]);
    expect(stepsOf(worked[2])?.[0]?.[0]).toBe('base');
    expect(worked[2]?.held.get('c')?.quantity).toBeCloseTo(625, 9);
  });

  it('[2.4.2/6] restarts a live series at 1000, although it opened at the level of its .K index', () => {
    const known = { lastPositiveLevel: () => 2000 };
    const worked = work(team(SEASON, { ...dated, ticker: 'TEAM' }), boards, known);
    expect(worked.map((each) => each.level).slice(0, 3)).toEqual([2000, expect.closeTo(3000, 9), 1000]);
  });

  it('[2.4.2/6] restarts a live series at 1000 even where it ended at 0; a historical one stays there', () => {
    const two: Members = [
      { name: 'c', seat: 'championship' },
      { name: 'f', seat: 'conference' },
    ];
    const lost: Board[] = [{ c: 0.5 }, { c: { pays: 0 }, f: 0.2 }, { c: { pays: 0 }, f: 0.2 }];
    const printed = (more: object) =>
      work(team(two, { ...dated, ...more }), lost).map((each) => each.print?.level);
    expect(printed({})).toEqual([1000, 0, 1000]);
    expect(printed({ series: 'historical' })).toEqual([1000, 0, undefined]);
  });

  it('[2.4.2/6] makes the seats of a historical series equal without moving the level', () => {
    const worked = work(team(SEASON, { ...dated, series: 'historical' }), boards);
    expect(worked[2]?.level).toBeCloseTo(1750, 9);
    expect(worked[2]?.steps[0]?.reason).toBe('reconstitution');
    expect(worked[2]?.value('c')).toBeCloseTo(1750 / 4, 9);
    expect(worked[3]?.level).toBeCloseTo(1750 - 1750 / 8, 9);
    expect(worked[3]?.steps).toEqual([]);
  });

  it('holds neither what settles then nor what was never priced', () => {
    const [, , third] = work(team(SEASON, { ...dated, series: 'historical' }), [
      ...[OPENING, OPENING].map((board): Board => ({ ...board, f: 'one side' })),
      { ...OPENING, f: 'one side', d: { pays: 1 } },
    ]);
    expect(third?.steps.at(-1)).toMatchObject({
      reason: 'reconstitution',
      market_ids: ['c', 'w45', 'w50'].map((name) => `venue_a:${name}`),
    });
    expect(third?.standing?.lines.map((line) => line.market_id)).not.toContain('venue_a:d');
  });

  it('keeps the game that it holds, even while its book fails a check, whichever comes first', () => {
    const games: Members = [
      { name: 'c', seat: 'championship' },
      { name: 'g1', seat: 'next_game' },
      { name: 'g2', seat: 'next_game' },
    ];
    const defined = { ...dated, series: 'historical', fourth_seat: 'next_game' };
    const before = [
      { c: 0.5, g2: 0.5 },
      { c: 0.6, g1: 0.5, g2: 0.5 },
    ];
    for (const g2 of [0.5, 'one side'] as const) {
      const [, , third] = work(team(games, defined), [...before, { c: 0.6, g1: 0.5, g2 }]);
      expect(stepsOf(third)).toEqual([['reconstitution', 'c', 'g2']]);
      expect(third?.value('g2')).toBeCloseTo(550, 9);
    }
  });

  it('waits until a constituent is included, so that a print shows it', () => {
    const members: Members = [
      { name: 'c', seat: 'championship' },
      { name: 'f', seat: 'conference' },
    ];
    const worked = work(team(members, { ...dated, series: 'historical' }), [
      { c: 0.5, f: 0.5 },
      { c: 0.6, f: 0.5 },
      { c: 'one side', f: 'one side' },
      { c: 0.6, f: 'one side' },
    ]);
    expect(worked.map((each) => [each.print?.level, ...each.steps.map((step) => step.reason)])).toEqual([
      [1000, 'base'],
      [1100],
      [undefined],
      [1100, 'reconstitution'],
    ]);
    expect(worked[3]?.value('f')).toBeCloseTo(550, 9);
  });

  it('lets a live series go on while its new season has no price yet', () => {
    const next: Members = [
      { name: 'c', seat: 'championship' },
      { name: 'n', seat: 'championship', active_from: textOf(1) },
    ];
    const define = (i: number) =>
      team(
        i < 1
          ? next
          : next.map((each) => ({ ...each, active_until: each.name === 'c' ? textOf(9) : undefined })),
        {
          reconstitutes_at: [textOf(1)],
        },
      );
    const worked = work(define, [{ c: 0.5 }, { c: 'one side' }, { c: 0.6, n: 0.1 }]);
    expect(worked[1]?.print).toBeUndefined();
    expect(worked[2]?.level).toBe(1000);
    // A payoff counts in the season in which it is made.
    const [, paid] = work(define, [{ c: 0.5 }, { c: { pays: 1 } }]);
    expect(paid?.print?.level).toBeCloseTo(2000, 9);
  });
});

describe('rates in a seat', () => {
  it('[2.4/5] a rate enters by its last print, is held once quiet, and settles when its sources have', () => {
    const members = SEASON.slice(0, 3).map(({ name, ...rest }) => ({
      market_id: `venue_a:${name}`,
      ...rest,
    }));
    const definition = team(SEASON, {
      constituents: [...members, { rate: 'WINS.45', seat: 'wins', line: 45 }],
    });
    const board = { c: 0.1, f: 0.2, d: 0.4 };
    const at = (printed: object) => ({ printed: () => ({ value: 0.5, at: instantOf(0), ...printed }) });
    const line = (lookups: object) => work(definition, [board, board], lookups)[1]?.held.get('rate:WINS.45');
    expect(line(at({}))).toMatchObject({ state: 'included', price: 0.5, basis: 'print' });
    expect(line(at({ paid: { payout: 1, at: instantOf(1) } }))).toBeUndefined();
    const quiet = instantOf(1) - 7 * DAY_MS - 1;
    const [first, second] = work(definition, [board, board], {
      printed: () => ({ value: 0.5, at: quiet }),
    });
    expect(first?.held.get('rate:WINS.45')?.state).toBe('included');
    expect(second?.held.get('rate:WINS.45')).toMatchObject({
      state: 'excluded',
      exclude_reason: 'stale_quote',
    });
  });
});
