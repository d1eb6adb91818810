import { ColumnRoom, type Columns, type MakeColumn, ownColumns } from '../../model/column-room.ts';
import type { PriceColumn, PriceColumns } from '../../model/observation.ts';
import { decodeInstants, decodeValues, instantAt, SteppedInstants } from './price-codec.ts';
import { firstPlace, lastKnownPlace, type Part, type PriceSpan } from './price-span.ts';

/** Decoded observations of one market, one place each, part after part. */
interface Places {
  observed_at: Float64Array;
  recorded_at: Float64Array;
  series: Uint8Array;
  columns: Float64Array[];
}

/** Holds the instants at which observations became known, which are needed only during a merge. */
const passing = new ColumnRoom();
const observed = new SteppedInstants();
const recorded = new SteppedInstants();

/** Merges the parts of a market into the observations of a span. */
export function mergeParts(
  parts: readonly Part[],
  span: PriceSpan,
  wanted: readonly PriceColumn[],
): PriceColumns {
  passing.clear();
  const { carry } = span;
  const carried = carry === undefined ? -1 : wanted.indexOf(carry);
  const fromOf = (part: Part) => {
    if (carry === undefined) return firstPlace(part, span.from);
    return areApart(parts, part.series) ? wantedFrom(part, span, carried) : 0;
  };
  const cuts = parts
    .map((part): Cut => ({ part, from: fromOf(part), until: firstPlace(part, span.until + 1) }))
    .filter(({ from, until }) => until > from);
  const [only] = cuts;
  const places =
    only && cuts.length === 1 ? placesOf(only, span.into) : joinCuts(cuts, wanted.length, span.into);
  const kept = inForcePlaces(places, span);
  let earlier = 0;
  while (earlier < kept.length && (places.observed_at[kept[earlier] as number] as number) < span.from)
    earlier++;
  const before = carry === undefined ? [] : inForce(places, kept.subarray(0, earlier), carried);
  const rows = before.length === earlier ? kept : Uint32Array.of(...before, ...kept.subarray(earlier));
  return pickRows(places, rows, wanted);
}

/** The observations at some places, in their order; not copied if the places are consecutive. */
function pickRows(places: Places, rows: Uint32Array, wanted: readonly PriceColumn[]): PriceColumns {
  const first = rows[0] ?? 0;
  const follow = areConsecutive(rows);
  const pick = <Column extends Float64Array | Uint8Array>(column: Column): Column => {
    const picked = column.subarray(first, first + rows.length) as Column;
    if (follow) return picked;
    const copy = column.slice(0, rows.length) as Column;
    for (let i = 0; i < rows.length; i++) copy[i] = column[rows[i] as number] as number;
    return copy;
  };
  const columns: PriceColumns = { observed_at: pick(places.observed_at), series: pick(places.series) };
  for (const [c, column] of wanted.entries()) columns[column] = pick(places.columns[c] as Float64Array);
  return columns;
}

// A loop: this runs for every point that is read, and `every` would call a function for each.
function areConsecutive(places: Uint32Array): boolean {
  const first = places[0] ?? 0;
  for (let i = 1; i < places.length; i++) if (places[i] !== first + i) return false;
  return true;
}

/** Whether no two parts of a series overlap in time, so that none holds a revision of an observation in another. */
function areApart(parts: readonly Part[], series: number): boolean {
  const spans = parts
    .filter((part) => part.series === series && part.points > 0)
    .map(({ observed, points }) => [instantAt(observed, 0), instantAt(observed, points - 1)] as const)
    .sort((a, b) => a[0] - b[0]);
  return spans.every(([first], i) => i === 0 || first > (spans[i - 1] as (typeof spans)[number])[1]);
}

/** A stretch of a part, up to but not including a place. */
interface Cut {
  part: Part;
  from: number;
  until: number;
}

/** The observations of one stretch, of which as little as possible is copied. */
function placesOf({ part, from, until }: Cut, into: Columns = ownColumns): Places {
  return {
    observed_at: decodeInstants(part.observed, from, until, observed, into.column),
    recorded_at: decodeInstants(part.recorded, from, until, recorded, passing.column),
    series: into.codes(until - from).fill(part.series),
    columns: part.columns.map((column) => decodeValues(column, from, until, into.column)),
  };
}

