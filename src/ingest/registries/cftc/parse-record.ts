import { ForemarkError } from '../../../model/errors.ts';
import type { FilingDocument } from '../../../model/filing.ts';
import { decodeText, readHtml } from '../../wire/html.ts';
import { oneLine } from '../../wire/plain-text.ts';
import { shown } from '../../wire/shown.ts';
import { leaveOut, type ReadPage } from '../../wire/wire-rows.ts';
import { type Places, siteAddress } from './places.ts';

export interface RecordPage extends ReadPage {
  documents: FilingDocument[];
}

/** Links, without those to the page itself. */
const LINKS = 'a[href]:not([href=""], [href^="#"], [href^="?"])';

/**
 * Parses a filing's own page: one link a row in the table under "Associated Documents", words that stand in its first row
 * or before it. Links to other sites are left out, so that a page cannot make us fetch from anywhere.
 *
 * @param pageUrl where it was fetched; documents are fetched from `places.base_url` and stored under `places.site`
 * @throws ForemarkError invalid_payload when the page is not that of the filing
 */
export function parseRecordPage(
  body: Uint8Array,
  filingId: number,
  pageUrl: string,
  places: Places,
): RecordPage {
  const page = readHtml(decodeText(body));
  const headings = page('h1, h2, h3, title').toArray();
  const isOfFiling = new RegExp(`(^|\\D)${filingId}(\\D|$)`);
  if (!headings.some((each) => isOfFiling.test(page(each).text())))
    throw new ForemarkError('invalid_payload', `no heading of the page names the filing ${filingId}`);
  const parsed: RecordPage = { read: 0, documents: [], rejections: [] };
  const seen = new Set<string>();
  const tables = page('table').filter((_i, each) => {
    const table = page(each);
    const within = table.find('caption, th, tr:first-child').text();
    const before = `${table.prevAll('h2, h3, h4').first().text()} ${table.prev(':not(table)').text()}`;
    return /associated\s+documents/i.test(`${within} ${before}`);
  });
  for (const link of tables.find(LINKS).toArray()) {
    const position = parsed.read++;
    const href = page(link).attr('href') ?? '';
    const url = URL.parse(href, pageUrl);
    const address = url ? siteAddress(url, places) : undefined;
    if (address === undefined) {
      const native_id = String(filingId);
      const reason = `document must be under ${places.base_url}, got ${shown(href)}`;
      leaveOut(parsed, { position, native_id, path: 'href', reason });
      continue;
    }
    if (seen.has(address)) continue;
    seen.add(address);
    parsed.documents.push({ url: address, title: oneLine(page(link).text()) || fileName(address) });
  }
  return parsed;
}

function fileName(address: string): string {
  const { pathname } = new URL(address);
  return pathname.split('/').at(-1) || pathname;
}
