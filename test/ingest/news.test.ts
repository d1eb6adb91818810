import { afterEach, describe, expect, it, vi } from 'vitest';
import { articleId, articleUrl } from '../../src/ingest/news/article-url.ts';
import { parseNewsFeed } from '../../src/ingest/news/parse-news-feed.ts';
import { DAY_MS, MINUTE_MS } from '../../src/model/time.ts';
import { listFeeds } from '../../src/store/feeds.ts';
import { findArticle } from '../../src/store/news.ts';
import { Raw, raw } from './fixture-venue.ts';
import { configFor, feedOf, NOW, runIngest } from './run-ingest.ts';
import { venue as site, store, withVenueAndStore } from './venue-and-store.ts';

const SOURCE = { name: 'wire', url: 'https://wire.example/feed' };
const parse = (text: string) => parseNewsFeed(Buffer.from(text), SOURCE, NOW);

const MODULES =
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"';
const rss = (items: string) => `<?xml version="1.0"?>
<rss version="2.0" ${MODULES} xmlns:a="http://www.w3.org/2005/Atom"><channel><title>T</title>
<link>https://wire.example</link><description>d</description>${items}</channel></rss>`;
const rdf = (about: string, fields: string) => `<rdf:RDF ${MODULES} xmlns="http://purl.org/rss/1.0/"
xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel rdf:about="https://wire.example"><title>T</title></channel>
<item rdf:about="${about}">${fields}</item></rdf:RDF>`;
const item = (link: string, title: string, more = '') =>
  `<item><link>${link}</link><title>${title}</title>${more}</item>`;
