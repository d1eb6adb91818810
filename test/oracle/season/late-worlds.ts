import { join } from 'node:path';
import fc from 'fast-check';
import { compute } from '../../../src/compute/compute.ts';
import { backfill } from '../../../src/compute/recalculation/backfill.ts';
import type { CatalogMarket } from '../../../src/model/catalog.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/model/time.ts';
import type { Instant } from '../../../src/model/units.ts';
import { upsertMarket } from '../../../src/store/catalog/catalog.ts';
import { marketKey } from '../../../src/store/catalog/market-names.ts';
import { insertObservations } from '../../../src/store/prices/prices.ts';
import { openStore, type Writer } from '../../../src/store/store.ts';
import { EVERY_FAMILY } from '../../compute/every-family.ts';
import { killedAt } from '../../compute/killed-store.ts';
import { adopt, HOURS, instantOf, run, type Seen } from '../../compute/recorded-world.ts';
import { hour, idOf } from '../../methodology/contracts.ts';
import { adoptions } from './adopt-methods.ts';
import { editors } from './editors.ts';
import type { World } from './season.ts';
import { sizedWorld } from './sized-worlds.ts';
import { type Answers, answersOf } from './write-answers.ts';

/** How one observation reaches us: hours late, and what its venue says of it later. */
const way = fc.record({
  late: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 12 }) }),
  corrected: fc.option(
    fc.record({
      after: fc.integer({ min: 1, max: 12 }),
      cents: fc.integer({ min: 1, max: 99 }),
      what: fc.constantFrom('price', 'price', 'volume', 'nothing', 'taken back', 'earlier'),
      again: fc.boolean(),
    }),
    { freq: 6, nil: undefined },
  ),
});

type Way = typeof way extends fc.Arbitrary<infer One> ? One : never;

const wish = fc.record({
  hour: fc.integer({ min: 2, max: HOURS }),
  tickers: fc.constantFrom([], [], ['BASKET', 'RETURN', 'MEAN', 'M-TEAM', 'M-BYVOLUME']),
  from: fc.nat({ max: HOURS }),
  every_minutes: fc.option(fc.constantFrom(20, 30), { nil: undefined }),
  to: fc.integer({ min: 5, max: HOURS }),
});

const service = fc.record({
  ways: fc.array(way, { minLength: 97, maxLength: 97 }),
  /** When it ingests, and after which of these it calculates. */
  runs: fc.uniqueArray(fc.integer({ min: 1, max: 2 * HOURS - 1 }), { minLength: 4, maxLength: 12 }),
  calculates: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  // In order: time does not go back between two of them.
  wishes: fc
    .uniqueArray(wish, { maxLength: 3, selector: (each) => each.hour })
    .map((wishes) => wishes.toSorted((a, b) => a.hour - b.hour)),
  killed: fc.option(fc.nat({ max: 40 }), { nil: undefined }),
});

/** What is learned at an instant, of something that was seen at another. */
interface Learned {
  at: Instant;
  of: Instant;
  seen: Seen;
  keep: (writer: Writer, now: Instant) => void;
}

/**
 * Random worlds in which facts come late, in another order, twice, and corrected, to a service that runs several times,
 * is killed and started again, and is asked for backfills.
 *
 * @param stretch how many times as long as thirty hours they last
 */
export function lateWorlds(folder: string, count: number, seed: number, stretch = 1): World[] {
  const edits = fc.sample(editors, { numRuns: count, seed });
  const services = fc.sample(service, { numRuns: count, seed });
  const place = (at: Instant) => hour(0) + (at - hour(0)) * stretch;
  return fc.sample(sizedWorld, { numRuns: count, seed }).map((seen, i) => {
    const { ways, runs, calculates, wishes, killed } = services[i] as (typeof services)[number];
    const path = join(folder, `late-${stretch}-${i}.db`);
    const store = openStore(path);
    const end = place(hour(HOURS));
    const stage = {
      prefix: 'M-',
      markets: ['A', 'B', 'C', 'D', 'E', 'F'].map(idOf),
      base_at: hour(0),
      until: end,
      interval_minutes: 60,
    };
    adopt(store, EVERY_FAMILY);
    const adopting = adoptions(stage, edits[i] ?? []);
    const learning = seen
      .flatMap((each, n) => learned(moved(each, place), ways[n % ways.length] as Way, stretch))
      .sort((a, b) => a.at - b.at || a.of - b.of);
    const learnUntil = (now: Instant) => {
      // What is told twice is known as it was told last.
      const told = new Map<Seen, Learned>();
      while (learning[0] && learning[0].at <= now) {
        const next = learning.shift() as Learned;
        told.set(next.seen, next);
      }
      store.write((writer) => {
        for (const { keep } of told.values()) keep(writer, now);
        while (adopting[0] && adopting[0].since <= now) adopting.shift()?.adopt(writer);
      });
    };
    const instants = [...runs.map((half) => place(hour(half / 2))), end].sort((a, b) => a - b);
    const backfills: NonNullable<World['backfills']> = [];
    const answered: Answers[] = [];
    for (const [k, now] of instants.entries()) {
      learnUntil(now);
      if (now < end && !calculates[k % calculates.length]) continue;
      try {
        if (killed !== undefined && k === Math.floor(runs.length / 2))
          compute(killedAt(store, killed), now, () => {});
      } catch {
        // It is started again.
      }
      run(store, now);
      if (k === Math.floor(instants.length / 2)) answered.push(store.read(answersOf));
      const later = instants[k + 1] ?? Number.POSITIVE_INFINITY;
      for (const asked of wishes.filter(
        (each) => now <= place(hour(each.hour)) && place(hour(each.hour)) < later,
      )) {
        const { tickers, every_minutes } = asked;
        const wish = {
          now: Math.max(place(hour(asked.hour)), now) + 7 * MINUTE_MS,
          tickers,
          from: place(hour(asked.from)),
          to: place(hour(asked.to)),
          ...(every_minutes === undefined ? {} : { every_minutes }),
        };
        if (wish.now >= Math.min(later, end)) continue;
        backfills.push(wish);
        const { failures } = backfill(store, wish, wish.now, () => {});
        if (failures.length > 0) throw new Error(JSON.stringify(failures));
      }
    }
    store.close();
    return { path, backfills, answered };
  });
}

