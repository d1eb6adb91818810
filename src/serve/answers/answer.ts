import { encode } from '../../routes/encode.ts';
import type { Route, RouteRequest } from '../../routes/route.ts';
import type { Store } from '../../store/store.ts';
import { type Paged, pagingOf } from './paging-links.ts';
import { refuseWhileUnavailable } from './unavailable.ts';

/** The text of an answer, and its paging data. */
export interface PagedAnswer {
  text: string;
  paging: Paged;
}

/**
 * Answers a request from one snapshot of the store.
 *
 * @returns undefined when there is no such id, or the asker may not see it
 * @throws ForemarkError service_unavailable while what is asked for is being rebuilt
 */
export function answerFrom(
  store: Pick<Store, 'read'>,
  route: Route,
  request: Omit<RouteRequest, 'reader'>,
): PagedAnswer | undefined {
  const body = store.read((reader) => {
    refuseWhileUnavailable(reader, route, request.query);
    return route.answer({ ...request, reader });
  });
  return body && { text: encode(body), paging: pagingOf(body) };
}
