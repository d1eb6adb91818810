import { z } from 'zod';
import { validators } from '../../model/validators.ts';
import { upsertArticle } from '../../store/news.ts';
import { findNote, removeNote, setNote } from '../../store/notes.ts';
import type { Collector, CollectorRun } from '../collector.ts';
import { readInTime } from '../wire/read-in-time.ts';
import { parseNewsFeed } from './parse-news-feed.ts';

/** The validators of a feed when it was last read without rejections, and its number of entries. */
const lastReading = validators.extend({ url: z.string(), rows: z.int() });

const LAST_READING = 'last_reading';

/** News feeds: articles as the configured RSS, Atom and JSON feeds list them now. */
export const news: Collector = {
  requestsPerSecond: (config) => config.news.requests_per_second,
  collect: async (run) => {
    for (const source of run.config.news.feeds) await collectNewsFeed(run, source);
  },
};

async function collectNewsFeed(
  run: CollectorRun,
  { name, url }: { name: string; url: string },
): Promise<void> {
  await run.feed(`news/${name}`, async (feed) => {
    const known = run.store.read((reader) => findNote(reader, feed.name, LAST_READING, lastReading));
    const unless = known?.url === url ? known : undefined;
    const answer = await feed.fetch({ url, format: 'feed', ...(unless && { unless }) });
    if (unless && answer.unchanged) {
      feed.report.rows_read += unless.rows;
      return;
    }
    const page = readInTime(run.config.ingest.parse_timeout_seconds, () =>
      parseNewsFeed(answer.body, { name, url, charset: answer.charset }, run.now),
    );
    feed.keep(answer, page, (writer) => {
      const rows_changed = page.articles.filter((each) => upsertArticle(writer, each, run.now)).length;
      // A feed with unreadable entries is fetched in full each time, so that every run reports them.
      if (answer.validators && page.rejections.length === 0)
        setNote(writer, feed.name, LAST_READING, { url, rows: page.read, ...answer.validators });
      else removeNote(writer, feed.name, LAST_READING);
      return { rows_changed };
    });
  });
}
