import { z } from 'zod';
import { DAY_MS } from '../../../model/time.ts';
import { forgetPages } from '../../../store/catalog/page-notes.ts';
import { upsertSeries } from '../../../store/catalog/series.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import { changedSince } from '../../catalog/crawl.ts';
import type { Feed } from '../../feed.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { parseOneSeries, parseSeriesList, type SeriesPage } from './parse-series.ts';

const FEED = 'venue_a/series';
const EVENTS_FEED = 'venue_a/events';
/** Notes of when the whole list was last read, and when the list or its changes were last read. */
const WHOLE_AT = 'whole_at';
const READ_AT = 'read_at';
const WHOLE_AGAIN_MS = 7 * DAY_MS;

/**
 * Reads the series: the whole list at first and every week, else those that changed. If the settings name series and no
 * tags, only those are read.
 */
export async function collectSeries(run: VenueRun): Promise<void> {
  const { base_url, series, tags } = run.config.venues.venue_a;
  await run.feed(FEED, async (feed) => {
    for (const ticker of series) {
      const url = urlOf(base_url, `/series/${encodeURIComponent(ticker)}`);
      await feed.part(() => keepSeries(run, feed, url, parseOneSeries));
    }
    if (series.length > 0 && tags.length === 0) return;
    const instantOf = (name: string) =>
      run.store.read((reader) => findNote(reader, FEED, name, z.number())) ?? 0;
    const whole = run.now - instantOf(WHOLE_AT) >= WHOLE_AGAIN_MS;
    const min_updated_ts = whole ? undefined : changedSince(instantOf(READ_AT));
    const read = await keepSeries(run, feed, urlOf(base_url, '/series', { min_updated_ts }), parseSeriesList);
    if (whole && read === 0) {
      feed.leaveIncomplete('the venue listed no series');
      return;
    }
    run.store.write((writer) => {
      setNote(writer, FEED, READ_AT, run.now);
      if (whole) setNote(writer, FEED, WHOLE_AT, run.now);
    });
  });
}

async function keepSeries(
  run: VenueRun,
  feed: Feed,
  url: string,
  parse: (json: unknown) => SeriesPage,
): Promise<number> {
  const answer = await feed.fetch({ url });
  const page = parse(answer.json);
  feed.keep(answer, page, (writer) => {
    const rows_changed = page.series.filter((each) => upsertSeries(writer, each, run.now)).length;
    // Parsed events contain the categories of their series, so noted pages are outdated.
    if (rows_changed > 0) forgetPages(writer, EVENTS_FEED);
    return { rows_changed };
  });
  return page.read;
}
