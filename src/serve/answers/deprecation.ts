import { toSeconds } from '../../model/time.ts';
import type { Route } from '../../routes/route.ts';

/** The path of the reference page. */
export const REFERENCE = '/docs';

/** A notice that a parameter of the request is deprecated. */
export interface Deprecation {
  /** The instant of the deprecation, in the form of the Deprecation header. */
  header: string;
  /** The part of the Link header that says what to use instead. */
  link: string;
}

/**
 * The notice to a caller who uses a deprecated parameter; undefined if none is used.
 *
 * @see RFC 9745
 */
export function deprecationOf(
  { deprecates }: Pick<Route, 'deprecates'>,
  raw: ReadonlyMap<string, unknown>,
): Deprecation | undefined {
  if (!deprecates) return undefined;
  const given = Object.entries(deprecates).filter(([name]) => raw.has(name));
  const first = given.map(([, { since }]) => since).sort((a, b) => a - b)[0];
  if (first === undefined) return undefined;
  return { header: `@${toSeconds(first)}`, link: `<${REFERENCE}>; rel="deprecation"` };
}
