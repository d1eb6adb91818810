import { formatCount } from '../model/counted.ts';
import { MINUTE_MS } from '../model/time.ts';

/** A length in bytes as kibibytes. */
export function kibibytes(bytes: number): string {
  return `${formatCount(Math.round(bytes / 1024))} KiB`;
}

/** A span of milliseconds in a unit that leaves it two to three digits. @example spanOf(7_678_800_000) // '89 d' */
export function spanOf(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** The name of a feed, padded to the longest of a venue's. */
export function feedColumn(feed: string): string {
  return feed.padEnd('venue_c_forecastex/prices'.length);
}