const atom = (entries: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>i</id><updated>2026-11-09T00:00:00Z</updated>${entries}</feed>`;
const json = (items: unknown[]) =>
  JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'T', items });

describe('a news feed', () => {
  it('in RSS gives address, title, summary, author and date, without markup', () => {
    const more = `<description><![CDATA[<p>The <b>Fed</b> held.</p><p>Rates &amp; bonds<script>x()</script></p>]]></description>
      <dc:creator>Jane Doe</dc:creator><pubDate>Mon, 09 Nov 2026 10:00:00 -0500</pubDate>`;
    expect(parse(rss(item('/a?utm_source=rss&amp;b=1#c', 'Fed &lt;i&gt;holds&lt;/i&gt;', more)))).toEqual({
      read: 1,
      rejections: [],
      articles: [
        {
          news_id: articleId('https://wire.example/a?b=1'),
          url: 'https://wire.example/a?b=1',
          source: 'wire',
          title: 'Fed holds',
          summary: 'The Fed held. Rates & bonds',
          author: 'Jane Doe',
          published_at: Date.parse('2026-11-09T15:00:00Z'),
        },
      ],
    });
  });

  it('has a text that is too long cut between two characters, and not within one', () => {
    const long = (start: string) => `${start}${'📈'.repeat(400)}`;
    const page = parse(rss(item('/a', long('')) + item('/b', long('x'))));
    const shown = [`${'📈'.repeat(249)}…`, `x${'📈'.repeat(249)}…`];
    expect(page.articles.map(({ title }) => title)).toEqual(shown);
  });

  it('lists an article once, whatever protocol and www. its addresses have', () => {
    const page = parse(
      rss(item('http://wire.example/a', 'First') + item('https://www.wire.example/a', 'Again')),
    );
    expect(page.articles.map(({ title }) => title)).toEqual(['First']);
  });

  it('is read in the encoding that it states, and in UTF-8 where it states none', () => {
    const text = (encoding: string) =>
      rss(item('/a', 'Élection à Genève')).replace('?>', ` encoding="${encoding}"?>`);
    const titles = (...bodies: Buffer[]) =>
      bodies.map((body) => parseNewsFeed(body, SOURCE, NOW).articles[0]?.title);
    expect(
      titles(
        Buffer.from(text('ISO-8859-1'), 'latin1'),
        Buffer.from(text('windows-1252'), 'latin1'),
        Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le'),
        Buffer.from(`\ufeff${text('UTF-16')}`, 'utf16le').swap16(),
        Buffer.from(`\ufeff${text('UTF-8')}`),
        Buffer.from(text('no-such-thing')),
        Buffer.from(text('UTF-16'), 'utf16le'),
        Buffer.from(text('UTF-16'), 'utf16le').swap16(),
      ),
    ).toEqual(Array(8).fill('Élection à Genève'));
    // Without a character beyond ASCII these bytes are valid UTF-8 too.
    const japanese = Buffer.from(
      text('ISO-2022-JP').replace('Élection à Genève', '\x1b$B%"\x1b(B'),
      'latin1',
    );
    expect(titles(japanese)).toEqual(['ア']);
  });

  it.each(['ISO-8859-1', 'utf-16', 'windows-1251'])(
    'is read in UTF-8 where it is that, though it states %s',
    (encoding) => {
      for (const title of ['Élection à Genève', 'A']) {
        const text = rss(item('/a', title)).replace('?>', ` encoding="${encoding}"?>`);
        expect(parse(text).articles[0]?.title).toBe(title);
      }
    },
  );

  it('is read in the encoding of the HTTP header where it is not UTF-8 and states none', () => {
    const text = rss(item('/a', 'Élection à Genève'));
    const title = (body: Buffer, charset: string) =>
      parseNewsFeed(body, { ...SOURCE, charset }, NOW).articles[0]?.title;
    expect(title(Buffer.from(text, 'latin1'), 'iso-8859-1')).toBe('Élection à Genève');
    expect(title(Buffer.from(text), 'iso-8859-1')).toBe('Élection à Genève');
    expect(title(Buffer.from(text, 'latin1'), 'no-such-thing')).toBe('Élection à Genève');
  });

  it('is read in Windows-1252 where it states UTF-8 and none of its characters is that', () => {
    const read = (title: Buffer, charset?: string) => {
      const [head = '', tail = ''] = rss(item('/a', '@')).replace('?>', ' encoding="UTF-8"?>').split('@');
      const body = Buffer.concat([Buffer.from(head), title, Buffer.from(tail)]);
      return parseNewsFeed(body, { ...SOURCE, ...(charset && { charset }) }, NOW).articles[0]?.title;
    };
    const quoted = Buffer.concat([Buffer.from([0x93]), Buffer.from('Zürich', 'latin1'), Buffer.from([0x94])]);
    for (const charset of [undefined, 'utf-8']) expect(read(quoted, charset)).toBe('“Zürich”');
    // One that was cut within a character stays UTF-8.
    expect(read(Buffer.from('Genève, Zürich').subarray(0, -5))).toBe('Genève, Z\ufffd');
  });

  it('is read from the fields that stand in for others, in every format', () => {
    const full = '<content:encoded>&lt;p&gt;In full&lt;/p&gt;</content:encoded>';
    const picture = '<description>&lt;img src="a.png"&gt;</description>';
    for (const text of [
      rss(item('/a', 'A', full)),
      rss(item('/a', 'A', picture + full)),
      rdf('https://wire.example/a', `<title>A</title>${full}`),
    ])
      expect(parse(text).articles).toMatchObject([{ url: 'https://wire.example/a', summary: 'In full' }]);
    const marked = '<content type="xhtml"><div>In <b>full</b></div></content>';
    const entry = `<entry><title>A</title><id>https://wire.example/a</id><updated>2026-11-09T15:00:00Z</updated>${marked}</entry>`;
    const at = Date.parse('2026-11-09T15:00:00Z');
    expect(parse(atom(entry)).articles).toMatchObject([{ summary: 'In full', published_at: at }]);
    const row = {
      id: '1',
      external_url: 'https://x.example/a',
      title: 'A',
      date_modified: '2026-11-09T15:00:00Z',
    };
    expect(parse(json([row])).articles).toMatchObject([{ url: 'https://x.example/a', published_at: at }]);
    const linked = '<item><title>A</title><a:link href="https://wire.example/b" rel="alternate"/></item>';
    expect(parse(rss(linked)).articles).toMatchObject([{ url: 'https://wire.example/b' }]);
    // A guid that is no address of the article is not taken for one.
    const guid = '<item><title>A</title><guid isPermaLink="false">https://wire.example/?p=7</guid></item>';
    expect(parse(rss(guid))).toMatchObject({ articles: [], rejections: [{ path: 'link' }] });
  });

  it('gives a date up to five minutes ahead of the clock, and none of 1970', () => {
    const dates = [NOW + 5 * MINUTE_MS, NOW + 5 * MINUTE_MS + 1000, 0];
    const items = dates.map((date, i) =>
      item(`/${i}`, 'A', `<pubDate>${new Date(date).toUTCString()}</pubDate>`),
    );
    const published = parse(rss(items.join(''))).articles.map((each) => each.published_at);
    expect(published).toEqual([dates[0], undefined, undefined]);
  });

  it('in RDF gives the same', () => {
    const fields = `<title>The Fed holds</title><link>https://wire.example/a</link>
      <description>&lt;b&gt;Rates&lt;/b&gt; stay.</description><dc:creator>Jane Doe</dc:creator>
      <dc:date>2026-11-09T15:00:00Z</dc:date>`;
    expect(parse(rdf('https://wire.example/a', fields)).articles).toMatchObject([
      {
        url: 'https://wire.example/a',
        title: 'The Fed holds',
        summary: 'Rates stay.',
        author: 'Jane Doe',
        published_at: Date.parse('2026-11-09T15:00:00Z'),
      },
    ]);
  });

  it.each(['html', 'HTML', 'text/html', 'application/xhtml+xml'])(
    'in Atom reads a text of type %s as HTML',
    (type) => {
      const content = `<content type="${type}">&lt;p&gt;If a &amp;lt; b&lt;/p&gt;</content>`;
      const entry = `<entry><title>A</title><link href="/a"/>${content}</entry>`;
      expect(parse(atom(entry)).articles).toMatchObject([{ summary: 'If a < b' }]);
    },
  );

  it('in Atom keeps plain text as it is and reads HTML as HTML', () => {
    const entry = `<entry><id>1</id><title>If a &lt; b &amp;amp; c</title><link href="https://wire.example/enclosure" rel="enclosure"/>
      <link href="https://wire.example/a"/><updated>2026-11-09T10:00:00Z</updated><published>2026-11-09T09:00:00Z</published>
      <author><name>A</name></author><author><name>B</name></author><summary type="html">&lt;p&gt;One&lt;/p&gt;two</summary></entry>`;
    expect(parse(atom(entry)).articles).toMatchObject([
      {
        url: 'https://wire.example/a',
        title: 'If a < b &amp; c',
        summary: 'One two',
        author: 'A, B',
        published_at: Date.parse('2026-11-09T09:00:00Z'),
      },
    ]);
  });

  it('resolves relative links against the base of the feed and its entries', () => {
    const entry = (href: string, base = '') =>
      `<entry${base}><id>${href}</id><title>A</title><link href="${href}"/></entry>`;
    const entries =
      entry('../b') + entry('b', ' xml:base="sub/"') + entry('/c') + entry('d', ' xml:base="http://["');
    const urls = (text: string) => parse(text).articles.map((each) => each.url);
    expect(urls(atom(entries).replace('<feed', '<feed xml:base="https://news.example/a/x/"'))).toEqual([
      'https://news.example/a/b',
      'https://news.example/a/x/sub/b',
      'https://news.example/c',
      'https://news.example/a/x/d',
    ]);
    expect(urls(atom(entry('../b')))).toEqual(['https://wire.example/b']);
    expect(urls(rss(item('/a', 'A')).replace('<rss', '<rss xml:base="https://news.example"'))).toEqual([
      'https://news.example/a',
    ]);
  });

  it('uses an id that is an address in place of a missing link, and no other id', () => {
    const ids = ['https://wire.example/a', 'tag:wire.example,2026:b', 'c'];
    for (const text of [
      json(ids.map((id) => ({ id, title: 'A' }))),
      rss(ids.map((id) => `<item><guid>${id}</guid><title>A</title></item>`).join('')),
      atom(ids.map((id) => `<entry><id>${id}</id><title>A</title></entry>`).join('')),
    ]) {
      const { articles, rejections } = parse(text);
      expect([articles.map(({ url }) => url), rejections.length]).toEqual([['https://wire.example/a'], 2]);
    }
  });

  it('in JSON Feed tells text from HTML by the field', () => {
    const items = [
      {
        id: '1',
        url: 'https://wire.example/a',
        title: '5 < 6',
        content_html: '<p>One<br>two</p>',
        date_published: '2026-11-09T09:00:00Z',
        authors: [{ name: 'C' }],
      },
      { id: '2', url: 'https://wire.example/b', title: 'B', content_text: 'a <b> c' },
    ];
    expect(parse(json(items)).articles).toMatchObject([
      { title: '5 < 6', summary: 'One two', author: 'C' },
      { title: 'B', summary: 'a <b> c' },
    ]);
  });

  it.each([
    ['an RSS author with an address', rss(item('/a', 'A', '<author>jane@wire.example (Jane Doe)</author>'))],
    ['an RSS author without', rss(item('/a', 'A', '<author>Jane Doe</author>'))],
    [
      'Dublin Core',
      rss(item('/a', 'A', '<author>desk@wire.example</author><dc:creator>Jane Doe</dc:creator>')),
    ],
    [
      'an Atom author',
      atom('<entry><title>A</title><link href="/a"/><author><name>Jane Doe</name></author></entry>'),
    ],
    ['JSON Feed', json([{ url: '/a', title: 'A', authors: [{ name: 'Jane Doe' }, { url: '/jane' }] }])],
    ['an Atom author in RSS', rss(item('/a', 'A', '<a:author><a:name>Jane Doe</a:name></a:author>'))],
    [
      'the author of an Atom feed',
      atom('<author><name>Jane Doe</name></author><entry><title>A</title><link href="/a"/></entry>'),
    ],
    [
      'the author of the feed that an Atom entry is from',
      atom(
        '<author><name>Desk</name></author><entry><title>A</title><link href="/a"/><source><author><name>Jane Doe</name></author></source></entry>',
      ),
    ],
    [
      'the author of a JSON Feed',
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        authors: [{ name: 'Jane Doe' }],
        items: [{ url: '/a', title: 'A' }],
      }),
    ],
  ])('gives the author of an article by name: %s', (_kind, text) => {
    expect(parse(text).articles[0]?.author).toBe('Jane Doe');
  });

  it('gives no author where there is only an address', () => {
    expect(parse(rss(item('/a', 'A', '<author>desk@wire.example</author>'))).articles[0]).not.toHaveProperty(
      'author',
    );
  });

  describe('gives the publication time of an article', () => {
    afterEach(() => vi.unstubAllEnvs());
    const published = (text: string) =>
      parse(rss(item('/a', 'A', `<pubDate>${text}</pubDate>`))).articles[0]?.published_at;

    it.each([
      ['Thu, 30 Jul 2026 16:15:00 BST', '2026-07-30T15:15:00Z'],
      ['Tue, 22 Sep 2026 18:52:36 CEST', '2026-09-22T16:52:36Z'],
      ['Fri, 24 Jul 2026 02:00 PM CET', '2026-07-24T13:00:00Z'],
      ['Mon, 9 Nov 2026 10:00:00 EST', '2026-11-09T15:00:00Z'],
      ['9 Nov 26 10:00 -0500', '2026-11-09T15:00:00Z'],
      ['Monday, November 9, 2026 - 10:00 EST', '2026-11-09T15:00:00Z'],
      // The last days of a month.
      ['Wed, 30 Sep 2026 23:30:00 EST', '2026-10-01T04:30:00Z'],
      ['29 Feb 2024 10:31:30 GMT', '2024-02-29T10:31:30Z'],
      ['31 Jul 2026 00:30:00 +0200', '2026-07-30T22:30:00Z'],
    ])('by its zone: %s', (text, at) => expect(published(text)).toBe(Date.parse(at)));

    it.each([
      ['Tue, 31 Jun 2026 10:00:00 GMT'],
      ['31 Jun 2026 10:00 -0500'],
      ['2026-06-31T10:00:00Z'],
      ['6/31/2026 8:05:00 AM'],
      ['Feb 29, 2026 08:05:00 EST'],
    ])('only if there is such a day: %s', (text) => expect(published(text)).toBeUndefined());

    it.each([
      ['Mon, 09 Nov 2026 10:00:00 -05', '15:00'],
      ['Mon, 09 Nov 2026 10:00:00 GMT+2', '08:00'],
      ['Mon, 09 Nov 2026 10:00:00 UTC+5:30', '04:30'],
      ['Mon Nov  9 10:00:00 EST 2026', '15:00'],
      ['Mon Nov  9 10:00:00 CET 2026', '09:00'],
      ['Mon Nov 09 10:00:00 -0500 2026', '15:00'],
      ['Mon Nov 09 10:00:00 GMT+2 2026', '08:00'],
      ['10:00 AM EST, November 9, 2026', '15:00'],
      ['November 9, 2026 10:00 am -5', '15:00'],
      ['November 9, 2026 10:00 am', '10:00'],
      ['Mon, 09 NOV 2026 10:00:00', '10:00'],
      ['10:00 9 NOV 2026', '10:00'],
      ['Mon, 01 Jan 0001 00:00:00 +0000', undefined],
      ['Issue 11', undefined],
      ['11', undefined],
    ])('in whatever order it is written: %s', (text, time) =>
      expect(published(text)).toBe(time && Date.parse(`2026-11-09T${time}:00Z`)),
    );

    it('by Atom’s elements where RSS has them for its own', () => {
      const words = '<a:updated>2026-11-09T08:00:00Z</a:updated>';
      expect(parse(rss(item('/a', 'A', words))).articles[0]?.published_at).toBe(
        Date.parse('2026-11-09T08:00:00Z'),
      );
    });

    it.each([
      ['Thu, 24 Sep 2026 17:15:00', '2026-09-24T17:15:00Z'],
      ['2026-04-29T14:00:00', '2026-04-29T14:00:00Z'],
      ['9/24/2026 8:05:00 AM', '2026-09-24T08:05:00Z'],
      ['Thu, 09/24/2026 - 08:05', '2026-09-24T08:05:00Z'],
      ['Wed, 08 Jul 2026', '2026-07-08T00:00:00Z'],
    ])('in UTC where it names none, whatever the machine’s zone is: %s', (text, at) => {
      vi.stubEnv('TZ', 'America/New_York');
      expect(published(text)).toBe(Date.parse(at));
    });
  });

  it('uses the beginning of its text as the title of an entry without one', () => {
    const text = 'Kalshi lists a contract. '.repeat(10).trim();
    for (const feed of [
      rss(`<item><link>/a</link><description>&lt;p&gt;${text}&lt;/p&gt;</description></item>`),
      json([{ url: '/a', content_html: `<p>${text}</p>` }]),
    ]) {
      const [article] = parse(feed).articles;
      expect([article?.summary, article?.title]).toEqual([text, `${text.slice(0, 119).trimEnd()}…`]);
    }
  });

  it('leaves out an entry without an http address or a title, and an invalid or future date', () => {
    const { articles, rejections } = parse(
      rss(
        item('javascript:alert(1)', 'A') +
          item('https://wire.example/b', ' ') +
          item('https://wire.example/c', 'C', '<pubDate>soon</pubDate>') +
          item('https://wire.example/d', 'D', '<pubDate>Tue, 10 Nov 2026 12:06:00 GMT</pubDate>'),
      ),
    );
    expect(rejections).toEqual([
      {
        position: 0,
        native_id: null,
        path: 'link',
        reason: 'link must be an http address, got "javascript:alert(1)"',
      },
      expect.objectContaining({ position: 1, native_id: 'https://wire.example/b', path: 'title' }),
    ]);
    expect(articles.map((each) => [each.title, each.published_at])).toEqual([
      ['C', undefined],
      ['D', undefined],
    ]);
  });

  it('is read though a title has a bare < that begins no tag', () => {
    const page = parse(
      rss(item('/a', 'Inflation < 3 % & falling') + item('/b', 'Fed <50 bps') + item('/c', 'Next')),
    );
    expect(page.articles.map(({ title }) => title)).toEqual([
      'Inflation < 3 % & falling',
      'Fed <50 bps',
      'Next',
    ]);
  });

  it('is refused when it is something else, or cut off', () => {
    const whole = rss(item('https://wire.example/a', 'A'));
    const cut = [whole.slice(0, -40), json([{ id: '1' }]).slice(0, -5)];
    for (const text of ['', '<html><body>no</body></html>', '{"items":[]}', ...cut])
      expect(() => parse(text), text).toThrow('answer is not an RSS, Atom or JSON feed');
  });

  it('is not blown up by nested entities', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">${Array.from(
      { length: 12 },
      (_, i) => `<!ENTITY a${i} "${`&a${i === 0 ? '' : i - 1};`.repeat(10)}">`,
    ).join('')}]>${rss(item('https://wire.example/a', '&a11;')).slice(21)}`;
    let length = 0;
    try {
      length = JSON.stringify(parse(bomb)).length;
    } catch {}
    expect(length).toBeLessThan(10_000);
  });
});

describe('the address of an article', () => {
  it.each([
    ['https://x.example/a/?utm_source=a&id=7&fbclid=z#top', 'https://x.example/a?id=7'],
    ['HTTPS://X.Example:443/a?b=2&a=1', 'https://x.example/a?a=1&b=2'],
    ['https://x.example/a?at_medium=RSS&at_campaign=rss&CMP=feed', 'https://x.example/a'],
    ['https://x.example/a?UTM_Source=a&At_Medium=b&FBCLID=c', 'https://x.example/a'],
    // What only contains the name of a parameter that tracks, or the value of one, may select the article.
    [
      'https://x.example/a?cat_id=5&cmpx=1&topic=google&xcmp=2',
      'https://x.example/a?cat_id=5&cmpx=1&topic=google&xcmp=2',
    ],
    ['https://x.example/a?ref=apple-2&src=pineapple', 'https://x.example/a?ref=apple-2&src=pineapple'],
    ['//x.example/a', 'https://x.example/a'],
    ['https://x.example/a?src=rss&ref=Twitter&partner=yahoo&Ref=x_feed', 'https://x.example/a'],
    ['https://x.example/a?src=6217&ref=SB-7&ref=rss', 'https://x.example/a?ref=SB-7&src=6217'],
    ['https://user:secret@x.example/a', undefined],
    ['ftp://x.example/a', undefined],
    ['mailto:a@x.example', undefined],
    [undefined, undefined],
  ])('%s is %s', (text, url) => {
    expect(articleUrl(text, 'https://base.example')).toBe(url);
  });

  it('gives an article one id with and without www. and TLS', () => {
    expect(articleId('http://www.x.example/a')).toBe(articleId('https://x.example/a'));
    expect(articleId('https://x.example/a')).not.toBe(articleId('https://x.example/b'));
  });
});

describe('news in the store', () => {
  withVenueAndStore();

  const serve = (name: string, body: string, type = 'application/rss+xml') =>
    site.on(`/${name}`, () => raw(body, 200, { 'content-type': type }));
  const newsSettings = (feeds = ['one', 'two']) => {
    const settings = configFor(site.origin);
    for (const venue of Object.values(settings.venues)) venue.enabled = false;
    settings.news.feeds = feeds.map((name) => ({ name, url: `${site.origin}/${name}` }));
    return settings;
  };
  const run = async (now = NOW, feeds?: string[]) => await runIngest(store, newsSettings(feeds), { now });
  const article = (url: string) => store.read((reader) => findArticle(reader, articleId(url)));

  it('a feed that was removed from the settings is reported for a day', async () => {
    serve('one', rss(item('https://x.example/a', 'A')));
    await run();
    const failed = () => store.read(listFeeds).filter((each) => each.condition === 'failed');
    await run(NOW + DAY_MS, ['one']);
    expect(failed()).toMatchObject([{ feed: 'news/two', tried_at: NOW }]);
    await run(NOW + DAY_MS + 1, ['one']);
    expect(failed()).toEqual([]);
    expect(store.read(listFeeds)).toMatchObject([{ feed: 'news/one', tried_at: NOW + DAY_MS + 1 }]);
  });

  it('an article in two feeds is one article, of the first feed', async () => {
    serve('one', rss(item('https://x.example/a?utm_source=one', 'A')));
    serve(
      'two',
      json([{ id: '1', url: 'https://www.x.example/a', title: 'A, as told by two' }]),
      'text/json',
    );
    const report = await run();
    expect(['one', 'two'].map((name) => feedOf(report, `news/${name}`).rows_changed)).toEqual([1, 0]);
    expect(article('https://x.example/a')).toMatchObject({ source: 'one', title: 'A', revision: 1 });
    serve('one', rss(item('https://x.example/a', 'A, corrected')));
    await run(NOW + 1000);
    expect(article('https://x.example/a')).toMatchObject({
      title: 'A, corrected',
      revision: 2,
      first_seen_at: NOW,
      last_seen_at: NOW + 1000,
    });
  });

  it('a feed is requested with its validators, and parsed again only when it changed', async () => {
    const asked: (string | undefined)[] = [];
    const twice = item('https://x.example/a', 'A').repeat(2);
    let [tag, body] = ['"1"', rss(twice)];
    const answer = (name: string, validator: 'etag' | 'last-modified', condition: string) =>
      site.on(
        `/${name}`,
        () =>
          new Raw((response, request) => {
            const given = request.headers[condition] as string | undefined;
            asked.push(given);
            const isSame = given === tag;
            response.writeHead(isSame ? 304 : 200, { 'content-type': 'text/xml', [validator]: tag });
            response.end(isSame ? undefined : body);
          }),
      );
    answer('one', 'etag', 'if-none-match');
    answer('two', 'last-modified', 'if-modified-since');
    await run();
    const report = await run(NOW + 1000);
    expect(asked).toEqual([undefined, undefined, tag, tag]);
    for (const name of ['one', 'two'])
      expect(feedOf(report, `news/${name}`)).toMatchObject({
        condition: 'good',
        requests: 1,
        bytes: 0,
        rows_read: 2,
        rows_changed: 0,
      });
    [tag, body] = ['"2"', rss(item('https://x.example/a', 'A') + item('https://x.example/b', 'B'))];
    expect(feedOf(await run(NOW + 2000), 'news/one').rows_changed).toBe(1);
    expect(article('https://x.example/b')).toBeDefined();
    // Under another address it is another feed, and one with an entry that cannot be read is read each time.
    answer('three', 'etag', 'if-none-match');
    body = rss(item('', 'C'));
    asked.length = 0;
    for (const at of [3000, 4000]) {
      const settings = newsSettings();
      settings.news.feeds = [{ name: 'one', url: `${site.origin}/three` }];
      await runIngest(store, settings, { now: NOW + at });
    }
    expect(asked).toEqual([undefined, undefined]);
  });

  it('a feed that its server calls HTML is read all the same', async () => {
    serve('one', `\ufeff\n${rss(item('https://x.example/c', 'C'))}`, 'text/html; charset=utf-8');
    serve('two', json([{ id: '1', url: 'https://x.example/d', title: 'D' }]), 'text/html');
    const report = await run();
    expect(['one', 'two'].map((name) => feedOf(report, `news/${name}`).condition)).toEqual(['good', 'good']);
    expect(['c', 'd'].map((name) => article(`https://x.example/${name}`)?.title)).toEqual(['C', 'D']);
  });

  it('a feed is read in the encoding that its server states', async () => {
    const body = Buffer.from(rss(item('https://x.example/e', 'Genève')), 'latin1');
    site.on('/one', () => raw(body, 200, { 'content-type': 'text/xml; charset="ISO-8859-1"' }));
    await run();
    expect(article('https://x.example/e')?.title).toBe('Genève');
  });

  it('a feed in trouble is reported and does not stop the other', async () => {
    serve('one', '<html>Sign in</html>', 'text/html');
    serve('two', rss(item('https://x.example/b', 'B') + item('', 'C')));
    const report = await run();
    expect(feedOf(report, 'news/one')).toMatchObject({
      condition: 'failed',
      message: expect.stringContaining('answered HTML instead of a feed'),
    });
    expect(feedOf(report, 'news/two')).toMatchObject({ condition: 'good', rows_read: 2, rows_left_out: 1 });
    expect(store.read(listFeeds).map((each) => [each.feed, each.condition])).toEqual([
      ['news/one', 'failed'],
      ['news/two', 'good'],
    ]);
  });
});
