import { expect, test } from 'vitest';
import { DAY, HOUR } from '../../scripts/world/calendar.ts';
import { openDesk } from '../../scripts/world/catalog.ts';
import { kalshiStatus } from '../../scripts/world/dialects/kalshi-rows.ts';
import { countOutcomes, type TruthEvent } from '../../scripts/world/truth/events.ts';
import { quoteAt, slotAt } from '../../scripts/world/truth/quotes.ts';
import { countTrades, listTrades, volumeAt } from '../../scripts/world/truth/trades.ts';
import { createWorld } from '../../scripts/world/world.ts';

const world = createWorld();
const { truth, catalog, epoch } = world;

function eventOf(ticker: string): TruthEvent {
  const event = catalog.kalshi.events.get(ticker)?.truth;
  if (event === undefined) throw new Error(`no event ${ticker}`);
  return event;
}

test('chances of exclusive outcomes sum to one at every instant', () => {
  for (const ticker of ['SIMCBL-27', 'SIMFED-26DEC', 'SIMPRES28-PA', 'SIMHIGHNYC-26OCT29']) {
    const event = eventOf(ticker);
    for (let at = epoch; at < world.now(); at += 9.5 * DAY) {
      let sum = 0;
      for (let k = 0; k < countOutcomes(event); k++) sum += truth.probability(event, k, at);
      expect(sum).toBeCloseTo(1, 6);
    }
  }
});

test('exactly one exclusive outcome pays, unless the question is void and all pay a half', () => {
  let voids = 0;
  for (const { truth: event, face } of catalog.kalshi.event_list) {
    if (!face.mutually_exclusive || event.known_at > world.now()) continue;
    const sum = truth.payouts(event).reduce((total, pays) => total + pays, 0);
    if (truth.isVoid(event)) voids++;
    else expect(sum, event.key).toBe(1);
  }
  expect(voids).toBeGreaterThan(0);
});

test('outcomes come true about as often as the chances of the day before', () => {
  let expected = 0;
  let came = 0;
  let variance = 0;
  for (const { truth: event } of catalog.kalshi.event_list) {
    if (event.known_at > world.now() || truth.isVoid(event)) continue;
    const p = truth.probability(event, 0, Math.max(event.listed_at, event.known_at - DAY));
    expected += p;
    variance += p * (1 - p);
    came += truth.payouts(event)[0] ?? 0;
  }
  expect(Math.abs(came - expected)).toBeLessThan(3.5 * Math.sqrt(variance));
});

test('neighbouring close states move together, states and leagues do not', () => {
  const changes = (ticker: string, outcome: number) =>
    Array.from({ length: 110 }, (_, day) => {
      const at = epoch + day * DAY;
      return (
        truth.probability(eventOf(ticker), outcome, at + DAY) -
        truth.probability(eventOf(ticker), outcome, at)
      );
    });
  expect(correlation(changes('SIMPRES28-MI', 0), changes('SIMPRES28-WI', 0))).toBeGreaterThan(0.5);
  expect(Math.abs(correlation(changes('SIMPRES28-MI', 0), changes('SIMCBL-27', 0)))).toBeLessThan(0.3);
});

function correlation(a: number[], b: number[]): number {
  const mean = (list: number[]) => list.reduce((sum, x) => sum + x, 0) / list.length;
  const [ma, mb] = [mean(a), mean(b)];
  const dot = (x: number[], mx: number, y: number[], my: number) =>
    x.reduce((sum, value, i) => sum + (value - mx) * ((y[i] ?? 0) - my), 0);
  return dot(a, ma, b, mb) / Math.sqrt(dot(a, ma, a, ma) * dot(b, mb, b, mb));
}

test('trades of a market add up to its volume, each in the slot that first reached its number', () => {
  const contract = catalog.kalshi.markets.get('SIMCBL-27-WAS')?.contract;
  if (contract === undefined) throw new Error('no market');
  const desk = openDesk(truth, contract);
  const trades = listTrades(desk, 0, world.now() + 1, 1e6);
  expect(trades.reduce((sum, { size }) => sum + size, 0)).toBe(volumeAt(desk, world.now()));
  for (const { number, at } of trades) {
    const slot = slotAt(desk.habits, at);
    expect(countTrades(desk, slot)).toBeGreaterThanOrEqual(number);
    expect(countTrades(desk, slot - 1)).toBeLessThan(number);
  }
});

test('the default world has every state of a market, and fresh, one-sided and crossed books over a week', () => {
  const states = new Set<string>();
  const books = new Set<string>();
  for (const { contract } of catalog.kalshi.market_list) {
    const desk = openDesk(truth, contract);
    for (let at = world.now() - 7 * DAY; at <= world.now(); at += 12 * HOUR) {
      const status = kalshiStatus(desk, at);
      if (status === undefined) continue;
      states.add(status);
      if (status !== 'active') continue;
      const { bid, ask } = quoteAt(desk, at);
      if (bid === undefined || ask === undefined) books.add(bid === ask ? 'empty' : 'one-sided');
      else books.add(bid > ask ? 'crossed' : 'whole');
    }
  }
  expect([...books].toSorted()).toEqual(['crossed', 'empty', 'one-sided', 'whole']);
  for (const state of ['active', 'inactive', 'closed', 'determined', 'disputed', 'finalized']) {
    expect(states).toContain(state);
  }
});
