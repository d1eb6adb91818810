import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/model/time.ts';
import { noteDocumentBytes } from '../../src/store/filings/document-bytes.ts';
import {
  type FilingDocumentRow,
  listDocuments,
  upsertText,
} from '../../src/store/filings/filing-documents.ts';
import { upsertFiling } from '../../src/store/filings/filings.ts';
import { FIRST_PUBLIC_DAY, filing } from '../helpers/filings-store.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp, type Row, rows } from '../helpers/small-app.ts';
import { NOW, put } from '../helpers/small-store.ts';

const app = ofEachTest(openSmallApp);
let key: string;
beforeEach(() => {
  key = app.small.keys.filingsOnly;
});

const ids = (body: Row): unknown[] => rows(body).map((row) => row.filing_id);
const anyone = async (query: string) => ids(await app.anyone(`/filings${query}`));
const member = async (query: string) => ids(await app.member(`/filings${query}`, key));

describe('the list of filings', () => {
  it('[4.5/1] shows everybody filings with a status date in the last 90 days, newest first, and counts them', async () => {
    const body = await app.anyone('/filings');
    expect(ids(body)).toEqual([103, 102, 101]);
    expect(body.meta).toEqual({ page: 1, per_page: 100, total: 3, total_pages: 1, has_next: false });
  });

  it('[4.5/5] shows all of them to a key with the scope', async () => {
    const body = await app.member('/filings', key);
    expect(ids(body)).toEqual([103, 102, 101, 100, 104]);
    expect(body.meta).toMatchObject({ total: 5 });
  });

  it('[2.7/1] has rows with feed, organization, status and its date, receipt, first and last sighting', async () => {
    expect(rows(await app.anyone('/filings'))[0]).toEqual({
      filing_id: 103,
      feed: 'dco_rules',
      org: 'KKL',
      title: 'Clearing of rainfall contracts',
      description: 'Clearing of rainfall contracts',
      products_affected: 'See filing.',
      received: '2026-04-10',
      status: 'Certified',
      status_date: '2026-04-14',
      first_seen: '2026-04-10',
      last_seen: '2026-04-14',
      source_url: 'https://registry.example/103',
    });
    // Days are those of the registry, in US Eastern time.
    const evening = Date.parse('2026-04-16T03:00:00Z');
    app.small.store.write((writer) =>
      upsertFiling(writer, filing(130, { document_count: 0 }), evening, false),
    );
    expect(await app.anyone('/filings/130')).toMatchObject({
      first_seen: '2026-04-15',
      last_seen: '2026-04-15',
      document_count: 0,
    });
  });

  it('[4.5/1][4.5/5] filters by feed, organization and status', async () => {
    expect(await anyone('?feed=dcm_products')).toEqual([102]);
    expect(await anyone('?org=kex')).toEqual([101]);
    expect(await member('?org=KEX&status=certified')).toEqual([101, 100]);
    expect(await anyone('?feed=dco')).toEqual([]);
    expect(await member('?feed=dco&status=Registered')).toEqual([104]);
    expect(await anyone('?org=nobody')).toEqual([]);
    expect(await anyone('?org=&status=')).toEqual([103, 102, 101]);
  });

  it('[4.5/5] sorts by each of its fields, both ways, and pages neither repeat nor skip rows', async () => {
    expect(await member('?sort=status_date&sort_dir=asc')).toEqual([104, 100, 101, 102, 103]);
    expect(await member('?sort=received')).toEqual([103, 100, 104, 102, 101]);
    expect(await member('?sort=received&sort_dir=asc')).toEqual([100, 103, 101, 102, 104]);
    expect(await member('?sort=first_seen&sort_dir=asc')).toEqual([100, 101, 102, 103, 104]);
    expect(await member('?sort=last_seen')).toEqual([104, 103, 102, 101, 100]);
    expect(await member('?sort=org')).toEqual([100, 101, 103, 102, 104]);
    expect(await member('?sort=org&sort_dir=desc')).toEqual([104, 102, 103, 101, 100]);
    const paged = [];
    for (let page = 1; page <= 3; page++) paged.push(...(await member(`?sort=org&per_page=2&page=${page}`)));
    expect(paged).toEqual([100, 101, 103, 102, 104]);
    expect(await anyone('?sort=first_seen&sort_dir=asc')).toEqual([101, 102, 103]);
    expect(await anyone('?sort_dir=asc')).toEqual([101, 102, 103]);
    // One that is new with an old number, and one that is on its list again.
    app.small.store.write((writer) => {
      upsertFiling(writer, filing(50, { org: 'a small one' }), NOW, false);
      upsertFiling(
        writer,
        filing(101, { description: 'Edge of the window', status_day: FIRST_PUBLIC_DAY }),
        NOW,
        false,
      );
    });
    expect(await member('?sort=first_seen')).toEqual([104, 50, 103, 102, 101, 100]);
    expect(await member('?sort=last_seen')).toEqual([104, 101, 50, 103, 102, 100]);
    expect((await member('?sort=org'))[0]).toBe(50);
  });

  it('[2.7/2] searches organization, description, product, type, affected products and number', async () => {
    expect(await member('?search=qcex')).toEqual([102]);
    expect(await member('?search=edge%20window')).toEqual([101]);
    expect(await member('?search=SEATTLE%20rain')).toEqual([102]);
    expect(await member('?search=swaps')).toEqual([102]);
    expect(await member('?search=see%20filing')).toEqual([103]);
    expect(await member('?search=104')).toEqual([104]);
    // The last word may be the beginning of one, from three letters on.
    expect(await member('?search=seattle%20rai')).toEqual([102]);
    expect(await member('?search=seattle%20ra')).toEqual([]);
    expect(await member(`?search=${encodeURIComponent('ＱＣＥＸ')}`)).toEqual([102]);
    expect(await anyone('?search=old')).toEqual([]);
    expect(await member('?search=old')).toEqual([100]);
  });

  it('[2.7/2] finds an abbreviation with or without its dots, as the search of markets does', async () => {
    app.small.store.write((writer) => {
      const put = (id: number, description: string) =>
        upsertFiling(writer, filing(id, { description, status_day: '2026-04-15' }), NOW, false);
      put(120, 'Contracts on U.S. inflation, No. 5 of L.A. v. D.C.');
      put(121, 'Contracts on US inflation in LA');
      put(122, 'Series U of the plan; schedule S');
    });
    const found = async (search: string) =>
      (await member(`?search=${encodeURIComponent(search)}`)).map(Number).sort((a, b) => a - b);
    for (const us of ['US', 'u.s.', 'U.S', 'us inflation', 'contracts U.S. inflation'])
      expect(await found(us), us).toEqual([120, 121]);
    expect(await found('L.A.')).toEqual([120, 121]);
    expect(await found('DC')).toEqual([120]);
    expect(await found('no 5')).toEqual([120]);
    expect(await found('L.A. v. D.C.')).toEqual([120]);
    expect(await found('U.S.A.')).toEqual([]);
  });

  it('[2.7/2] finds a word however its letters are written, as the search of markets does', async () => {
    const written = ['FED final', 'ＦＥＤ ｆｉｎａｌ', 'Féd ﬁnal', '𝐅𝐞𝐝 𝐟𝐢𝐧𝐚𝐥', 'Fe\u0301d fin\u00e4l'];
    app.small.store.write((writer) => {
      for (const [i, description] of written.entries())
        upsertFiling(writer, filing(120 + i, { description, status_day: '2026-04-15' }), NOW, false);
    });
    for (const [i, question] of written.entries())
      put(app.small.store, { market_id: `venue_a:KXFED-${i}`, question });
    const numbers = (found: unknown[]) => found.map((each) => Number(String(each).slice(-1))).sort();
    for (const sought of written) {
      const search = `?search=${encodeURIComponent(sought)}`;
      expect(numbers(await member(search)), sought).toEqual([0, 1, 2, 3, 4]);
      const markets = rows(await app.member(`/markets${search}`)).map((row) => row.market_id);
      expect(numbers(markets), sought).toEqual([0, 1, 2, 3, 4]);
    }
    // A filing whose text changes is found by the new one only.
    app.small.store.write((writer) =>
      upsertFiling(writer, filing(121, { description: 'Ｓｎｏｗ', status_day: '2026-04-15' }), NOW, false),
    );
    expect(await member('?search=fed')).toEqual([124, 123, 122, 120]);
    expect(await member('?search=snow')).toEqual([121]);
  });

  it('[4.5/5][2.3/1][2.3/2] does not count a search, and says whether there is another page', async () => {
    const page = async (number: number, more = '') =>
      await app.member(`/filings?search=rainfall&per_page=1&page=${number}${more}`, key);
    const first = await page(1);
    expect(first.meta).toEqual({ page: 1, per_page: 1, total: null, total_pages: null, has_next: true });
    const second = await page(2);
    expect(second.meta).toMatchObject({ total: null, has_next: false });
    expect([...ids(first), ...ids(second)].sort()).toEqual([102, 103]);
    expect(ids(await page(1, '&sort=status_date&sort_dir=asc'))).toEqual([102]);
    expect((await page(1, '&sort=org')).meta).toMatchObject({ total: null, has_next: true });
    expect((await app.anyone('/filings?search=rainfall')).meta).toMatchObject({ total: null });
  });

  it('[4.5/5] puts the closer match first by relevance', async () => {
    app.small.store.write((writer) => {
      const long = { description: `Rainfall among ${'many other words '.repeat(20)}` };
      upsertFiling(writer, filing(110, { ...long, status_day: '2026-04-15' }), NOW, false);
    });
    for (const direction of ['', '&sort_dir=desc'])
      expect((await member(`?search=rainfall${direction}`)).at(-1)).toBe(110);
    app.small.store.write((writer) =>
      upsertFiling(
        writer,
        filing(110, { description: 'Something else', status_day: '2001-01-01' }),
        NOW,
        false,
      ),
    );
    expect(await member('?search=rainfall')).toHaveLength(2);
  });

  it('[4.5/5] answers hostile searches, and finds nothing for words without letters', async () => {
    for (const search of [
      '"',
      'a" OR b',
      'NEAR(',
      '*',
      'org:KEX',
      "'; DROP",
      '\u0000',
      '(',
      '😀',
      'x'.repeat(200),
    ])
      expect((await app.get(`/api/v1/public/filings?search=${encodeURIComponent(search)}`)).status).toBe(200);
    expect(await anyone('?search=%22%22')).toEqual([]);
    expect(await anyone('?search=%20')).toEqual([103, 102, 101]);
  });

  it('[4.5/5][8/1] drops with last_seen_days what was on no list within so many days', async () => {
    expect(await member('?last_seen_days=1')).toEqual([102, 101, 100]);
    // It was on its list exactly 20 days ago.
    expect(await member('?last_seen_days=19')).toEqual([102, 101, 100]);
    expect(await member('?last_seen_days=20')).toEqual([101, 100]);
    expect(await member('?last_seen_days=30')).toEqual([101, 100]);
    expect(await member('?last_seen_days=95')).toEqual([]);
    expect(await anyone('?last_seen_days=30')).toEqual([101]);
    for (const days of ['0', '-1', '1.5', 'x', ''])
      expect((await app.get(`/api/v1/public/filings?last_seen_days=${days}`)).status, days).toBe(400);
  });

  it('[8/1] refuses what is not allowed and names it', async () => {
    for (const [param, value] of [
      ['feed', 'cftc'],
      ['sort', 'title'],
      ['sort_dir', 'up'],
      ['per_page', '501'],
      ['page', '0'],
    ]) {
      const { status, body } = await app.get(`/api/v1/public/filings?${param}=${value}`);
      expect(status, param).toBe(400);
      expect(body).toMatchObject({ error: 'invalid_parameter', details: [{ param }] });
    }
  });
});

