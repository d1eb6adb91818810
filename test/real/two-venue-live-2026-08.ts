// What a site showed of the busiest markets of two venues, every 40 minutes or so: one number a market, without a book.
import { z } from 'zod';
import { compute } from '../../src/compute/compute.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { usableTrade } from '../../src/model/observation.ts';
import { formatInstant } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import type { Store } from '../../src/store/store.ts';
import { market } from '../helpers/small-store.ts';
import { instantIn, readLines, recordedFiles, recordedSet } from '../replay/recorded.ts';

/** Pairs of the site that ask the same; most of the others that it proposed do not. */
export const PAIRS: readonly Pair[] = [
  { ticker: 'IPO-FIRST', kalshi: 'KXOAIANTH-40-ANTH', polymarket: 'will-anthropic-or-openai-ipo-first' },
  {
    ticker: 'BOND-LOWDEN',
    kalshi: 'KXBOND-30-JAC',
    polymarket: 'jack-lowdon-announced-as-next-james-bond-917',
  },
];

/** A contract on either venue that asks the same. */
export interface Pair {
  ticker: string;
  kalshi: string;
  polymarket: string;
}

/** The pairs that are known to ask the same; of another recording, of which none is known, all that it proposes. */
export function pairsOf(snapshots: readonly Snapshot[]): readonly Pair[] {
  const gaps = snapshots.flatMap((each) => each.gaps);
  const proposed = new Map(gaps.map((each) => [`${each.kalshi} ${each.polymarket}`, each]));
  const known = PAIRS.filter(({ kalshi, polymarket }) => proposed.has(`${kalshi} ${polymarket}`));
  if (known.length > 0) return known;
  return [...proposed.values()].map(({ kalshi, polymarket }, i) => ({
    ticker: `PAIR-${i + 1}`,
    kalshi,
    polymarket,
  }));
}

const listed = z.object({
  venue: z.string(),
  id: z.string(),
  slug: z.string().optional(),
  title: z.string(),
  prob: z.number().nullish(),
});
const snapshot = z.object({
  generated_at: z.string(),
  most_active: z.array(listed),
  probability_wall: z.array(listed),
  cross_venue: z.array(
    z.object({
      kalshi: z.object({ id: z.string(), title: z.string(), prob: z.number().nullish() }),
      polymarket: z.object({ slug: z.string(), title: z.string(), prob: z.number().nullish() }),
      gap_pp: z.number().nullish(),
    }),
  ),
});

/** What the site showed at an instant. */
export interface Snapshot {
  at: Instant;
  /** Cents by market. */
  shown: Map<string, { question: string; cents: number }>;
  /** Pairs with the difference that the site gives, and the sum of both. */
  gaps: { kalshi: string; polymarket: string; cents: number; sum_cents: number }[];
}

const kalshiId = (ticker: string) => `venue_a:${ticker}`;
// The site gives no condition ids.
const polymarketId = (slug: string) => `venue_b:slug-${slug}`;

const FILES = /^snapshots[^\\/]*\.jsonl/;

/** Folder of the recorded snapshots. */
export const snapshotsFolder = recordedSet('two-venue-live-2026-08', FILES);

/** The recorded snapshots, the first one first. */
export function readSnapshots(): Snapshot[] {
  const rows = recordedFiles(snapshotsFolder, FILES).flatMap((path) =>
    readLines(path).map((row, i) => readSnapshot(row, `${path} row ${i + 1}`)),
  );
  const snapshots = rows.map((row): Snapshot => {
    const { generated_at, most_active, probability_wall, cross_venue } = row;
    const shown: Snapshot['shown'] = new Map();
    for (const { venue, id, slug, title, prob } of [...most_active, ...probability_wall])
      if (typeof prob === 'number')
        shown.set(venue === 'kalshi' ? kalshiId(id) : polymarketId(slug ?? id), {
          question: title,
          cents: prob,
        });
    const gaps = cross_venue.flatMap(({ kalshi, polymarket, gap_pp }) => {
      // Only one of the two has a price.
      if (typeof kalshi.prob !== 'number' || typeof polymarket.prob !== 'number') return [];
      shown.set(kalshiId(kalshi.id), { question: kalshi.title, cents: kalshi.prob });
      shown.set(polymarketId(polymarket.slug), { question: polymarket.title, cents: polymarket.prob });
      const sum_cents = kalshi.prob + polymarket.prob;
      const cents = gap_pp ?? Math.abs(kalshi.prob - polymarket.prob);
      return [{ kalshi: kalshi.id, polymarket: polymarket.slug, cents, sum_cents }];
    });
    return { at: instantIn(generated_at), shown, gaps };
  });
  return snapshots.sort((a, b) => a.at - b.at);
}

function readSnapshot(row: unknown, place: string): z.output<typeof snapshot> {
  const { data, error } = snapshot.safeParse(row);
  if (data) return data;
  throw new Error(
    `${place}: ${error.issues.map((each) => `${each.path.join('.')}: ${each.message}`).join('; ')}`,
  );
}

/** Puts the snapshots into a store one by one and calculates after each, as a service would that sees no more. */
export function playTwoVenues(store: Store, snapshots: readonly Snapshot[]): void {
  const first = snapshots[0]?.at ?? 0;
  store.write((writer) => adoptDefinitions(writer, definitions(snapshots), first, { keepMissing: false }));
  for (const { at, shown } of snapshots) {
    store.write((writer) => {
      for (const [market_id, { question, cents }] of shown) {
        const { market_key } = upsertMarket(writer, market({ market_id, question }), at);
        const last = usableTrade(cents / 100);
        const observations = last === undefined ? [] : [{ observed_at: at, last }];
        insertObservations(writer, market_key, { series: 'history', observations }, at);
      }
    });
    const { failures } = compute(store, at, () => {});
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
  }
}

/** A rate on each pair, and of all that the first snapshot shows a basket and a gauge. */
function definitions(snapshots: readonly Snapshot[]) {
  const start = formatInstant(snapshots[0]?.at ?? 0);
  const common = { visibility: 'public', interval_minutes: 60 };
  const head = { ...common, base_at: start, weighting: { scheme: 'equal' } };
  const constituents = [...(snapshots[0]?.shown.keys() ?? [])].map((market_id) => ({ market_id }));
  return {
    indices: [
      {
        ...head,
        ticker: 'BUSY',
        name: 'Busy',
        methodology: 'basket',
        quote_convention: 'points',
        constituents,
      },
      {
        ...head,
        ticker: 'BUSY.G',
        name: 'Busy, mean chance',
        methodology: 'gauge',
        quote_convention: 'probability',
        constituents,
      },
    ].map((each) => indexDefinition.parse(each)),
    rates: pairsOf(snapshots).map(({ ticker, kalshi, polymarket }) =>
      rateDefinition.parse({
        ...common,
        ticker,
        name: ticker,
        start_at: start,
        methodology: 'simple_average',
        sources: [kalshiId(kalshi), polymarketId(polymarket)].map((market_id) => ({ market_id })),
      }),
    ),
  };
}
