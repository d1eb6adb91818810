/**
 * One recorded price of a Yes outcome.
 * `resolution_seconds` is the grain it was recorded at; 0 marks a raw tick off the grid.
 */
export interface Point {
  at_ms: number;
  price: number;
  resolution_seconds: number;
}

/** Recorded things in time order; of those of one instant, which a table may repeat, the last. */
export function inTimeOrder<T extends { at_ms: number }>(recorded: readonly T[]): T[] {
  const byInstant = new Map(recorded.map((each) => [each.at_ms, each]));
  return [...byInstant.values()].sort((a, b) => a.at_ms - b.at_ms);
}

/** Newest recorded thing at or before `now`; `recorded` is in time order. Undefined before the first. */
export function newestAt<T extends { at_ms: number }>(recorded: readonly T[], now: number): T | undefined {
  let low = 0;
  let high = recorded.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = recorded[middle];
    if (one !== undefined && one.at_ms <= now) low = middle + 1;
    else high = middle;
  }
  return recorded[low - 1];
}

/** Finest grain of a series in seconds; undefined for an empty one. */
export function finestGrain(points: readonly Point[]): number | undefined {
  const grains = points.map((point) => point.resolution_seconds).filter((seconds) => seconds > 0);
  return grains.length === 0 ? undefined : grains.reduce((least, seconds) => Math.min(least, seconds));
}

/** What a price history is asked for; instants in epoch seconds, `end` exclusive. */
export interface HistoryAsk {
  start: number;
  end: number;
  bucket_seconds: number;
  now: number;
}

/**
 * Recorded points of a window, oldest first, nothing after the clock. A bucket wider than the recorded
 * grain keeps its last point; stretches recorded more coarsely come as they are; raw ticks stay.
 */
export function historyOf(points: readonly Point[], ask: HistoryAsk): Point[] {
  const kept: Point[] = [];
  const places = new Map<number, number>();
  for (const point of points) {
    const seconds = epochSeconds(point);
    if (point.at_ms > ask.now || seconds < ask.start || seconds >= ask.end) continue;
    if (point.resolution_seconds === 0 || point.resolution_seconds >= ask.bucket_seconds) {
      kept.push(point);
      continue;
    }
    const bucket = Math.floor(seconds / ask.bucket_seconds);
    const place = places.get(bucket) ?? kept.length;
    places.set(bucket, place);
    kept[place] = { ...point, resolution_seconds: ask.bucket_seconds };
  }
  return kept.sort((a, b) => a.at_ms - b.at_ms);
}

/** Whole epoch seconds of a point, as the venues write it. */
export function epochSeconds(point: Point): number {
  return Math.floor(point.at_ms / 1000);
}

/** Price of the other side of a binary contract, free of binary dust: complement(0.49) // 0.51 */
export function complement(price: number): number {
  return Number((1 - price).toFixed(6));
}
