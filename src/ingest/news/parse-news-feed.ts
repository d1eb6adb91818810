import { parseFeed } from 'feedsmith';
import { ForemarkError } from '../../model/errors.ts';
import { given } from '../../model/given.ts';
import type { NewsArticle } from '../../model/news.ts';
import { MINUTE_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { htmlToText } from '../wire/html.ts';
import { cut } from '../wire/plain-text.ts';
import { shown } from '../wire/shown.ts';
import { leaveOut, type ReadPage } from '../wire/wire-rows.ts';
import { articleId, articleUrl } from './article-url.ts';
import { decodeFeed } from './decode-feed.ts';
import { feedInstant } from './feed-instant.ts';

export interface NewsPage extends ReadPage {
  articles: NewsArticle[];
}

/** An entry of a feed in any format. Texts may contain HTML. */
interface Entry {
  link?: string | undefined;
  /** The xml:base of the feed and of the entry, against which the link is resolved, the outer one first. */
  bases?: (string | undefined)[];
  title?: string | undefined;
  summary?: string | undefined;
  /** The whole text, shown where the summary has none: it is missing, or only a picture. */
  content?: string | undefined;
  author?: string | undefined;
  published?: string | undefined;
}

const LONGEST_TITLE = 500;
/** Length of the title made from the text of an entry without one, which RSS, Atom and JSON Feed all allow. */
const LONGEST_OPENING = 120;
const LONGEST_SUMMARY = 2000;
/** An article dated later than this after now has a wrong date. */
const CLOCKS_DIFFER_MS = 5 * MINUTE_MS;

/**
 * Parses a news feed in RSS, Atom, RDF or JSON Feed. An article needs an address and a title, or a text to make one of;
 * an unreadable or future date is dropped.
 *
 * @param source.charset the encoding that its server states
 * @throws ForemarkError invalid_payload when it is no feed
 */
export function parseNewsFeed(
  body: Uint8Array,
  source: { name: string; url: string; charset?: string | undefined },
  now: Instant,
): NewsPage {
  const page: NewsPage = { read: 0, articles: [], rejections: [] };
  const seen = new Set<string>();
  for (const entry of entriesOf(decodeFeed(body, source.charset))) {
    const position = page.read++;
    const url = articleUrl(entry.link, baseOf(entry, source.url));
    const text = htmlToText(entry.summary ?? '') || htmlToText(entry.content ?? '');
    const summary = cut(text, LONGEST_SUMMARY);
    const title = cut(htmlToText(entry.title ?? ''), LONGEST_TITLE) || cut(summary, LONGEST_OPENING);
    if (url === undefined || title === '') {
      const [path, allowed] =
        url === undefined ? (['link', 'an http address'] as const) : (['title', 'a text'] as const);
      const reason = `${path} must be ${allowed}, got ${shown(entry[path])}`;
      leaveOut(page, { position, native_id: url ?? null, path, reason });
      continue;
    }
    const news_id = articleId(url);
    if (seen.has(news_id)) continue;
    seen.add(news_id);
    const at = feedInstant(entry.published ?? '');
    page.articles.push({
      news_id,
      url,
      source: source.name,
      title,
      ...given({
        summary: summary || undefined,
        author: cut(htmlToText(entry.author ?? ''), LONGEST_TITLE) || undefined,
        published_at: at !== undefined && at > 0 && at <= now + CLOCKS_DIFFER_MS ? at : undefined,
      }),
    });
  }
  return page;
}

function entriesOf(text: string): Entry[] {
  try {
    const { format, feed } = parseAnyFeed(text);
    switch (format) {
      case 'rss':
        return (feed.items ?? []).map((item) => ({
          bases: [feed.xml?.base, item.xml?.base],
          link:
            item.link ??
            pageIn(item.atom?.links) ??
            (item.guid?.isPermaLink === false ? undefined : addressIn(item.guid?.value)),
          title: item.title,
          summary: item.description,
          content: item.content?.encoded,
          author: item.dc?.creators?.join(', ') ?? namesOf(item.authors) ?? namesOf(item.atom?.authors),
          published: item.pubDate ?? item.dc?.dates?.[0] ?? item.atom?.published ?? item.atom?.updated,
        }));
      case 'atom':
        return (feed.entries ?? []).map((entry) => ({
          bases: [feed.xml?.base, entry.xml?.base],
          link: pageIn(entry.links) ?? addressIn(entry.id),
          title: textOf(entry.title),
          summary: textOf(entry.summary),
          content: textOf(entry.content),
          author: namesOf(entry.authors) ?? namesOf(entry.source?.authors) ?? namesOf(feed.authors),
          published: entry.published ?? entry.updated,
        }));
      case 'rdf':
        return (feed.items ?? []).map((item) => ({
          link: item.link ?? addressIn(item.rdf?.about),
          title: item.title,
          summary: item.description,
          content: item.content?.encoded,
          author: item.dc?.creators?.join(', '),
          published: item.dc?.dates?.[0],
        }));
      case 'json':
        return (feed.items ?? []).map((item) => ({
          link: item.url ?? item.external_url ?? addressIn(item.id),
          title: escaped(item.title),
          summary: escaped(item.summary),
          content: item.content_html ?? escaped(item.content_text),
          author: namesOf(item.authors) ?? namesOf(feed.authors),
          published: item.date_published ?? item.date_modified,
        }));
    }
  } catch (cause) {
    throw new ForemarkError('invalid_payload', 'answer is not an RSS, Atom or JSON feed', { cause });
  }
}

// A `<` that begins no tag, as in "rates < 4 %", makes the whole feed malformed. Only then is it read as a character.
function parseAnyFeed(text: string) {
  try {
    return parseFeed(text);
  } catch {
    return parseFeed(text.replaceAll(/<(?![a-z_:/!?])/gi, '&lt;'));
  }
}

// A base may be relative to the one around it; an unreadable one is ignored.
function baseOf({ bases = [] }: Entry, feedUrl: string): string {
  return bases.reduce<string>((outer, base) => (base && URL.parse(base, outer)?.href) || outer, feedUrl);
}

/** The address of the page among the links of an entry. */
function pageIn(links: readonly { href?: string; rel?: string }[] | undefined): string | undefined {
  return links?.find((link) => (link.rel ?? 'alternate') === 'alternate')?.href;
}

// Some feeds give an entry's address only as its id. Other ids would pass for relative addresses.
function addressIn(id: string | undefined): string | undefined {
  return id !== undefined && /^https?:\/\//i.test(id) ? id : undefined;
}

// The authors of a feed or of an entry's source are those of an entry that names none.
function namesOf(authors: readonly { name?: string }[] | undefined): string | undefined {
  return authors?.flatMap(({ name }) => name ?? []).join(', ') || undefined;
}

// Atom says whether a text is HTML, as html, xhtml or text/html; a plain one may contain characters that would be read as
// markup.
function textOf(text: { value?: string; type?: string } | undefined): string | undefined {
  return /html/i.test(text?.type ?? '') ? text?.value : escaped(text?.value);
}

function escaped(text: string | undefined): string | undefined {
  return text?.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
