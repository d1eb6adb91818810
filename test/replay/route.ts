import {
  type Ask as PlainAsk,
  type Reply,
  readCursor,
  takePage,
  writeCursor,
} from '../../scripts/world/http/route.ts';
import type { WireRow } from './recorded.ts';

/** One request as a venue sees it; `now` is the virtual clock in UTC milliseconds. */
export interface Ask extends PlainAsk {
  now: number;
}

/** One route of a venue: the path below the venue's base address, with `:named` parts, and how it answers. */
export interface Route {
  method: 'GET' | 'POST';
  path: string;
  answer(ask: Ask): Reply;
}

/** A venue host under one path prefix, with the body it gives for a path it does not have. */
export interface VenueHost {
  prefix: string;
  routes: readonly Route[];
  unknownPath: Reply;
}

/** A route that is read. */
export function get(path: string, answer: Route['answer']): Route {
  return { method: 'GET', path, answer };
}

/** Values of a flat repeated key, and of a comma list inside one value, without empty ones. */
export function listParameter(query: URLSearchParams, name: string): string[] {
  return query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .filter((value) => value !== '');
}

/** A whole number from the query, or undefined when it is absent or not a number. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text !== null && /^-?\d+$/.test(text) ? Number(text) : undefined;
}

/** The page that `limit` and a cursor ask for of the rows that pass; `next` is '' after the last row. */
export function pageOf(
  rows: WireRow[],
  { query }: Ask,
  passes: (row: WireRow) => boolean,
  cursorName = 'cursor',
): { rows: WireRow[]; next: string } {
  const from = readCursor(query.get(cursorName));
  if (from === undefined) throw new Error(`${cursorName} was never given out`);
  const { page, next } = takePage(rows, from, integerParameter(query, 'limit') ?? 100, passes);
  return { rows: page, next: next === undefined ? '' : writeCursor(next) };
}
