/** Pages as the registry's site writes them, small; a test changes what it is about. */

const HEADERS = {
  PTCDCMRules: [
    'Organization',
    'Filing Description',
    'Products Affected',
    'Receipt Date',
    'Status',
    'Date',
    'Remarks',
    'Documents',
  ],
  TradingOrganizationProducts: [
    'Organization',
    'Product Name',
    'Type',
    'Status',
    'Date',
    'Category',
    'Subcategory',
    'Remarks',
    'Documents',
  ],
  ClearingOrganizations: ['Organization', 'Status', 'Date', 'Remarks', 'Documents'],
  ClearingOrganizationRules: [
    'Organization',
    'Filing Description',
    'Receipt Date',
    'Status',
    'Date',
    'Remarks',
    'Documents',
  ],
} as const;

export type Segment = keyof typeof HEADERS;

const FILINGS = '/IndustryOversight/IndustryFilings';

/** A row: its number and its cells by header. */
export type ListRow = { id: number | string } & Record<string, string | number>;

/** A rule as the first list shows it. */
export function rule(id: number | string, changes: Record<string, string> = {}): ListRow {
  return {
    id,
    Organization: 'KEX',
    'Filing Description': `Amendment ${id}`,
    'Products Affected': 'See filing.',
    'Receipt Date': '10/01/2026',
    Status: '10 Day Review',
    Date: '11/01/2026',
    Remarks: '',
    Documents: '1',
    ...changes,
  };
}

/** A page of a list. @param pager the page numbers that it leads to */
export function listPage(
  segment: Segment,
  rows: readonly ListRow[],
  { pager = [], headers = HEADERS[segment] }: { pager?: number[]; headers?: readonly string[] } = {},
): string {
  const lines = rows.map((row) => {
    const cells = headers.map((header) => {
      const text = row[header] ?? '';
      return header === 'Documents'
        ? `<td> <a href="/cftc${FILINGS}/${segment}/${row.id}">${text}</a>\n</td>`
        : `<td>${text}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  const links = pager.map((to) => `<a href="?col=Date&amp;dir=DESC&amp;page=${to}">${to + 1}</a>`);
  const head = headers.map((header) => `<th><a href="?col=x&amp;dir=ASC&amp;page=0">${header}</a></th>`);
  return `<!DOCTYPE html><html><head><title>Industry Filings</title></head><body>
<table class="search"><tr><td>Organization</td><td><select><option>KEX</option></select></td></tr></table>
<table><thead><tr>${head.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table>
<ul>${links.join('')}</ul></body></html>`;
}

/** The page of a filing with its attachments as [address, title]. */
export function recordPage(id: number, documents: readonly (readonly [string, string])[]): string {
  const rows = documents.map(([href, title]) => `<tr><td><a href="${href}">${title}</a></td></tr>`);
  return `<!DOCTYPE html><html><body><nav><a href="/cftc/filings/other.pdf">Other</a></nav>
<h1>Product Terms and Conditions Rules : ${id}</h1><p><strong>Organization:</strong> KEX</p>
<table><tr><th>Associated Documents</th></tr>${rows.join('')}</table></body></html>`;
}

/** Where a list stands at a fixture site, and a filing of it. */
export function pathOf(segment: Segment, id?: number): string {
  return `/cftc${FILINGS}/${segment}${id === undefined ? '' : `/${id}`}`;
}