/** The observations of some stretches, one after the other. */
function joinCuts(cuts: readonly Cut[], width: number, into: Columns = ownColumns): Places {
  const points = cuts.reduce((total, { from, until }) => total + until - from, 0);
  const joined: Places = {
    observed_at: into.column(points),
    recorded_at: passing.column(points),
    series: into.codes(points),
    columns: Array.from({ length: width }, () => into.column(points)),
  };
  let at = 0;
  for (const { part, from, until } of cuts) {
    const end = at + until - from;
    decodeInto(joined.observed_at.subarray(at, end), (piece) =>
      decodeInstants(part.observed, from, until, observed, piece),
    );
    decodeInto(joined.recorded_at.subarray(at, end), (piece) =>
      decodeInstants(part.recorded, from, until, recorded, piece),
    );
    joined.series.fill(part.series, at, end);
    for (const [c, column] of joined.columns.entries())
      decodeInto(column.subarray(at, end), (piece) => decodeValues(part.columns[c], from, until, piece));
    at = end;
  }
  return joined;
}

/** Decodes a column into a piece of another, unless it needs no decoding: then it is copied. */
function decodeInto(piece: Float64Array, decode: (make: MakeColumn) => Float64Array): void {
  const decoded = decode(() => piece);
  if (decoded !== piece) piece.set(decoded);
}

/** The place from which a part is needed for a span. @param carried position of the carried column, or -1 */
function wantedFrom(part: Part, span: PriceSpan, carried: number): number {
  const valued = carried < 0 ? -1 : lastKnownPlace(part, span, carried);
  const stands = valued < 0 ? lastKnownPlace(part, span) : valued;
  return stands < 0 ? firstPlace(part, span.from) : stands;
}

/**
 * The places of the observations known for a span, in time order, with only the newest revision for each series and
 * instant. Parts are usually in time order and follow each other, so that nothing has to be sorted.
 */
function inForcePlaces({ observed_at, recorded_at, series }: Places, span: PriceSpan): Uint32Array {
  const knownAt = span.knownAt ?? Number.POSITIVE_INFINITY;
  const after = (a: number, b: number) =>
    (observed_at[a] as number) - (observed_at[b] as number) ||
    (series[a] as number) - (series[b] as number) ||
    (recorded_at[a] as number) - (recorded_at[b] as number);
  const order = passing.places(observed_at.length);
  let count = 0;
  let sorted = true;
  let latest = Number.NEGATIVE_INFINITY;
  let alike = false;
  for (let place = 0; place < observed_at.length; place++) {
    const at = observed_at[place] as number;
    if (at > span.until || (recorded_at[place] as number) > knownAt) continue;
    if (at <= latest) {
      sorted &&= after(order[count - 1] as number, place) <= 0;
      alike = true;
    }
    latest = at;
    order[count++] = place;
  }
  const known = order.subarray(0, count);
  const inOrder = sorted ? known : known.sort(after);
  return alike ? keepNewestRevision({ observed_at, series }, inOrder) : inOrder;
}

// For each series, the last place before the span and the last with a value in the carried column: a trade holds until
// the next.
function inForce({ series, columns }: Places, before: Uint32Array, carried: number): number[] {
  const newest = new Map<number, number>();
  const valued = new Map<number, number>();
  for (const [i, place] of before.entries()) {
    newest.set(series[place] as number, i);
    if (!Number.isNaN(columns[carried]?.[place] ?? Number.NaN)) valued.set(series[place] as number, i);
  }
  const rows = [...new Set([...newest.values(), ...valued.values()])].sort((a, b) => a - b);
  return rows.map((i) => before[i] as number);
}

/** Removes from places in time order those that a later revision follows. */
function keepNewestRevision(
  { observed_at, series }: Pick<Places, 'observed_at' | 'series'>,
  order: Uint32Array,
): Uint32Array {
  return order.filter((place, i) => {
    const next = order[i + 1];
    return next === undefined || observed_at[next] !== observed_at[place] || series[next] !== series[place];
  });
}
