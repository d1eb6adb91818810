import { z } from 'zod';
import { type SeriesId, writtenMark } from '../../model/constituent-id.ts';
import { easternDay, easternDayStart, formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { encodeId } from '../../routes/document-key.ts';
import { type Marks, marksKey } from '../../routes/page-files.ts';
import type { ObjectReader } from '../../store/archive/archive.ts';
import { findPrintsDigest } from '../../store/prints/known-prints.ts';
import { listCloses } from '../../store/prints/standings.ts';
import type { Reader } from '../../store/store.ts';
import { digestOf } from '../archive/digest.ts';
import { findManifest } from '../archive/find-manifest.ts';
import type { PublishDocument } from '../comparison.ts';
import { linesAt, listPublicSeries } from '../public-series.ts';

const MANIFEST = 'explorer/marks/manifest.json';
/** Marks in a file, some 150 KB: the more names, the fewer days. */
const MOST_MARKS = 20_000;
const FEWEST_CLOSES = 31;
/** A year of them; whole histories are bulk files. */
const MOST_CLOSES = 366;

const marksManifest = z.record(
  z.string(),
  /**
   * Identifies the prints that a file was made from; empty if there were none. While it is the same, the file is kept.
   */
  z.object({ source: z.coerce.string(), sha256: z.string() }),
);

/**
 * For each public index and rate, the marks of its constituents at the daily closes through yesterday; none before the
 * first close.
 *
 * @param archive what was published last
 */
export async function* eachDailyMarks(
  reader: Reader,
  now: Instant,
  archive: ObjectReader,
): AsyncGenerator<PublishDocument> {
  const before = (await findManifest(archive, MANIFEST, marksManifest)) ?? {};
  const today = easternDay(now);
  const until = easternDayStart(today) - 1;
  const manifest: z.output<typeof marksManifest> = {};
  for (const series of listPublicSeries(reader)) {
    const { folder, ticker } = series;
    const source = findPrintsDigest(reader, series, until) ?? '';
    const key = marksKey(folder, encodeId(ticker));
    const standing = before[key];
    if (standing?.source === source) {
      manifest[key] = standing;
      yield { key, sha256: standing.sha256 };
    } else {
      const body = JSON.stringify(dailyMarks(reader, series, today));
      manifest[key] = { source, sha256: digestOf(body) };
      yield { key, body };
    }
  }
  yield { key: MANIFEST, body: JSON.stringify(manifest) };
}

/**
 * The marks of an index's or rate's constituents: the closes, and for each constituent one mark per close, to six
 * digits.
 */
function dailyMarks(reader: Reader, series: SeriesId, today: string): Marks {
  const [last] = listCloses(reader, series, today, 1);
  const count = last ? linesAt(reader, series, last.at).length : 0;
  const fitting = Math.floor(MOST_MARKS / Math.max(1, count));
  const limit = Math.min(MOST_CLOSES, Math.max(FEWEST_CLOSES, fitting));
  const closes = listCloses(reader, series, today, limit);
  const names: Record<string, (number | null)[]> = {};
  closes.forEach(({ at }, i) => {
    for (const line of linesAt(reader, series, at)) {
      if (line.state !== 'included' || line.price === undefined) continue;
      names[line.market_id] ??= Array.from({ length: closes.length }, () => null);
      const marks = names[line.market_id];
      if (marks) marks[i] = Number(writtenMark(line.market_id, line.price).toPrecision(6));
    }
  });
  return { closes: closes.map(({ at }) => formatInstant(at)), names };
}
