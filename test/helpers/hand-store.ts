import { compute } from '../../src/compute/compute.ts';
import { type PlannedChange, planChange } from '../../src/methodology/index-changes.ts';
import type { Instant } from '../../src/model/units.ts';
import type { RouteRequest, Sites } from '../../src/routes/route.ts';
import { routes } from '../../src/routes/routes.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { insertAnnouncement } from '../../src/store/definitions/announcements.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { openStore, type Writer } from '../../src/store/store.ts';
import { parseDefinitions } from './hand-definitions.ts';
import { market } from './small-store.ts';

/** By name, the mid of a market, or its payout once it is settled, possibly since an earlier instant. */
export type Prices = Record<string, number | { pays: number; since?: Instant }>;

const SITES: Sites = { venue_a: 'https://a.example', venue_b_global: 'https://b.example' };

/** Announces a change of an index. @returns when it takes effect */
export function announceChange(writer: Writer, { notices, takes_effect_at }: PlannedChange): Instant {
  for (const notice of notices) insertAnnouncement(writer, notice);
  return takes_effect_at;
}

/** A store in memory that calculates indices over prices given by hand. */
export class HandStore {
  readonly store = openStore(':memory:');
  #now: Instant = 0;

  /** Adopts definitions, at once or with the notice that a change needs. */
  adopt(
    indices: object[],
    rates: object[] = [],
    { withNotice = false } = {},
  ): ReturnType<typeof adoptDefinitions> {
    const definitions = parseDefinitions(indices, rates);
    return this.store.write((writer) =>
      adoptDefinitions(writer, definitions, this.#now, {
        keepMissing: false,
        ...(withNotice
          ? { effectOf: (earlier, after) => announceChange(writer, planChange(earlier, after, this.#now)) }
          : {}),
      }),
    );
  }

  /** Records what the venue shows at an instant, then calculates everything due. */
  at(now: Instant, prices: Prices): void {
    this.#now = now;
    this.store.write((writer) => {
      for (const [name, seen] of Object.entries(prices)) {
        const settled = typeof seen === 'object';
        const { market_key } = upsertMarket(
          writer,
          market({
            market_id: `venue_a:${name}`,
            question: `Will ${name} happen?`,
            ...(settled ? { status: 'settled', settled_at: seen.since ?? now, payout: seen.pays } : {}),
          }),
          now,
        );
        if (!settled)
          insertObservations(
            writer,
            market_key,
            { series: 'quote', observations: [{ observed_at: now, bid: seen, ask: seen }] },
            now,
          );
      }
    });
    const report = compute(this.store, now, () => {});
    if (report.failures.length > 0) throw new Error(JSON.stringify(report.failures));
  }

  /** The answer of a route, as the public tier or another gets it. */
  ask(path: string, options: { id?: string; query?: object; now?: Instant } & Partial<RouteRequest> = {}) {
    const { id = '', query = {}, now = this.#now, tier = 'public', ...rest } = options;
    const route = routes.find((each) => each.path === path && each.tiers.includes(tier));
    if (!route) throw new Error(`no route ${path}`);
    return this.store.read((reader) => {
      const body = route.answer({
        reader,
        now,
        tier,
        id,
        sites: SITES,
        ...rest,
        query: route.query.parse(query),
      });
      return body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as Record<string, never>);
    });
  }
}
