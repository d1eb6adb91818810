import fc from 'fast-check';
import { MINUTE_MS } from '../../../src/model/time.ts';
import { sixMarkets } from '../../compute/every-family.ts';
import { HOURS, instantOf, price, type Seen } from '../../compute/recorded-world.ts';
import { hour } from '../../methodology/contracts.ts';

const SIZES = ['A', 'B', 'C', 'D', 'E', 'F'];

/** A stretch of quotes or trades close to each other: minutes between, cents, what traded. */
const burst = fc.record({
  name: fc.constantFrom(...SIZES),
  minute: fc.integer({ min: 0, max: (HOURS - 2) * 60 }),
  told: fc.boolean(),
  each: fc.array(
    fc.record({
      gap: fc.integer({ min: 1, max: 7 }),
      cents: fc.integer({ min: 2, max: 97 }),
      size: fc.integer({ min: 0, max: 40 }),
    }),
    { minLength: 8, maxLength: 30 },
  ),
});

/** Thirty hours of six markets with volumes, open interest, and stretches of lively trading. */
export const sizedWorld: fc.Arbitrary<Seen[]> = fc
  .tuple(
    sixMarkets,
    fc.array(burst, { maxLength: 6 }),
    fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 97 }),
  )
  .map(([seen, bursts, sizes]) => {
    const all = [...seen, ...bursts.flatMap(played)].sort((a, b) => instantOf(a) - instantOf(b));
    const volumes = new Map<string, number>();
    const places = new Set<string>();
    return all.flatMap((each, i): Seen[] => {
      if (each.kind === 'status') return [each];
      const place = `${each.name} ${each.series} ${each.observation.observed_at}`;
      if (places.has(place)) return [];
      places.add(place);
      if (each.series !== 'quote') return [each];
      const grown = (volumes.get(each.name) ?? 0) + (sizes[i % sizes.length] ?? 0);
      volumes.set(each.name, grown);
      // Now and then the venue tells no sizes.
      const told = i % 5 === 0 ? {} : { volume: grown, open_interest: grown / 2 };
      return [{ ...each, observation: { ...each.observation, ...told } }];
    });
  });

function played({
  name,
  minute,
  told,
  each,
}: typeof burst extends fc.Arbitrary<infer T> ? T : never): Seen[] {
  let at = hour(0) + minute * MINUTE_MS;
  return each.map(({ gap, cents, size }) => {
    at += gap * MINUTE_MS;
    const last = cents / 100;
    return told
      ? price(name, at, { last, volume: size + 1 }, 'trades')
      : price(name, at, { bid: (cents - 1) / 100, ask: (cents + 1) / 100, last });
  });
}
