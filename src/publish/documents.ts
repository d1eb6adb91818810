import { ForemarkError } from '../model/errors.ts';
import type { Instant } from '../model/units.ts';
import { encodeId } from '../routes/document-key.ts';
import { encode } from '../routes/encode.ts';
import { keyOfDocument } from '../routes/id-encoding.ts';
import type { Route, Sites } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { TrackedReader } from '../store/answers/tracked-reader.ts';
import { findCatalogState } from '../store/runs.ts';
import type { Reader } from '../store/store.ts';
import type { PublishDocument } from './comparison.ts';
import type { MarketAnswers, StandingAnswers } from './standing-answers.ts';

/**
 * Every public document of the routes: the default answer of each public path that answers at all. What is told of one
 * id is told together, since it is read from the same rows.
 *
 * @param answers which documents of markets stand as they were published; without it all are answered
 */
export function* eachDocument(
  reader: Reader,
  { now, sites }: { now: Instant; sites: Sites },
  answers?: StandingAnswers,
): Generator<PublishDocument> {
  const published = routes.filter((route) => isPublished(route, reader));
  for (const [documents, alike] of Map.groupBy(published, (route) => route.documents)) {
    const watched = alike.filter((route) => route.isWatched);
    const ofMarkets =
      watched.length > 0 ? new WatchedDocuments(watched, { reader, now, sites }, answers) : undefined;
    const asked = alike
      .filter((route) => !route.isWatched)
      .map((route) => ({ route, query: route.query.parse({}) }));
    try {
      for (const id of documents?.(reader) ?? []) {
        const encodedId = encodeId(id);
        for (const { route, query } of asked) {
          const body = route.answer({ reader, now, tier: 'public', id, query, sites });
          if (body) yield { key: keyOfDocument(route.path, encodedId), body: encode(body) };
        }
        if (ofMarkets) yield* ofMarkets.eachOf(id, encodedId);
      }
      ofMarkets?.finish();
    } finally {
      ofMarkets?.end();
    }
  }
}

/** A list that is being rebuilt is withdrawn until it is whole. */
function isPublished({ tiers, documents, needsCatalog }: Route, reader: Reader): boolean {
  const withheld = needsCatalog && findCatalogState(reader) === 'rebuilding';
  return tiers.includes('public') && documents !== undefined && !withheld;
}

/** The watched documents of markets, answered from a reader that reads nothing but what is watched. */
class WatchedDocuments {
  readonly #reader: TrackedReader;
  readonly #asked: readonly { route: Route; query: Record<string, unknown> }[];
  readonly #now: Instant;
  readonly #sites: Sites;
  readonly #answers: StandingAnswers | undefined;
  readonly #markets: Generator<MarketAnswers, void> | undefined;

  constructor(
    watched: readonly Route[],
    { reader, now, sites }: { reader: Reader; now: Instant; sites: Sites },
    answers: StandingAnswers | undefined,
  ) {
    this.#reader = new TrackedReader(reader);
    this.#asked = watched.map((route) => ({ route, query: route.query.parse({}) }));
    this.#now = now;
    this.#sites = sites;
    this.#answers = answers;
    this.#markets = answers?.eachMarket(reader);
  }

  /** Those of the next market, in the order of the ids. */
  *eachOf(id: string, encodedId: string): Generator<PublishDocument> {
    const market = this.#markets?.next().value ?? undefined;
    const read: (Uint32Array | undefined)[] = [];
    for (const [i, { route }] of this.#asked.entries()) {
      const key = keyOfDocument(route.path, encodedId);
      const stands = market?.stands(i) ?? false;
      if (stands && !this.#answers?.checks) {
        read.push(undefined);
        yield { key, unchanged: true };
        continue;
      }
      const body = this.#answer(i, id);
      read.push(this.#reader.takeRows());
      if (body) yield { key, body: encode(body), ...(stands ? { expected: 'unchanged' } : {}) };
    }
    market?.keep(read);
  }

  /** Keeps what is left to keep, once all markets have come by. */
  finish(): void {
    this.#markets?.next();
  }

  /** Lets go of what is still being read. */
  end(): void {
    this.#markets?.return();
  }

  #answer(i: number, id: string): object | undefined {
    const { route, query } = this.#asked[i] as { route: Route; query: Record<string, unknown> };
    const reader = this.#reader;
    const now = this.#now;
    return route.answer({
      reader,
      get now(): Instant {
        if (reader.mayReadClock) return now;
        throw new ForemarkError('internal_error', 'a watched document was answered from the clock');
      },
      tier: 'public',
      id,
      query,
      sites: this.#sites,
    });
  }
}
