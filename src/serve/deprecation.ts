import type { Route } from '../routes/route.ts';
import { REFERENCE } from './reference-path.ts';

/** That a parameter of the request will not work for ever. */
export interface Deprecation {
  /** Since when, as the Deprecation header has it. */
  header: string;
  /** Where it is said what to use instead, as a part of the Link header. */
  link: string;
}

/**
 * What a caller is told who uses a parameter that is deprecated; undefined where none is used.
 *
 * @see RFC 9745
 */
export function deprecationOf(
  { deprecates = {} }: Pick<Route, 'deprecates'>,
  raw: ReadonlyMap<string, unknown>,
): Deprecation | undefined {
  const given = Object.entries(deprecates).filter(([name]) => raw.has(name));
  const first = given.map(([, { since }]) => since).sort((a, b) => a - b)[0];
  if (first === undefined) return undefined;
  return { header: `@${Math.floor(first / 1000)}`, link: `<${REFERENCE}>; rel="deprecation"` };
}
