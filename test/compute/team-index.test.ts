import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { findSeriesStart } from '../../src/store/prints/divisor-steps.ts';
import { findIndexPrint, listIndexPrints } from '../../src/store/prints/index-prints.ts';
import { ALL, index, rate, START } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';
import { observeAll } from './late-prices.ts';

const team = (ticker: string, more: object = {}) =>
  index(ticker, 'nti', {
    constituents: [
      { market_id: 'venue_a:C', seat: 'championship' },
      { rate: 'WINS.45', seat: 'wins', line: 45 },
    ],
    ...more,
  });
const wins = rate('WINS.45', ['W45']);

describe('team indices through the store', () => {
  it('[2.4/5] a seat can hold a rate, by its prints of the same instant and the payoff of its source', () => {
    const hand = new HandStore();
    hand.adopt([team('TEAM.26')], [wins]);
    hand.at(START, { C: 0.5, W45: 0.5 });
    hand.at(START + HOUR_MS, { C: 0.5, W45: 0.6 });
    hand.at(START + 2 * HOUR_MS, { C: 0.5, W45: { pays: 1 } });
    const levels = hand.store.read((reader) => listIndexPrints(reader, 'TEAM.26', 0, ALL));
    expect(levels.map((print) => print.level)).toEqual([1000, 1100, 1500]);
    const last = hand.store.read((reader) => findIndexPrint(reader, 'TEAM.26', ALL));
    expect(last?.lines.map((line) => [line.market_id, line.state, line.basis])).toEqual([
      ['venue_a:C', 'included', 'mid'],
      ['rate:WINS.45', 'settled', 'settlement'],
    ]);
  });

  it('[2.4.2/4] opens at the current level of its .K index, whatever their order in the list', () => {
    const hand = new HandStore();
    const base_at = new Date(START + 2 * DAY_MS).toISOString();
    hand.adopt([team('TEAM', { base_at }), team('TEAM.K')], [wins]);
    hand.at(START, { C: 0.5, W45: 0.5 });
    hand.at(START + 2 * DAY_MS, { C: 0.6, W45: 0.5 });
    const opened = hand.store.read((reader) => findIndexPrint(reader, 'TEAM', ALL));
    expect(opened?.level).toBe(1100);
  });

  it('[2.4.2/4] opens at the last level above 0 of its .K index when that has ended at 0', () => {
    const hand = new HandStore();
    const base_at = new Date(START + 2 * DAY_MS).toISOString();
    hand.adopt([team('TEAM', { base_at }), team('TEAM.K')], [wins]);
    hand.at(START, { C: 0.5, W45: 0.5 });
    hand.at(START + DAY_MS, { C: 0.6, W45: 0.5 });
    // The season of the one ends; the other holds a contract of the next.
    const nothing = { pays: 0 };
    hand.at(START + 1.5 * DAY_MS, { C: nothing, W45: nothing });
    const next = team('TEAM', { base_at, constituents: [{ market_id: 'venue_a:N', seat: 'championship' }] });
    hand.adopt([next, team('TEAM.K')], [wins]);
    hand.at(START + 2 * DAY_MS, { N: 0.2 });
    const last = (ticker: string) => hand.store.read((reader) => findIndexPrint(reader, ticker, ALL))?.level;
    expect([last('TEAM.K'), last('TEAM')]).toEqual([0, 1100]);
  });

  it('[2.4.2/4] opens at 1000 when its .K index has no beginning any more', () => {
    const hand = new HandStore();
    const of = (name: string) => ({ constituents: [{ market_id: `venue_a:${name}`, seat: 'championship' }] });
    const base_at = new Date(START + DAY_MS).toISOString();
    hand.adopt([team('TEAM', { base_at, ...of('N') }), team('TEAM.K', of('C'))]);
    hand.at(START, { C: 0.5 });
    hand.at(START + HOUR_MS, { C: 0.6 });
    const unusable = [START, START + HOUR_MS].map((observed_at) => ({ observed_at, bid: 0.1, ask: 0.9 }));
    observeAll(hand.store, 'C', unusable, START + 2 * HOUR_MS);
    hand.at(START + DAY_MS, { N: 0.2 });
    const last = (ticker: string) => hand.store.read((reader) => findIndexPrint(reader, ticker, ALL))?.level;
    expect([last('TEAM.K'), last('TEAM')]).toEqual([1200, 1000]);
  });

  it('[2.4.2/6] a live series starts anew, and the store records since when', () => {
    const hand = new HandStore();
    const reset = START + 2 * HOUR_MS;
    hand.adopt([team('TEAM.26', { reconstitutes_at: [new Date(reset).toISOString()] })], [wins]);
    for (const i of [0, 1, 2, 3]) hand.at(START + i * HOUR_MS, { C: 0.2 + i / 10, W45: 0.5 });
    const levels = hand.store.read((reader) => listIndexPrints(reader, 'TEAM.26', 0, ALL));
    expect(levels.map((print) => print.level)).toEqual([1000, 1250, 1000, 1125]);
    const starts = [reset - 1, reset].map((at) =>
      hand.store.read((reader) => findSeriesStart(reader, 'TEAM.26', at)),
    );
    expect(starts).toEqual([START, reset]);
  });
});
