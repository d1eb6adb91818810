import fc from 'fast-check';
import type { Observation } from '../../../src/model/observation.ts';
import { MINUTE_MS } from '../../../src/model/time.ts';
import { sixMarkets } from '../../compute/every-family.ts';
import { HOURS, instantOf, price, type Seen } from '../../compute/recorded-world.ts';
import { hour } from '../../methodology/contracts.ts';

const NAMES = ['A', 'B', 'C', 'D', 'E', 'F'];

/** A stretch of quotes or trades close to each other: minutes between, cents, what traded. */
const burst = fc.record({
  name: fc.constantFrom('A', 'B', 'C'),
  minute: fc.integer({ min: 0, max: (HOURS - 2) * 60 }),
  told: fc.boolean(),
  each: fc.array(
    fc.record({
      gap: fc.constantFrom(1, 3, 5, 6),
      cents: fc.integer({ min: 2, max: 97 }),
      size: fc.integer({ min: 0, max: 40 }),
    }),
    { minLength: 12, maxLength: 30, size: 'max' },
  ),
});

type Burst = typeof burst extends fc.Arbitrary<infer Played> ? Played : never;

/** A market whose book is empty or has one side, and that has no trade yet, as one that was just listed: until when. */
const silence = fc.record({
  // Of the first market there are rates with no other source, which print half a cent meanwhile.
  name: fc.constantFrom('A', 'A', ...NAMES),
  minute: fc.integer({ min: 60, max: 600 }),
  side: fc.constantFrom('none', 'none', 'bid', 'ask'),
});

type Silence = typeof silence extends fc.Arbitrary<infer Silent> ? Silent : never;

/** Thirty hours of six markets with volumes, open interest, and stretches of lively trading. */
export const sizedWorld: fc.Arbitrary<Seen[]> = fc
  .tuple(
    sixMarkets,
    fc.array(burst, { minLength: 4, maxLength: 8, size: 'max' }),
    fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 97 }),
    fc.option(silence),
    fc.option(fc.record({ name: fc.constantFrom(...NAMES), minute: fc.integer({ min: -60, max: 600 }) })),
  )
  .map(([seen, bursts, sizes, silent, cheap]) => {
    const all = [...seen, ...bursts.flatMap(played)]
      .filter((each) => each.kind === 'status' || each.series === 'quote' || !isSilent(each, silent))
      .sort((a, b) => instantOf(a) - instantOf(b));
    const volumes = new Map<string, number>();
    const places = new Set<string>();
    return all.flatMap((each, i): Seen[] => {
      if (each.kind === 'status') return [each];
      const place = `${each.name} ${each.series} ${each.observation.observed_at}`;
      if (places.has(place)) return [];
      places.add(place);
      if (each.series !== 'quote') return [{ ...each, observation: shownAs(each, cheap) }];
      const grown = (volumes.get(each.name) ?? 0) + (sizes[i % sizes.length] ?? 0);
      volumes.set(each.name, grown);
      // Now and then the venue tells no sizes.
      const told = i % 5 === 0 ? {} : { volume: grown, open_interest: grown / 2 };
      const shown = shownAs(each, cheap);
      const observation = silent && isSilent(each, silent) ? ofSide(shown, silent) : shown;
      return [{ ...each, observation: { ...observation, ...told } }];
    });
  });

function isSilent(seen: Seen, silent: Silence | null): boolean {
  return seen.name === silent?.name && instantOf(seen) < hour(0) + silent.minute * MINUTE_MS;
}

/** An observation without the other side of the book and without the last trade. */
function ofSide({ observed_at, bid, ask }: Observation, { side }: Silence): Observation {
  if (side === 'bid' && bid !== undefined) return { observed_at, bid };
  return side === 'ask' && ask !== undefined ? { observed_at, ask } : { observed_at };
}

/** An observation of a market that stands under a cent from some minute on, on a grid of a hundredth of a cent. */
function shownAs(
  { name, observation }: Extract<Seen, { kind: 'price' }>,
  cheap: { name: string; minute: number } | null,
): Observation {
  if (name !== cheap?.name || observation.observed_at < hour(0) + cheap.minute * MINUTE_MS)
    return observation;
  const { bid, ask, last } = observation;
  const prices = Object.entries({ bid, ask, last }).flatMap(([side, price]) =>
    price === undefined ? [] : [[side, Math.round(price * 100) / 10_000] as const],
  );
  return { ...observation, ...Object.fromEntries(prices) };
}

function played({ name, minute, told, each }: Burst): Seen[] {
  let at = hour(0) + minute * MINUTE_MS;
  return each.map(({ gap, cents, size }) => {
    at += gap * MINUTE_MS;
    const last = cents / 100;
    return told
      ? price(name, at, { last, volume: (size + 1) / 10 }, 'trades')
      : price(name, at, { bid: (cents - 1) / 100, ask: (cents + 1) / 100, last });
  });
}