describe('one filing', () => {
  it('[4.5/3] has its attachments; a public one is of the last 90 days', async () => {
    expect(await app.anyone('/filings/103')).toMatchObject({
      filing_id: 103,
      documents: [
        { title: 'Rule [terms]', url: 'https://registry.example/terms.pdf' },
        { title: 'Rule [letter]', url: 'https://registry.example/letter.pdf' },
      ],
    });
    expect(await app.member('/filings/100', key)).toMatchObject({ documents: [] });
    for (const id of ['100', '104', '999', 'x', '0', '0103', '1e2', '103.0'])
      expect((await app.get(`/api/v1/public/filings/${id}`)).status, id).toBe(404);
  });

  it('[4.5/3] leaves the public tier when its 90 days are over', async () => {
    expect((await app.get('/api/v1/public/filings/101')).status).toBe(200);
    // The window is in US Eastern days: midnight there is 04:00 UTC.
    app.clock.now = Date.parse('2026-04-16T03:59:59Z');
    expect((await app.get('/api/v1/public/filings/101')).status).toBe(200);
    app.clock.now = Date.parse('2026-04-16T04:00:00Z');
    expect((await app.get('/api/v1/public/filings/101')).status).toBe(404);
    expect(await anyone('')).toEqual([103, 102]);
    app.clock.now = NOW;
  });

  it('[4.5/4] has a text with a section per attachment, and the reason where there is none', async () => {
    expect(await app.anyone('/filings/103/markdown')).toEqual({
      filing_id: 103,
      markdown:
        '## Rule \\[terms\\]\n\n<https://registry.example/terms.pdf>\n\nThe clearing house clears\n\\--\nat &lt; 5 % [as told]\\(above).\n\n' +
        '## Rule \\[letter\\]\n\n<https://registry.example/letter.pdf>\n\n*No text: the attachment was not read yet.*\n',
    });
    app.small.store.write((writer) => {
      const letter = listDocuments(writer, 103)[1] as FilingDocumentRow;
      const digest = Buffer.from('letter');
      noteDocumentBytes(writer, letter.url, digest, NOW);
      upsertText(writer, digest, 'test', { problem: 'its pages hold no text' });
    });
    const { markdown } = await app.anyone('/filings/103/markdown');
    expect(markdown).toContain('/letter.pdf>\n\n*No text: its pages hold no text.*\n');
    expect(await app.anyone('/filings/102/markdown')).toEqual({ filing_id: 102, markdown: '' });
    expect((await app.get('/api/v1/public/filings/100/markdown')).status).toBe(404);
    expect((await app.get('/api/v1/filings/100/markdown', bearer(key))).status).toBe(200);
  });

  it('[2.7.1/1] keeps an attachment that was replaced under its address, behind those of now', async () => {
    const replaced = Buffer.from('c0ffee', 'hex');
    app.small.store.write((writer) => {
      noteDocumentBytes(writer, 'https://registry.example/terms.pdf', replaced, NOW);
      upsertText(writer, replaced, 'test', { markdown: 'It clears later.', pages: 1 });
    });
    const { documents } = await app.anyone('/filings/103');
    const [title, url] = ['Rule [terms]', 'https://registry.example/terms.pdf'];
    const sha256 = hash('sha256', 'terms');
    expect(documents).toEqual([
      { title, url, sha256: 'c0ffee' },
      { title: 'Rule [letter]', url: 'https://registry.example/letter.pdf' },
      { title, url, sha256, replaced: '2026-04-15' },
    ]);
    const { markdown } = await app.anyone('/filings/103/markdown');
    expect(String(markdown).match(/^## .*$/gm)).toEqual([
      '## Rule \\[terms\\]',
      '## Rule \\[letter\\]',
      '## Rule \\[terms\\] (replaced 2026-04-15)',
    ]);
    expect(markdown).toMatch(/It clears later.*The clearing house clears/s);
    expect(rows(await app.member('/filings/103/actions', key)).at(-1)).toMatchObject({
      kind: 'documents_added',
      documents: [{ title, url, sha256: 'c0ffee' }],
    });
  });

  it('[4.5/2] has as filters the values within the window', async () => {
    expect(await app.anyone('/filings/filters')).toEqual({
      feed: ['dcm_products', 'dco_rules', 'ptc_dcm_rules'],
      org: ['KEX', 'KKL', 'QCEX'],
      status: ['Certified'],
    });
    expect((await app.get('/api/v1/filings/filters', bearer(key))).status).toBe(404);
  });

  it('[4.5/6] has a history dated by the registry, or by when it was seen if the registry gives no day', async () => {
    const [received] = rows(await app.member('/filings/100/actions', key));
    expect(received).toMatchObject({ date: '2026-01-02', observed_at: '2026-01-10T12:00:00Z' });
    const [undated] = rows(await app.member('/filings/101/actions', key));
    expect(undated).toMatchObject({ date: '2026-01-15', observed_at: '2026-01-15T12:00:00Z' });
  });

  it('[4.5/6] has a history of the receipt, each change of status and each later attachment', async () => {
    expect(rows(await app.member('/filings/103/actions', key))).toEqual([
      {
        seq: 4,
        kind: 'received',
        date: '2026-04-10',
        observed_at: '2026-04-10T12:00:00Z',
        status: '10 Day Review',
      },
      {
        seq: 6,
        kind: 'status_changed',
        date: '2026-04-14',
        observed_at: '2026-04-14T12:00:00Z',
        status: 'Certified',
        previous_status: '10 Day Review',
      },
      {
        seq: 7,
        kind: 'documents_added',
        date: '2026-04-15',
        observed_at: '2026-04-15T12:00:00Z',
        status: 'Certified',
        documents: [{ title: 'Rule [letter]', url: 'https://registry.example/letter.pdf' }],
      },
    ]);
    expect((await app.get('/api/v1/filings/999/actions', bearer(key))).status).toBe(404);
    expect((await app.get('/api/v1/public/filings/103/actions')).status).toBe(404);
  });
});

