import { iso } from '../calendar.ts';
import { escapeMarkup } from '../filings/xlsx.ts';
import { type Dialect, ok, type Reply } from '../http/route.ts';
import type { Article, Paper } from '../news/articles.ts';
import type { World } from '../world.ts';

const ENTRIES = 60;

/** Three newspapers' feeds: RSS, Atom and JSON Feed, each with its newest stories. */
export const news: Dialect = {
  prefix: '/news',
  routes: [
    { method: 'GET', path: '/wire.rss', answer: answerRss },
    { method: 'GET', path: '/ledger.atom', answer: answerAtom },
    { method: 'GET', path: '/herald.json', answer: answerJsonFeed },
  ],
  notFound: () => ({ status: 404, body: { error: 'no such feed' } }),
};

function newest(world: World, paper: Paper): (Article & { link: string })[] {
  return world
    .articles()
    .filter((each) => (each.paper === paper || each.also === paper) && each.published_at <= world.now())
    .slice(-ENTRIES)
    .reverse()
    .map((each) => ({ ...each, link: `${each.url}?utm_source=${paper}&utm_medium=feed` }));
}

function answerRss(world: World): Reply {
  const items = newest(world, 'wire').map(
    (each) =>
      `<item><title>${escapeMarkup(each.title)}</title><link>${escapeMarkup(each.link)}</link><guid isPermaLink="false">${escapeMarkup(each.url)}</guid><pubDate>${new Date(each.published_at).toUTCString()}</pubDate><dc:creator>${escapeMarkup(each.author)}</dc:creator><description><![CDATA[<p>${escapeMarkup(each.summary)}</p>]]></description></item>`,
  );
  return markup(
    'rss',
    `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>The Simulated Wire</title><link>https://wire.example</link><description>News of a world that does not exist</description>\n${items.join('\n')}\n</channel></rss>`,
  );
}

function answerAtom(world: World): Reply {
  const entries = newest(world, 'ledger').map(
    (each) =>
      `<entry><title>${escapeMarkup(each.title)}</title><id>${escapeMarkup(each.url)}</id><link rel="alternate" href="${escapeMarkup(each.link)}"/><published>${iso(each.published_at)}</published><updated>${iso(each.published_at)}</updated><author><name>${escapeMarkup(each.author)}</name></author><summary type="html">${escapeMarkup(`<p>${escapeMarkup(each.summary)}</p>`)}</summary></entry>`,
  );
  return markup(
    'atom',
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>The Simulated Ledger</title><id>https://ledger.example/</id><updated>${iso(world.now())}</updated>\n${entries.join('\n')}\n</feed>`,
  );
}

function answerJsonFeed(world: World): Reply {
  return ok({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'The Simulated Herald',
    home_page_url: 'https://herald.example',
    items: newest(world, 'herald').map(({ url, link, title, summary, author, published_at }) => ({
      id: url,
      url: link,
      title,
      content_html: `<p>${escapeMarkup(summary)}</p>`,
      date_published: iso(published_at),
      authors: [{ name: author }],
    })),
  });
}

function markup(format: 'rss' | 'atom', body: string): Reply {
  const raw = `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
  return { status: 200, body: { raw }, headers: { 'content-type': `application/${format}+xml` } };
}
