import { ForemarkError } from '../model/errors.ts';
import type { Instant } from '../model/units.ts';
import { encodeId } from '../routes/document-key.ts';
import { encode } from '../routes/encode.ts';
import { keyOfDocument } from '../routes/id-encoding.ts';
import type { Route, RouteRequest, Sites } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { TrackedReader } from '../store/answers/tracked-reader.ts';
import { findCatalogState } from '../store/runs.ts';
import type { Reader } from '../store/store.ts';
import type { PublishDocument } from './comparison.ts';
import type { DocumentsOfId, StandingAnswers } from './standing-answers.ts';

/**
 * Every public document of the routes: the default answer of each public path. The documents of one id come together, since
 * they are read from the same rows.
 *
 * @param answers tells which documents are unchanged since the last publish; without it all are answered
 */
export function* eachDocument(
  reader: Reader,
  { now, sites }: { now: Instant; sites: Sites },
  answers?: StandingAnswers,
): Generator<PublishDocument> {
  const tracked = new TrackedReader(reader);
  const checks = answers?.checks ?? false;
  const published = routes.filter((route) => isPublished(route, reader));
  for (const [documents, alike] of Map.groupBy(published, (route) => route.documents)) {
    const asked = alike.map((route) => ({ route, query: route.query.parse({}) }));
    const watched = asked.filter(({ route }) => route.isWatched);
    const others = asked.filter(({ route }) => !route.isWatched);
    const ids = documents?.(reader) ?? [];
    const documentsOfIds = watched.length > 0 && answers ? answers.eachMarket(reader) : eachUnknown(ids);
    for (const ofId of documentsOfIds) {
      const { id } = ofId;
      const encodedId = encodeId(id);
      for (const { route, query } of others) {
        const key = keyOfDocument(route.path, encodedId);
        const request: RouteRequest = { reader, now, tier: 'public', id, query, sites };
        const facts = route.madeFrom?.(request);
        const isUnchanged = facts !== undefined && answers?.isMadeFrom(key, facts) === true;
        const body = isUnchanged && !checks ? undefined : route.answer(request);
        if (body) yield { key, body: encode(body), ...(isUnchanged ? { expected: 'unchanged' } : {}) };
        else if (isUnchanged) yield { key, unchanged: true };
      }
      yield* eachWatched(tracked, watched, ofId, { now, sites, checks });
    }
  }
}

/**
 * The watched documents of one id: the bodies of those whose rows were touched, and only the keys of the others.
 *
 * @param checks whether the others are answered too, although they should be unchanged
 */
function* eachWatched(
  tracked: TrackedReader,
  watched: readonly { route: Route; query: RouteRequest['query'] }[],
  { id, stands, keep }: DocumentsOfId,
  { now, sites, checks }: { now: Instant; sites: Sites; checks: boolean },
): Generator<PublishDocument> {
  const encodedId = encodeId(id);
  const rows: (Uint32Array | undefined)[] = [];
  for (const [i, { route, query }] of watched.entries()) {
    const key = keyOfDocument(route.path, encodedId);
    const isUnchanged = stands(i);
    if (isUnchanged && !checks) {
      rows.push(undefined);
      yield { key, unchanged: true };
      continue;
    }
    const body = route.answer(watchedRequest(tracked, now, { tier: 'public', id, query, sites }));
    rows.push(tracked.takeRows());
    if (body) yield { key, body: encode(body), ...(isUnchanged ? { expected: 'unchanged' } : {}) };
  }
  keep(rows);
}

/** A list that is being rebuilt is withdrawn until it is whole. */
function isPublished({ tiers, documents, needsCatalog }: Route, reader: Reader): boolean {
  const withheld = needsCatalog && findCatalogState(reader) === 'rebuilding';
  return tiers.includes('public') && documents !== undefined && !withheld;
}

/** Ids whose documents all have to be answered. */
function* eachUnknown(ids: Iterable<string>): Generator<DocumentsOfId> {
  for (const id of ids) yield { id, stands: () => false, keep: () => {} };
}

/** A request for a watched document: it may read only tracked rows, and the clock only where that is tracked too. */
function watchedRequest(
  reader: TrackedReader,
  now: Instant,
  asked: Omit<RouteRequest, 'reader' | 'now'>,
): RouteRequest {
  return {
    ...asked,
    reader,
    get now(): Instant {
      if (reader.mayReadClock) return now;
      throw new ForemarkError('internal_error', 'a tracked document was made from the clock');
    },
  };
}
