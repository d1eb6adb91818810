import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { writePdf } from '../../scripts/world/filings/pdf.ts';
import type { Config } from '../../src/model/config.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { listRejects } from '../../src/store/feeds.ts';
import { listFilingChanges } from '../../src/store/filings/filing-changes.ts';
import { listTexts } from '../../src/store/filings/filing-documents.ts';
import { findFiling } from '../../src/store/filings/filings.ts';
import { fetchedBody } from '../helpers/fetched-body.ts';
import { readAttachmentsHere } from '../helpers/read-attachments-here.ts';
import { type ListRow, listPage, pathOf, recordPage, rule } from './cftc-pages.ts';
import { Raw, raw } from './fixture-venue.ts';
import { configFor, feedOf, NOW, runIngest } from './run-ingest.ts';
import { venue as site, store, withVenueAndStore } from './venue-and-store.ts';

const HTML = { 'content-type': 'text/html; charset=UTF-8' };
const ROWS_A_PAGE = 3;
const LIST = pathOf('PTCDCMRules');
const NO_FILINGS = '<html><body><p>No filings were found.</p></body></html>';

describe('filings of a registry', () => {
  readAttachmentsHere();
  let settings: Config;
  let rows: ListRow[];
  let records: Record<number, [string, string][]>;

  withVenueAndStore(() => {
    settings = configFor(site.origin);
    for (const venue of Object.values(settings.venues)) venue.enabled = false;
    settings.registries.cftc = { ...settings.registries.cftc, enabled: true, feeds: ['ptc_dcm_rules'] };
    rows = Array.from({ length: 8 }, (_, i) => rule(108 - i));
    records = {};
    site.on(LIST, (query) => pageOfList(Number(query.get('page'))));
    for (let id = 101; id < 120; id++)
      site.on(pathOf('PTCDCMRules', id), () => raw(recordPage(id, records[id] ?? []), 200, HTML));
  });

  const pageOfList = (page: number, size = ROWS_A_PAGE) => {
    const pager = Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => i);
    const shown = rows.slice(page * size, (page + 1) * size);
    const others = pager.filter((i) => i !== page);
    return raw(listPage('PTCDCMRules', shown, { pager: others }), 200, HTML);
  };
  const run = (hours = 0) => runIngest(store, settings, { now: NOW + hours * HOUR_MS });
  const changes = () => store.read((reader) => listFilingChanges(reader, {}, 1000));
  const filing = (id: number) => store.read((reader) => findFiling(reader, id));
  const listsAsked = () =>
    site.requests.filter((each) => each.path === LIST).map((each) => each.query.get('page'));
  const change = (id: number, more: Record<string, string>) => {
    rows = rows.map((row) => (row.id === id ? { ...row, ...more } : row));
  };

  it('that are slow to parse are limited, since others are not read meanwhile', async () => {
    settings.ingest.parse_timeout_seconds = 1;
    for (const { id } of rows)
      site.on(pathOf('PTCDCMRules', Number(id)), () => {
        const page = recordPage(Number(id), []);
        return raw(page.replace('</body>', `${'<table>'.repeat(20_000)}</body>`), 200, HTML);
      });
    expect(feedOf(await run(), 'cftc/records')).toMatchObject({
      condition: 'failed',
      message: 'answer could not be read in 1 s',
      requests: 2,
    });
  });

  it('[2.7.1/1] a first reading walks to the end and marks existing filings as backfill, oldest first', async () => {
    const report = await run();
    expect(feedOf(report, 'cftc/ptc_dcm_rules')).toMatchObject({
      condition: 'good',
      requests: 3,
      rows_read: 8,
      rows_changed: 8,
    });
    expect(changes().map((each) => [each.seq, each.kind, each.filing_id, each.backfill, each.day])).toEqual(
      [106, 107, 108, 103, 104, 105, 101, 102].map((id, i) => [i + 1, 'received', id, true, '2026-10-01']),
    );
    expect(filing(108)).toMatchObject({ first_seen_at: NOW, last_seen_at: NOW, revision: 1 });
  });

  it('a reading tells its progress in pages of the whole list', async () => {
    const told: (number | string | undefined)[][] = [];
    await runIngest(store, settings, { progress: (...each) => told.push(each) });
    expect(told.filter(([feed]) => feed === 'cftc/ptc_dcm_rules')).toEqual([
      ['cftc/ptc_dcm_rules', 1, 3],
      ['cftc/ptc_dcm_rules', 2, 3],
      ['cftc/ptc_dcm_rules', 3, 3],
    ]);
  });

  it.each([
    ['the last once more', (last: ListRow[]) => listPage('PTCDCMRules', last)],
    ['one without rows', () => listPage('PTCDCMRules', [])],
    ['one without a table', () => NO_FILINGS],
  ])('a list without a pager is read until a page has nothing new: past its end, %s', async (_, pastEnd) => {
    site.on(LIST, (query) => {
      const page = Number(query.get('page'));
      const shown = rows.slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE);
      const body = shown.length > 0 ? listPage('PTCDCMRules', shown) : pastEnd(rows.slice(-2));
      return raw(body, 200, HTML);
    });
    expect(feedOf(await run(), 'cftc/ptc_dcm_rules')).toMatchObject({ condition: 'good', rows_changed: 8 });
    expect(listsAsked()).toEqual(['0', '1', '2', '3']);
    site.requests.length = 0;
    await run(1);
    expect(listsAsked()).toEqual(['0', '1']);
  });

  it('[2.7.1/1] afterwards new filings are received, and only pages with something new are read', async () => {
    await run();
    site.requests.length = 0;
    rows = [rule(109), ...rows];
    const report = await run(1);
    expect(listsAsked()).toEqual(['0', '1', '2']);
    expect(feedOf(report, 'cftc/ptc_dcm_rules').rows_changed).toBe(1);
    expect(changes().slice(8)).toMatchObject([
      { seq: 9, kind: 'received', filing_id: 109, backfill: false, observed_at: NOW + HOUR_MS },
    ]);
    site.requests.length = 0;
    await run(2);
    expect(listsAsked()).toEqual(['0', '1']);
    expect(changes()).toHaveLength(9);
    // A page with something new begins the count of quiet ones again.
    site.requests.length = 0;
    change(105, { Remarks: 'Corrected' });
    rows = [...rows, rule(110)];
    await run(3);
    expect(listsAsked()).toEqual(['0', '1', '2', '3']);
    expect(changes().slice(9)).toMatchObject([{ filing_id: 110, backfill: false }]);
  });

  it('[2.7.1/1] every change of a status or its day is reported, even a change back', async () => {
    await run();
    change(107, { Status: 'Certified', Date: '11/09/2026' });
    await run(1);
    change(107, { Status: '10 Day Review', Date: '11/01/2026' });
    await run(2);
    change(107, { Remarks: 'Corrected' });
    await run(3);
    change(107, { Date: '11/02/2026' });
    await run(4);
    expect(changes().slice(8)).toMatchObject([
      { kind: 'status_changed', status_before: '10 Day Review', status: 'Certified', day: '2026-11-09' },
      { kind: 'status_changed', status_before: 'Certified', status: '10 Day Review', day: '2026-11-01' },
      { kind: 'status_changed', status_before: '10 Day Review', status: '10 Day Review', day: '2026-11-02' },
    ]);
    expect(filing(107)).toMatchObject({ revision: 5, remarks: 'Corrected', first_seen_at: NOW });
  });

  it.each([
    ['on one page', 1],
    ['on two pages', 4],
  ])('[2.7.1/1] a filing that is listed twice, %s, takes its newer row', async (_, apart) => {
    rows = [rule(108, { Status: 'Certified', Date: '11/09/2026' }), ...rows.slice(1)];
    rows.splice(apart, 0, rule(108));
    for (const hours of [0, 1, 25, 50]) await run(hours);
    expect(changes().filter((each) => each.filing_id === 108)).toMatchObject([{ kind: 'received' }]);
    expect(filing(108)).toMatchObject({ status: 'Certified', revision: 1, last_seen_at: NOW + 50 * HOUR_MS });
  });

  describe('a filing that stands in two lists', () => {
    const OTHER = pathOf('ClearingOrganizationRules');
    let others: ListRow[];

    beforeEach(() => {
      settings.registries.cftc.feeds = ['ptc_dcm_rules', 'dco_rules'];
      others = [rule(108, { Status: 'Certified', Date: '11/09/2026' })];
      site.on(OTHER, () => raw(listPage('ClearingOrganizationRules', [...others, rule(90)]), 200, HTML));
    });

    it('[2.7.1/1] stays with the first, instead of changing its status whenever a list is read', async () => {
      const report = await run();
      for (const hours of [1, 2, 25]) await run(hours);
      expect(changes().filter((each) => each.filing_id === 108)).toMatchObject([{ kind: 'received' }]);
      expect(filing(108)).toMatchObject({ feed: 'ptc_dcm_rules', status: '10 Day Review', revision: 1 });
      expect(feedOf(report, 'cftc/dco_rules')).toMatchObject({
        condition: 'good',
        rows_left_out: 1,
        first_reasons: ['108: it is also in the list ptc_dcm_rules, where it is read'],
      });
    });

    it('[2.7.1/1] moves to the other once it has left the first, or once the first is not read', async () => {
      await run();
      rows = rows.slice(1);
      await run(24);
      expect(filing(108)).toMatchObject({ feed: 'dco_rules', status: 'Certified', revision: 2 });
      rows = [rule(108), ...rows];
      await run(26);
      expect(filing(108)).toMatchObject({ feed: 'dco_rules', revision: 2 });
      settings.registries.cftc.feeds = ['ptc_dcm_rules'];
      await run(27);
      expect(filing(108)).toMatchObject({ feed: 'ptc_dcm_rules', status: '10 Day Review', revision: 3 });
    });
  });

  it('[2.7/1] a filing that leaves the list stays, with when it was last seen', async () => {
    await run();
    rows = rows.filter((row) => row.id !== 104);
    await run(24);
    expect(filing(104)?.last_seen_at).toBe(NOW);
    expect(filing(101)?.last_seen_at).toBe(NOW + 24 * HOUR_MS);
    expect(changes()).toHaveLength(8);
    rows.push(rule(104));
    await run(50);
    expect(filing(104)?.last_seen_at).toBe(NOW + 50 * HOUR_MS);
    expect(changes()).toHaveLength(8);
  });

  it('a walk that was cut off resumes where it stood, and keeps the earlier pages', async () => {
    let refused = 0;
    site.on(LIST, (query) => {
      const page = Number(query.get('page'));
      return page === 2 && refused++ < 3 ? raw('', 503) : pageOfList(page);
    });
    expect(feedOf(await run(), 'cftc/ptc_dcm_rules')).toMatchObject({
      condition: 'partial',
      message: expect.stringContaining('answered 503 (3 tries)'),
    });
    expect(filing(102)).toBeUndefined();
    site.requests.length = 0;
    expect(feedOf(await run(1), 'cftc/ptc_dcm_rules').condition).toBe('good');
    expect(listsAsked()).toEqual(['0', '1', '1', '2']);
    expect(changes().map((each) => [each.filing_id, each.backfill])).toContainEqual([102, true]);
    site.requests.length = 0;
    await run(2);
    expect(listsAsked()).toEqual(['0', '1']);
  });

  it('a walk that was cut off starts over where the list has fewer pages since, so that its place is gone', async () => {
    const serve = (rowsAPage: number) => (query: URLSearchParams) => {
      const page = Number(query.get('page'));
      if (rowsAPage === 1 && page === 4) return raw('', 503);
      const isThere = page * rowsAPage < rows.length;
      return isThere ? pageOfList(page, rowsAPage) : raw(NO_FILINGS, 200, HTML);
    };
    site.on(LIST, serve(1));
    expect(feedOf(await run(), 'cftc/ptc_dcm_rules').condition).toBe('partial');
    site.on(LIST, serve(4));
    await run(1);
    site.requests.length = 0;
    expect(feedOf(await run(2), 'cftc/ptc_dcm_rules').condition).toBe('good');
    expect(listsAsked()).toEqual(['0', '1']);
    expect(rows.every(({ id }) => filing(Number(id)))).toBe(true);
    site.requests.length = 0;
    rows = [rule(110), ...rows];
    await run(3);
    expect(changes().at(-1)).toMatchObject({ filing_id: 110, backfill: false });
  });

  it('an empty list says so, is no first reading, and removes nothing', async () => {
    const listed = rows;
    rows = [];
    await run();
    rows = listed;
    await run(1);
    expect(changes().map((each) => each.backfill)).toEqual(Array(8).fill(true));
    rows = [];
    expect(feedOf(await run(25), 'cftc/ptc_dcm_rules')).toMatchObject({
      condition: 'partial',
      message: 'the registry listed no filing',
    });
    expect(filing(101)).toBeDefined();
  });

  it('a repeated page ends the walk and is reported; the list does not count as complete', async () => {
    const first = rows.slice(0, 3);
    site.on(LIST, () => raw(listPage('PTCDCMRules', first, { pager: [1, 2] }), 200, HTML));
    expect(feedOf(await run(), 'cftc/ptc_dcm_rules')).toMatchObject({
      condition: 'partial',
      message: 'page 2 repeats page 1; the rest of the list was not read',
    });
    rows = [rule(110), ...rows];
    site.on(LIST, () => raw(listPage('PTCDCMRules', rows), 200, HTML));
    await run(1);
    expect(changes().at(-1)).toMatchObject({ filing_id: 110, backfill: true });
  });

  it('a bad row is reported and left out, a changed table ends the feed, and the raw page is kept', async () => {
    rows = [rule(108), rule(107, { Date: 'soon' })];
    expect(feedOf(await run(), 'cftc/ptc_dcm_rules')).toMatchObject({
      condition: 'good',
      rows_read: 2,
      rows_left_out: 1,
      first_reasons: ['107: status_day must be a day such as 10/02/2026, got "soon"'],
    });
    expect(store.read((reader) => listRejects(reader, 1, 5))).toMatchObject([{ native_id: '107' }]);
    expect(String(store.read((reader) => fetchedBody(reader, 1)))).toContain('Amendment 108');
    site.on(LIST, () => raw('<html><body>We have moved</body></html>', 200, HTML));
    expect(feedOf(await run(1), 'cftc/ptc_dcm_rules')).toMatchObject({
      condition: 'failed',
      message: 'the page has no table of filings',
    });
  });

  describe('attachments', () => {
    const file = (name: string, bytes: Buffer) =>
      site.on(`/cftc/filings/ptc/${name}`, () => raw(bytes, 200, { 'content-type': 'application/pdf' }));
    const texts = (id: number) => store.read((reader) => listTexts(reader, id));

    beforeEach(() => {
      rows = [rule(108)];
      records[108] = [['/cftc/filings/ptc/a.pdf', 'Submission']];
      file('a.pdf', writePdf(['The exchange certifies <this> rule.']));
      file('b.pdf', writePdf(['A letter.']));
    });

    it('[2.7/1] are fetched once and read as Markdown; those at receipt are no change', async () => {
      await run();
      await run(1);
      expect(texts(108)).toMatchObject([
        {
          title: 'Submission',
          pages: 1,
          markdown: 'The exchange certifies &lt;this&gt; rule.',
          problem: null,
        },
      ]);
      expect(site.requests.filter((each) => each.path.endsWith('.pdf'))).toHaveLength(1);
      expect(changes().map((each) => each.kind)).toEqual(['received']);
    });

    it('[2.7.1/1] that come later are reported, even though the list does not show them', async () => {
      await run();
      records[108]?.push(['/cftc/filings/ptc/b.pdf', 'Letter']);
      await run(1);
      expect(texts(108)).toHaveLength(1);
      await run(25);
      expect(texts(108).map((each) => each.markdown)).toEqual([
        'The exchange certifies &lt;this&gt; rule.',
        'A letter.',
      ]);
      expect(changes().slice(1)).toMatchObject([
        {
          kind: 'documents_added',
          documents: [{ title: 'Letter', url: 'https://registry.example/filings/ptc/b.pdf' }],
          status: '10 Day Review',
        },
      ]);
    });

    it('[2.7.1/1] that are replaced under the same address are reported when their filing changes, and stay', async () => {
      await run();
      file('a.pdf', writePdf(['Another text.']));
      change(108, { Status: 'Certified', Date: '11/09/2026' });
      await run(1);
      expect(texts(108).map((each) => [each.markdown, each.replaced_at])).toEqual([
        ['Another text.', null],
        ['The exchange certifies &lt;this&gt; rule.', NOW + HOUR_MS],
      ]);
      expect(changes().map((each) => each.kind)).toEqual(['received', 'status_changed', 'documents_added']);
      expect(changes()[2]?.documents).toEqual([
        {
          title: 'Submission',
          url: 'https://registry.example/filings/ptc/a.pdf',
          sha256: hash('sha256', writePdf(['Another text.'])),
        },
      ]);
    });

    describe('that are replaced while their filing stays as it is', () => {
      const WEEK = 7 * 24;
      /** How often a file was asked for, and how often its bytes were sent. */
      let asked = 0;
      let sent = 0;
      const serve = (text: string, validator?: 'etag' | 'last-modified') => {
        const given = validator && { [validator]: `"${text}"` };
        site.on('/cftc/filings/ptc/a.pdf', () => {
          asked++;
          return new Raw((response, { headers }) => {
            const known = headers['if-none-match'] ?? headers['if-modified-since'];
            const isKnown = given !== undefined && known === `"${text}"`;
            if (!isKnown) sent++;
            response.writeHead(isKnown ? 304 : 200, { 'content-type': 'application/pdf', ...given });
            response.end(isKnown ? undefined : writePdf([text]));
          });
        });
      };
      beforeEach(() => {
        asked = 0;
        sent = 0;
        // Seen at once in the page of a young filing, which is read each day.
        change(108, { Date: '11/10/2026' });
      });

      it.each(['etag', 'last-modified', undefined] as const)(
        '[2.7.1/1] are found a week later, with the validator %s',
        async (validator) => {
          serve('First.', validator);
          await run();
          await run(WEEK - 1);
          expect([asked, sent]).toEqual([1, 1]);
          const report = feedOf(await run(WEEK), 'cftc/attachments');
          expect(report).toMatchObject({ condition: 'good', requests: 1, rows_read: 1, rows_changed: 0 });
          expect([asked, sent]).toEqual([2, validator ? 1 : 2]);
          serve('Second.', validator);
          await run(2 * WEEK - 1);
          expect(changes().map((each) => each.kind)).toEqual(['received']);
          await run(2 * WEEK);
          expect(texts(108).map((each) => [each.markdown, each.replaced_at !== null])).toEqual([
            ['Second.', false],
            ['First.', true],
          ]);
          expect(changes().map((each) => each.kind)).toEqual(['received', 'documents_added']);
          // What was there before is the attachment of then.
          serve('First.', validator);
          await run(3 * WEEK);
          expect(texts(108).map((each) => [each.markdown, each.replaced_at !== null])).toEqual([
            ['First.', false],
            ['Second.', true],
          ]);
          expect(changes()).toHaveLength(3);
        },
      );

      it('are looked for in a limited number per run, those asked for longest ago first', async () => {
        records[108] = [0, 1, 2].map((i) => [`/cftc/filings/ptc/${i}.pdf`, String(i)]);
        for (const i of [0, 1, 2]) file(`${i}.pdf`, writePdf([String(i)]));
        settings.registries.cftc.attachment_checks_a_run = 2;
        const paths = async (hours: number) => {
          site.requests.length = 0;
          await run(hours);
          return site.requests.flatMap(({ path }) => /(\d)\.pdf$/.exec(path)?.[1] ?? []);
        };
        expect([await paths(0), await paths(WEEK), await paths(WEEK + 1), await paths(WEEK + 2)]).toEqual([
          ['0', '1', '2'],
          ['0', '1'],
          ['2'],
          [],
        ]);
        expect(await paths(2 * WEEK)).toEqual(['0', '1']);
        settings.registries.cftc.attachment_checks_a_run = 0;
        expect(await paths(4 * WEEK)).toEqual([]);
      });

      it('are not looked for where an old filing, or its page no longer, names them', async () => {
        records[108]?.push(['/cftc/filings/ptc/b.pdf', 'Letter']);
        await run();
        records[108]?.pop();
        site.requests.length = 0;
        await run(WEEK);
        expect(site.requests.map(({ path }) => path).filter((path) => path.endsWith('.pdf'))).toEqual([
          '/cftc/filings/ptc/a.pdf',
        ]);
        settings.registries.cftc.attachment_days = 10;
        site.requests.length = 0;
        await run(2 * WEEK);
        expect(site.requests.filter(({ path }) => path.endsWith('.pdf'))).toEqual([]);
      });

      it.each([404, 503])(
        'and are gone, or fail, with %d, are reported once a week and stay',
        async (status) => {
          await run();
          site.on('/cftc/filings/ptc/a.pdf', () => raw('no', status));
          const said = async (hours: number) => feedOf(await run(hours), 'cftc/attachments').condition;
          expect([await said(WEEK), await said(WEEK + 1), await said(2 * WEEK)]).toEqual([
            'failed',
            'good',
            'failed',
          ]);
          expect(texts(108)).toMatchObject([{ problem: null, replaced_at: null }]);
          expect(changes()).toHaveLength(1);
        },
      );
    });

    it('[2.7.1/1] that two filings name are fetched once, and replaced for both', async () => {
      rows = [rule(108), rule(107)];
      records[107] = [['/cftc/filings/ptc/a.pdf', 'The same']];
      await run();
      const asked = () => site.requests.filter((each) => each.path.endsWith('a.pdf')).length;
      expect(asked()).toBe(1);
      file('a.pdf', writePdf(['Another text.']));
      change(108, { Status: 'Certified', Date: '11/09/2026' });
      await run(1);
      expect(asked()).toBe(2);
      expect([108, 107].map((id) => texts(id)[0]?.markdown)).toEqual(['Another text.', 'Another text.']);
      expect(changes().slice(3)).toMatchObject([
        { kind: 'documents_added', filing_id: 107, documents: [{ title: 'The same' }] },
        { kind: 'documents_added', filing_id: 108, documents: [{ title: 'Submission' }] },
      ]);
    });

    it('that cannot be fetched, or are no document, are reported and stop nothing', async () => {
      records[108] = [
        ['/cftc/filings/ptc/gone.pdf', 'Gone'],
        ['/cftc/filings/ptc/a.pdf', 'Here'],
        ['/cftc/filings/ptc/junk.pdf', 'Junk'],
      ];
      file('junk.pdf', Buffer.from('not a document'));
      expect(feedOf(await run(), 'cftc/attachments')).toMatchObject({
        condition: 'partial',
        message: expect.stringContaining('gone.pdf: answered 404'),
      });
      expect(texts(108).map((each) => each.problem)).toEqual([
        null,
        null,
        'it is not a PDF, xlsx or docx file',
      ]);
      for (let hour = 1; hour < 8; hour++) await run(hour);
      expect(site.requests.filter((each) => each.path.endsWith('gone.pdf'))).toHaveLength(5);
    });

    it('are fetched once the registry is up again, however long it was down', async () => {
      site.on('/cftc/filings/ptc/a.pdf', () => raw('busy', 503));
      await run();
      site.on(LIST, () => raw('busy', 503));
      for (let hour = 1; hour < 8; hour++) await run(hour);
      site.on(LIST, () => raw(listPage('PTCDCMRules', rows), 200, HTML));
      file('a.pdf', writePdf(['Here at last.']));
      await run(8);
      expect(texts(108).map((each) => each.markdown)).toEqual(['Here at last.']);
    });

    it('that the registry fails at do not hold up those after them', async () => {
      records[108] = [3, 2, 1, 0].map((i) => [`/cftc/filings/ptc/${i}.pdf`, String(i)]);
      for (const i of [1, 2, 3]) site.on(`/cftc/filings/ptc/${i}.pdf`, () => raw('busy', 503));
      file('0.pdf', writePdf(['The last.']));
      await run();
      await run(1);
      expect(texts(108).map((each) => each.markdown)).toEqual([null, null, null, 'The last.']);
    });

    it('that failed for hours are retried each day, while their filing is young', async () => {
      records[108] = [['/cftc/filings/ptc/late.pdf', 'Late']];
      const asked = () => site.requests.filter((each) => each.path.endsWith('late.pdf')).length;
      for (let hour = 0; hour < 7; hour++) await run(hour);
      expect(asked()).toBe(5);
      for (const hour of [24, 25, 26]) await run(hour);
      expect(asked()).toBe(6);
      file('late.pdf', writePdf(['Here at last.']));
      await run(48);
      expect(texts(108).map((each) => each.markdown)).toEqual(['Here at last.']);
      await run(72);
      expect(asked()).toBe(7);
    });

    it('that failed for too long are not retried each day, but when their filing changes', async () => {
      settings.ingest.max_body_bytes = 100_000;
      file('a.pdf', Buffer.alloc(100_001));
      for (const hour of [0, 1, 2, 3, 4, 5, 25, 49]) await run(hour);
      const asked = () => site.requests.filter((each) => each.path.endsWith('a.pdf')).length;
      expect(asked()).toBe(5);
      change(108, { Status: 'Certified', Date: '11/09/2026' });
      await run(50);
      expect(asked()).toBe(6);
    });

    it('of old filings are left alone, and a filing without a page is reported once a day', async () => {
      change(108, { Date: '01/01/2026' });
      await run();
      expect(texts(108)).toEqual([]);
      // A page is read again the next day during 30 days.
      for (const [day, hours, requests] of [
        ['10/11/2026', 1, 1],
        ['10/11/2026', 25, 0],
        ['10/13/2026', 26, 1],
        ['10/13/2026', 50, 1],
      ] as const) {
        change(108, { Date: day });
        expect(feedOf(await run(hours), 'cftc/records').requests, `${day} ${hours}`).toBe(requests);
      }
      rows = [rule(119), ...rows];
      site.on(pathOf('PTCDCMRules', 119), () => raw('<html><h1>Not found</h1></html>', 404, HTML));
      expect(feedOf(await run(51), 'cftc/records').message).toBe('the registry has no page of filing 119');
      expect(feedOf(await run(52), 'cftc/records')).toMatchObject({ condition: 'good', requests: 0 });
      expect(feedOf(await run(76), 'cftc/records').requests).toBe(1);
    });

    it('missing from pages whose list counts some are reported, once there are five such pages', async () => {
      const told = () => run().then((report) => feedOf(report, 'cftc/records'));
      rows = Array.from({ length: 4 }, (_, i) => rule(108 - i));
      records = {};
      expect(await told()).toMatchObject({ requests: 4, condition: 'good' });
      rows = [112, 113, 114, 115, 116].map((id) => rule(id));
      expect(await told()).toMatchObject({
        requests: 5,
        condition: 'partial',
        message: 'none of 5 pages names the attachments that its list counts; has the format changed?',
      });
      rows = [117, 118, 119].map((id) => rule(id, { Documents: '0' })).concat(rule(111), rule(110));
      expect(await told()).toMatchObject({ requests: 5, condition: 'good' });
      // One page that names some is enough.
      rows = [101, 102, 103, 104, 109].map((id) => rule(id));
      records[104] = [['/cftc/filings/ptc/a.pdf', 'Submission']];
      expect(await told()).toMatchObject({ requests: 5, condition: 'good' });
    });

    it.each([
      ['pages that cannot be read', 200],
      ['pages that the registry fails at', 503],
    ])('%s do not hold up the others, and are retried', async (_, status) => {
      rows = Array.from({ length: 6 }, (_, i) => rule(108 - i));
      for (const id of [105, 106, 107, 108])
        site.on(pathOf('PTCDCMRules', id), () => raw('<html><h1>Sorry</h1></html>', status, HTML));
      settings.registries.cftc.pages_a_run = 3;
      const read: string[] = [];
      for (const hours of [0, 1, 2]) {
        site.requests.length = 0;
        await run(hours);
        const ids = site.requests.flatMap(({ path }) => /PTCDCMRules\/(\d+)/.exec(path)?.[1] ?? []);
        read.push([...new Set(ids)].join(' '));
      }
      expect(read).toEqual(['108 107 106', '105 104 103', '108 107 106']);
    });

    it('pages that were not asked for, because the registry failed at others, come first the next time', async () => {
      rows = Array.from({ length: 8 }, (_, i) => rule(108 - i));
      for (const { id } of rows) site.on(pathOf('PTCDCMRules', Number(id)), () => raw('busy', 503));
      const asked = async (hours: number) => {
        site.requests.length = 0;
        await run(hours);
        return new Set(site.requests.flatMap(({ path }) => /PTCDCMRules\/(\d+)/.exec(path)?.[1] ?? []));
      };
      const first = await asked(0);
      expect(first.size).toBeLessThan(5);
      expect(first.intersection(await asked(1))).toEqual(new Set());
    });

    it('are limited in pages and files per run; the next run continues', async () => {
      rows = Array.from({ length: 5 }, (_, i) => rule(108 - i));
      for (let id = 104; id <= 108; id++) {
        records[id] = [[`/cftc/filings/ptc/${id}.pdf`, 'Submission']];
        file(`${id}.pdf`, writePdf([String(id)]));
      }
      settings.registries.cftc.pages_a_run = 2;
      settings.registries.cftc.attachments_a_run = 1;
      const asked = async (hours: number) => {
        const report = await run(hours);
        return ['cftc/records', 'cftc/attachments'].map((name) => feedOf(report, name).requests);
      };
      expect([await asked(0), await asked(1), await asked(2), await asked(3)]).toEqual([
        [2, 1],
        [2, 1],
        [1, 1],
        [0, 1],
      ]);
    });
  });
});