describe('the change feed', () => {
  const changes = async (query = '') => await app.member(`/filings/events${query}`, key);
  const seqs = (body: Row) => rows(body).map((row) => row.seq);

  it('[2.7.1/1][4.5/7] has every change, oldest first, each with its filing', async () => {
    const body = await changes('?per_page=7');
    expect(rows(body).map((row) => [row.seq, row.kind, (row.filing as Row).filing_id])).toEqual([
      [1, 'received', 100],
      [2, 'received', 101],
      [3, 'received', 102],
      [4, 'received', 103],
      [5, 'received', 104],
      [6, 'status_changed', 103],
      [7, 'documents_added', 103],
    ]);
    expect(body.meta).toEqual({ per_page: 7, has_next: false, last_seq: 7 });
    expect(rows(body).map((row) => row.backfill)).toEqual([true, true, true, ...Array(4).fill(undefined)]);
    const listed = rows(await app.member('/filings', key)).find((row) => row.filing_id === 103);
    expect(rows(body)[5]?.filing).toEqual(listed);
  });

  it('[4.5/7] gives each row once when polled with the highest sequence of the previous page', async () => {
    const met: unknown[] = [];
    for (let since = 0, more = true; more; ) {
      const body = await changes(`?since_seq=${since}&per_page=2`);
      met.push(...seqs(body));
      const meta = body.meta as Row;
      since = meta.last_seq as number;
      more = meta.has_next as boolean;
    }
    expect(met.slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(new Set(met).size).toBe(met.length);
    expect(await changes('?since_seq=7')).toEqual({
      data: [],
      meta: { per_page: 100, has_next: false, last_seq: 7 },
    });
  });

  it('tells who has read further than the newest change, as after a restore, where to continue', async () => {
    expect(await changes('?since_seq=99999')).toEqual({
      data: [],
      meta: { per_page: 100, has_next: false, last_seq: 7 },
    });
  });

  it('[4.5/7] gives a first empty poll by since the sequence to continue from, without earlier changes', async () => {
    const later = new Date(NOW + DAY_MS).toISOString();
    for (const query of [`?since=${later}`, `?since=${later}&kind=received&feed=dco`]) {
      const { data, meta } = await changes(query);
      expect(data).toEqual([]);
      expect(meta).toMatchObject({ has_next: false, last_seq: 7 });
    }
  });

  it('[4.5/7] filters by kind, feed and the instant of observation', async () => {
    expect(seqs(await changes('?kind=status_changed&feed=dco_rules'))).toEqual([6]);
    expect(seqs(await changes('?feed=dcm_products'))).toEqual([3]);
    const since = new Date(NOW - DAY_MS).toISOString();
    expect(seqs(await changes(`?since=${since}&feed=dco_rules`))).toEqual([6, 7]);
    expect(seqs(await changes(`?since=${since}&since_seq=6&feed=dco_rules`))).toEqual([7]);
    for (const query of ['since_seq=-1', 'since_seq=1.5', 'kind=deleted', 'feed=x', 'since=soon'])
      expect((await app.get(`/api/v1/filings/events?${query}`, bearer(key))).status, query).toBe(400);
  });
});

describe('access to filings', () => {
  const PATHS = [
    '/filings',
    '/filings/events',
    '/filings/103',
    '/filings/103/markdown',
    '/filings/103/actions',
  ];

  it.each(PATHS)('[5/3] %s needs a key with org:filings:read', async (path) => {
    expect((await app.get(`/api/v1${path}`)).status).toBe(401);
    const refused = await app.get(`/api/v1${path}`, bearer(app.small.keys.acme));
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ error: 'insufficient_scope' });
    expect((await app.get(`/api/v1${path}`, bearer(key))).status).toBe(200);
  });

  it('[5/3] the change feed is not public', async () => {
    expect((await app.get('/api/v1/public/filings/events')).status).toBe(404);
  });
});
