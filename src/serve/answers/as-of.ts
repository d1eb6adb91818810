import { z } from 'zod';
import { ForemarkError, ParameterError } from '../../model/errors.ts';
import { formatInstant, MINUTE_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { RELATED } from '../../routes/cache-control.ts';
import { documentKey } from '../../routes/document-key.ts';
import { instantParameter, parseQuery } from '../../routes/parameters.ts';
import type { Route } from '../../routes/route.ts';
import type { ObjectReader } from '../../store/archive/archive.ts';
import { findDocumentAt } from '../../store/archive/archive-reads.ts';

/** The query parameter that asks for a public document as it was published at an earlier instant. */
export const AS_OF = 'as_of';
const QUERY = z.object({ [AS_OF]: instantParameter.unwrap() });

/** A past answer never changes, but a prune may remove it. */
const SETTLED = 'public, max-age=3600';
/** A publish under way may already have read its clock, and move the pointer later. */
const RECENT = 'public, max-age=15';
const SETTLED_AFTER_MS = 15 * MINUTE_MS;

/** An answer from the archive: its bytes, and the headers that are its own. */
export interface ArchivedAnswer {
  body: Buffer;
  headers: Record<string, string>;
}

/**
 * Answers a public document as of an earlier instant, byte for byte as it was served then.
 *
 * @param raw every value of every parameter of the request
 * @throws ParameterError for something that is no instant or is in the future, and for further parameters: only whole
 *   documents are kept
 * @throws ForemarkError not_found when the document was not published by then, or is no longer kept
 */
export async function answerAsOf(
  archive: ObjectReader | undefined,
  route: Route,
  { id, now, raw }: { id: string; now: Instant; raw: ReadonlyMap<string, readonly string[]> },
): Promise<ArchivedAnswer> {
  const { as_of: at } = parseQuery(QUERY, raw);
  if (at > now)
    throw new ParameterError(AS_OF, `${AS_OF} must not be later than now, got ${formatInstant(at)}`);
  const beside = Object.keys(route.query.shape).find((name) => raw.has(name));
  if (!route.documents || beside !== undefined)
    throw new ParameterError(
      AS_OF,
      beside === undefined
        ? `${AS_OF} is for published documents only`
        : `${AS_OF} answers whole documents; leave out ${beside}`,
      'unsupported_parameter',
    );
  const found = archive && (await findDocumentAt(archive, documentKey(route.path, id), at));
  if (!found)
    throw new ForemarkError(
      'not_found',
      `no answer that was published at this path by ${formatInstant(at)} is kept`,
    );
  const settled = route.caching === 'related' ? RELATED : SETTLED;
  return {
    body: found.body,
    headers: {
      'Cache-Control': now - at < SETTLED_AFTER_MS ? RECENT : settled,
      'X-Generation': String(found.generation),
      'X-As-Of': formatInstant(found.as_of),
    },
  };
}
