import { listSeriesByTag } from '../../../store/catalog/series.ts';
import type { VenueRun } from '../venue.ts';

/** The series to filter listings by, one after another; a single undefined if there is no filter. */
export function seriesAsked(run: VenueRun): (string | undefined)[] {
  const { series, tags } = run.config.venues.venue_a;
  if (series.length === 0 && tags.length === 0) return [undefined];
  return [...new Set([...series, ...run.store.read((reader) => listSeriesByTag(reader, 'venue_a', tags))])];
}
