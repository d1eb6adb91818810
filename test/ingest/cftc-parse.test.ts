import { describe, expect, it } from 'vitest';
import { LISTS } from '../../src/ingest/registries/cftc/lists.ts';
import { parseListPage } from '../../src/ingest/registries/cftc/parse-list.ts';
import { parseRecordPage } from '../../src/ingest/registries/cftc/parse-record.ts';
import { listPage, pathOf, recordPage, rule, type Segment } from './cftc-pages.ts';

const SITE = 'https://registry.example';

function parse(html: string | Buffer, segment: Segment = 'PTCDCMRules') {
  const list = LISTS.find((each) => each.segment === segment);
  if (!list) throw new Error(`no list ${segment}`);
  return parseListPage(Buffer.from(html), list, SITE);
}

describe('a page of a list', () => {
  it('[2.7/1] gives a filing with feed, organization, status, its day and the day of receipt', () => {
    const { filings, read, rejections } = parse(listPage('PTCDCMRules', [rule(64839)]));
    expect([read, rejections]).toEqual([1, []]);
    expect(filings).toEqual([
      {
        filing_id: 64839,
        feed: 'ptc_dcm_rules',
        org: 'KEX',
        title: 'Amendment 64839',
        description: 'Amendment 64839',
        products_affected: 'See filing.',
        received_day: '2026-10-01',
        status: '10 Day Review',
        status_day: '2026-11-01',
        document_count: 1,
        source_url: `${SITE}/IndustryOversight/IndustryFilings/PTCDCMRules/64839`,
      },
    ]);
  });

  it('reads each of the four lists by its own columns', () => {
    const row = {
      id: 7,
      Organization: 'QCEX',
      'Product Name': 'Global Temperature',
      Type: 'Swap',
      Status: 'Certified',
      Date: '2026-10-07 00:00:00',
      Category: 'Event Contracts',
      Subcategory: 'Weather',
      'Filing Description': 'Margin',
      'Receipt Date': '9/2/2026',
      Documents: '2',
    };
    const read = (segment: Segment) => parse(listPage(segment, [row]), segment).filings[0];
    expect(read('TradingOrganizationProducts')).toMatchObject({
      feed: 'dcm_products',
      title: 'Global Temperature',
      product_type: 'Swap',
      category: 'Event Contracts',
      subcategory: 'Weather',
      status_day: '2026-10-07',
    });
    expect(read('ClearingOrganizations')).toMatchObject({ feed: 'dco', org: 'QCEX', title: 'QCEX' });
    expect(read('ClearingOrganizationRules')).toMatchObject({
      feed: 'dco_rules',
      title: 'Margin',
      received_day: '2026-09-02',
    });
  });

  it('finds columns by their headers, and the link in whichever cell holds it', () => {
    const headers = ['Status', 'Documents', 'Date', 'Organization', 'Remarks', 'New Column'];
    const html = listPage('ClearingOrganizations', [{ ...rule(5), 'New Column': 'x' }], { headers });
    expect(parse(html, 'ClearingOrganizations').filings).toMatchObject([
      { filing_id: 5, org: 'KEX', status: '10 Day Review', status_day: '2026-11-01' },
    ]);
  });

  it('recognizes the sorted column, whose header has extra words for screen readers', () => {
    const sorted =
      '>Date<span class="tablesort"><span class="visually-hidden">Sort ascending</span></span></a>';
    const html = listPage('PTCDCMRules', [rule(5)]).replace('>Date</a>', sorted);
    expect(parse(html).filings).toMatchObject([{ filing_id: 5, status_day: '2026-11-01' }]);
  });

  it('accepts broken bytes, empty fields and odd white space', () => {
    const changes = {
      'Filing Description': '',
      Remarks: '  STR \n\t of&nbsp;the&#8238; board ',
      'Receipt Date': '',
    };
    const html = Buffer.from(listPage('PTCDCMRules', [rule(1, changes)]).replace('STR', 'ÿSTR'), 'latin1');
    const { filings } = parse(html);
    expect(filings[0]).toMatchObject({ remarks: '\ufffdSTR of the board', title: '\ufffdSTR of the board' });
    expect(filings[0]).not.toHaveProperty('description');
    expect(filings[0]).not.toHaveProperty('received_day');
  });

  it('keeps the lines of a cell apart, and does not read what no browser shows', () => {
    const changes = {
      'Products Affected': 'Rain<br>Snow<p>Hail</p>Fog',
      Remarks: 'Stayed<script>alert(1)</script>',
    };
    const { filings } = parse(listPage('PTCDCMRules', [rule(1, changes)]));
    expect(filings[0]).toMatchObject({ products_affected: 'Rain Snow Hail Fog', remarks: 'Stayed' });
  });

  it("treats the registry's placeholder date as absent", () => {
    const days = ['11/30/-0001', '-0001-11-30 00:00:00', '00/00/0000'];
    const rows = days.map((none, i) => rule(i + 1, { 'Receipt Date': none, Date: none }));
    const { filings, rejections } = parse(listPage('PTCDCMRules', rows));
    expect(rejections).toEqual([]);
    expect(filings.map(({ status, received_day, status_day }) => [status, received_day, status_day])).toEqual(
      days.map(() => ['10 Day Review', undefined, undefined]),
    );
  });

  it('leaves out a row without a number, organization, status or real day, and says why', () => {
    const { filings, read, rejections } = parse(
      listPage('PTCDCMRules', [
        rule(''),
        rule(2, { Organization: ' ' }),
        rule(3, { Date: '02/30/2026' }),
        rule(4, { Status: '' }),
        rule(5),
      ]),
    );
    expect([read, filings.map((each) => each.filing_id)]).toEqual([5, [5]]);
    expect(rejections).toEqual([
      {
        position: 0,
        native_id: null,
        path: 'filing_id',
        reason: "filing_id must be in a link to the filing's page",
      },
      { position: 1, native_id: '2', path: 'org', reason: 'org must be a text, got ""' },
      {
        position: 2,
        native_id: '3',
        path: 'status_day',
        reason: 'status_day must be a day such as 10/02/2026, got "02/30/2026"',
      },
      { position: 3, native_id: '4', path: 'status', reason: 'status must be a text, got ""' },
    ]);
  });

  it('quotes at most a line of an invalid day', () => {
    const { rejections } = parse(listPage('PTCDCMRules', [rule(1, { Date: 'x'.repeat(100_000) })]));
    expect(rejections[0]?.reason.length).toBeLessThan(200);
  });

  it('gives a product without a subcategory where the list does not state one', () => {
    const headers = ['Organization', 'Product Name', 'Status', 'Date', 'Remarks', 'Documents'];
    const html = listPage('TradingOrganizationProducts', [rule(5, { 'Product Name': 'Rain' })], { headers });
    const { filings } = parse(html, 'TradingOrganizationProducts');
    expect(filings).toMatchObject([{ filing_id: 5, title: 'Rain', status: '10 Day Review' }]);
    expect(filings[0]).not.toHaveProperty('subcategory');
  });

  it('fails loudly when a column is missing or there is no table', () => {
    const headers = ['Organization', 'Status', 'Remarks', 'Documents'];
    expect(() => parse(listPage('ClearingOrganizations', [], { headers }), 'ClearingOrganizations')).toThrow(
      'the table of filings lacks the columns date',
    );
    expect(() => parse('<html><title>Just a moment...</title></html>')).toThrow(
      'the page has no table of filings',
    );
  });

  it('finds the last page that its pager links to', () => {
    expect(parse(listPage('PTCDCMRules', [rule(1)], { pager: [0, 3, 11] })).lastPage).toBe(11);
    expect(parse(listPage('PTCDCMRules', [rule(1)])).lastPage).toBeUndefined();
  });

  it('knows no last page from links that sort the list, or lead to pages of others', () => {
    const menu =
      '<nav><a href="/PressRoom?page=90">News</a><a href="/cftc/IndustryFilings?q=1&page=91">All</a></nav>';
    const html = listPage('PTCDCMRules', [rule(1)]).replace('<body>', `<body>${menu}`);
    expect(html).toContain('page=0');
    expect(parse(html).lastPage).toBeUndefined();
    const own = `${pathOf('PTCDCMRules')}?col=Date&amp;page=2`;
    expect(parse(html.replace('</nav>', `<a href="${own}">3</a></nav>`)).lastPage).toBe(2);
  });

  it.each([
    'PTCDCMRules/7',
    './PTCDCMRules/7',
    '/x/PTCDCMRules/7/',
    'https://registry.example/x/ptcdcmrules/7?a=b',
  ])('takes the number of a filing from a link such as %s', (href) => {
    const html = listPage('PTCDCMRules', [rule(7)]).replace(pathOf('PTCDCMRules', 7), href);
    expect(parse(html).filings).toMatchObject([{ filing_id: 7 }]);
  });
});

