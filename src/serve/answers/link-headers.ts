import { leastOf } from '../../model/extremes.ts';
import { toSeconds } from '../../model/time.ts';
import type { Route } from '../../routes/route.ts';

export const REFERENCE = '/docs';

/**
 * The links of an answer, with the notice to a caller who uses a deprecated parameter.
 *
 * @param pages links to other pages, if there are any
 * @see RFC 9745
 */
export function linkHeaders(
  { deprecates = {} }: Pick<Route, 'deprecates'>,
  raw: ReadonlyMap<string, unknown>,
  pages?: string,
): { Link?: string; Deprecation?: string } {
  const given = Object.entries(deprecates).filter(([name]) => raw.has(name));
  const since = leastOf(given.map(([, each]) => each.since));
  if (since === undefined) return pages === undefined ? {} : { Link: pages };
  const notice = `<${REFERENCE}>; rel="deprecation"`;
  return {
    Link: pages === undefined ? notice : `${pages}, ${notice}`,
    Deprecation: `@${toSeconds(since)}`,
  };
}
