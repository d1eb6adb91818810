import { upsertArticle } from '../../store/news.ts';
import type { Collector, CollectorRun } from '../collector.ts';
import { readInTime } from '../wire/read-in-time.ts';
import { parseNewsFeed } from './parse-news-feed.ts';

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
    const answer = await feed.fetch({ url, format: 'feed' });
    const page = readInTime(() => parseNewsFeed(answer.body, { name, url }, run.now));
    feed.keep(answer, page, (writer) => {
      let rows_changed = 0;
      for (const article of page.articles) if (upsertArticle(writer, article, run.now)) rows_changed++;
      return { rows_changed };
    });
  });
}