function moved(seen: Seen, place: (at: Instant) => Instant): Seen {
  const at = place(instantOf(seen));
  return seen.kind === 'status'
    ? { ...seen, at }
    : { ...seen, observation: { ...seen.observation, observed_at: at } };
}

/** A fact as it reaches us, and what its venue makes of it later. */
function learned(seen: Seen, { late, corrected }: Way, stretch: number): Learned[] {
  const of = instantOf(seen);
  // Of a state that is no settlement nobody can say since when it was so: it counts from when it was seen.
  const comesLate = seen.kind === 'price' || seen.payout !== undefined;
  const known = of + (comesLate ? late * stretch * HOUR_MS : 0);
  const keep = seen.kind === 'price' ? keepPrice(seen) : keepStatus(seen);
  const found: Learned[] = [{ at: known, of, seen, keep }];
  if (!corrected || !comesLate) return found;
  const then = known + corrected.after * stretch * HOUR_MS;
  const other = seen.kind === 'price' ? repriced(seen, corrected) : resettled(seen, corrected);
  if (other) found.push({ at: then, of, seen, keep: other });
  // It says again what it said first; a settlement is not told of a later instant than before.
  if (corrected.again && corrected.what !== 'earlier') found.push({ at: then + 2 * HOUR_MS, of, seen, keep });
  return found;
}

type Price = Extract<Seen, { kind: 'price' }>;
type Status = Extract<Seen, { kind: 'status' }>;
type Correction = NonNullable<Way['corrected']>;

const keepPrice =
  ({ name, series, observation }: Price) =>
  (writer: Writer, now: Instant) =>
    void insertObservations(
      writer,
      marketKey(writer, idOf(name)),
      { series, observations: [observation] },
      now,
    );

function repriced(seen: Price, { what, cents }: Correction) {
  const { observation } = seen;
  if (what === 'volume') {
    const volume = (observation.volume ?? 0) + cents;
    return keepPrice({ ...seen, observation: { ...observation, volume } });
  }
  if (what === 'nothing') return keepPrice(seen);
  const price = cents / 100;
  const { bid, ask, last } = observation;
  const prices = {
    ...(bid === undefined ? {} : { bid: price }),
    ...(ask === undefined ? {} : { ask: price }),
    ...(last === undefined || what === 'earlier' ? {} : { last: price }),
  };
  return keepPrice({ ...seen, observation: { ...observation, ...prices } });
}

const keepStatus =
  ({ name, status, payout, at }: Pick<Status, 'name' | 'status' | 'payout' | 'at'>) =>
  (writer: Writer, now: Instant) => {
    const market: CatalogMarket = {
      market_id: idOf(name),
      family: 'venue_a',
      native_id: name,
      question: name,
      status,
      venue_status: status,
      ...(payout === undefined ? {} : { payout, settled_at: at }),
    };
    upsertMarket(writer, market, now);
  };

function resettled(seen: Status, { what, cents }: Correction) {
  if (seen.payout === undefined) return undefined;
  if (what === 'taken back') return keepStatus({ name: seen.name, status: 'active', at: seen.at });
  if (what === 'earlier') return keepStatus({ ...seen, at: seen.at - 90 * MINUTE_MS });
  return what === 'nothing' ? keepStatus(seen) : keepStatus({ ...seen, payout: cents / 100 });
}
