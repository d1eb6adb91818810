import type { WireRow } from './recorded.ts';

/** One request as a dialect sees it; `now` is the virtual clock in UTC milliseconds. */
export interface Ask {
  query: URLSearchParams;
  body: unknown;
  now: number;
}

/** Status and JSON body of an answer. */
export interface Answer {
  status: number;
  body: unknown;
}

/** One route of a venue: the whole path below the venue's base address, and how it answers. */
export interface Route {
  method: 'GET' | 'POST';
  path: RegExp;
  answer(ask: Ask, ...names: string[]): Answer;
}

/** A venue host under one path prefix, with the body it gives for a path it does not have. */
export interface VenueHost {
  prefix: string;
  routes: readonly Route[];
  unknownPath: Answer;
}

/** An answer with status 200. */
export function ok(body: unknown): Answer {
  return { status: 200, body };
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

/** One page of a walk: its rows and the cursor of the next page, '' on the last. */
export interface Page {
  rows: WireRow[];
  next: string;
}

/**
 * The page of `rows` at `cursor`. A recorded list that went on (`recordedNext`) keeps its own cursor;
 * following it gives the empty last page, because what came after was not recorded.
 *
 * @returns undefined when the cursor was never given out
 */
export function pageOf(
  rows: readonly WireRow[],
  limit: number,
  cursor: string | null,
  recordedNext = '',
): Page | undefined {
  const start =
    cursor === null || cursor === ''
      ? 0
      : recordedNext !== '' && cursor === recordedNext
        ? rows.length
        : offsetOf(cursor);
  if (start === undefined || start > rows.length) return undefined;
  const end = start + limit;
  const next = end < rows.length ? cursorAt(end) : start < rows.length ? recordedNext : '';
  return { rows: rows.slice(start, end), next };
}

function cursorAt(offset: number): string {
  return Buffer.from(`replay:${offset}`).toString('base64url');
}

function offsetOf(cursor: string): number | undefined {
  const offset = /^replay:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
  return offset === undefined ? undefined : Number(offset);
}