describe("a filing's page", () => {
  const url = `${SITE}/IndustryOversight/IndustryFilings/PTCDCMRules/7`;
  const read = (html: string) =>
    parseRecordPage(Buffer.from(html), 7, url, { base_url: SITE, site: 'https://shown.example' });

  it('names its attachments once each, in order, and no other link of the page', () => {
    const { documents } = read(
      recordPage(7, [
        ['/filings/ptc/a.pdf', 'Letter &amp; terms'],
        ['/filings/ptc/b.xlsx#page=2', ' '],
        ['/filings/ptc/a.pdf#top', 'again'],
      ]),
    );
    expect(documents).toEqual([
      { url: 'https://shown.example/filings/ptc/a.pdf', title: 'Letter & terms' },
      { url: 'https://shown.example/filings/ptc/b.xlsx', title: 'b.xlsx' },
    ]);
  });

  it.each([
    ['the header of their table', '<table><tr><th>Associated <br>Documents</th></tr>'],
    ['its first row', '<table><tr><td><a href="?order=name">Associated Documents</a></td></tr>'],
    ['its caption', '<table><caption>Associated Documents</caption>'],
    ['a heading', '<h3>Associated Documents</h3><p>Two files</p><table>'],
    ['the words before it', '<p><strong>Associated&nbsp;Documents</strong></p><table>'],
  ])('finds its attachments by %s', (_what, table) => {
    const row =
      '<tr><td><a href="/filings/ptc/a.pdf">A</a> <a href="#top">top</a> <a href="">here</a></td></tr>';
    const more = '<h3>About</h3><table><tr><td><a href="/about.pdf">About the registry</a></td></tr></table>';
    const html = `<html><h1>Rules : 7</h1>${table}${row}</table>${more}</html>`;
    expect(read(html).documents).toEqual([{ url: 'https://shown.example/filings/ptc/a.pdf', title: 'A' }]);
  });

  it('recognizes its own site in any spelling', () => {
    const { documents, rejections } = read(
      recordPage(7, [
        ['http://www.registry.example/filings/a.pdf', 'A'],
        ['//registry.example/filings/b.pdf?v=2', 'B'],
        ['https://shown.example/filings/c.pdf', 'C'],
      ]),
    );
    expect([documents.map((each) => each.url), rejections]).toEqual([
      ['a.pdf', 'b.pdf?v=2', 'c.pdf'].map((name) => `https://shown.example/filings/${name}`),
      [],
    ]);
  });

  it('leaves out links to another host', () => {
    const { documents, rejections } = read(
      recordPage(7, [
        ['https://elsewhere.example/a.pdf', 'A'],
        ['javascript:alert(1)', 'B'],
        ['https://registry.example.evil.example/a.pdf', 'D'],
        ['http://169.254.169.254/latest', 'C'],
        [`https://elsewhere.example/${'a'.repeat(300)}`, 'E'],
      ]),
    );
    expect(documents).toEqual([]);
    expect(rejections.map((each) => each.reason)).toEqual([
      'document must be under https://registry.example, got "https://elsewhere.example/a.pdf"',
      'document must be under https://registry.example, got "javascript:alert(1)"',
      'document must be under https://registry.example, got "https://registry.example.evil.example/a.pdf"',
      'document must be under https://registry.example, got "http://169.254.169.254/latest"',
      `document must be under https://registry.example, got "https://elsewhere.example/${'a'.repeat(53)}…`,
    ]);
  });

  it('is refused when it belongs to another filing', () => {
    expect(() => read(recordPage(77, []))).toThrow('no heading of the page names the filing 7');
  });
});
