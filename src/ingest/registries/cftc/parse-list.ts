import { ForemarkError } from '../../../model/errors.ts';
import { greatestOf } from '../../../model/extremes.ts';
import type { Filing } from '../../../model/filing.ts';
import { given } from '../../../model/given.ts';
import { asShown, decodeText, type HtmlPage, readHtml } from '../../wire/html.ts';
import { oneLine } from '../../wire/plain-text.ts';
import { type ReadPage, readRow } from '../../wire/wire-rows.ts';
import { type FilingList, pathOf } from './lists.ts';
import { listRow } from './wire.ts';

export interface FilingsPage extends ReadPage {
  filings: Filing[];
  /** The greatest page number that the page links to; undefined when it links to none. */
  lastPage: number | undefined;
}

/**
 * Parses a page of a list. Fields are found by the headers of their columns, and the filing's number in the row's link,
 * whichever cell holds it. Invalid characters are tolerated.
 *
 * @param site base address of the registry's site, for the addresses of filings
 * @param mayBePastEnd whether a page without any table counts as one without rows
 * @throws ForemarkError invalid_payload when there is no table with the list's columns
 */
export function parseListPage(
  body: Uint8Array,
  list: FilingList,
  site: string,
  mayBePastEnd = false,
): FilingsPage {
  const page = asShown(readHtml(decodeText(body)));
  const isPastEnd = mayBePastEnd && page('table').length === 0;
  const { headers, rows } = isPastEnd ? { headers: [], rows: [] } : findTable(page, list);
  const parsed: FilingsPage = { read: 0, filings: [], rejections: [], lastPage: lastPageOf(page, list) };
  for (const [position, cells] of rows.entries()) {
    parsed.read++;
    const value: Record<string, string> = { filing_id: cells.filing_id };
    for (const [i, header] of headers.entries()) {
      const field = list.columns[header] ?? list.optional?.[header];
      if (field) value[field] = cells.texts[i] ?? '';
    }
    const row = readRow(parsed, listRow, value, { position, idField: 'filing_id' });
    if (!row) continue;
    const { filing_id, org, status, ...others } = row;
    parsed.filings.push({
      ...given(others),
      filing_id,
      org,
      status,
      feed: list.feed,
      title: row.description ?? row.product_name ?? row.remarks ?? org,
      source_url: `${site}${pathOf(list)}/${filing_id}`,
    });
  }
  return parsed;
}

interface Cells {
  texts: string[];
  /** Digits of the row's link; '' when there is none. */
  filing_id: string;
}

function findTable(page: HtmlPage, list: FilingList): { headers: string[]; rows: Cells[] } {
  const wanted = Object.keys(list.columns);
  let closest: string[] = wanted;
  for (const table of page('table').toArray()) {
    const lines = page(table).find('tr').toArray();
    const headers = page(lines[0])
      .find('th, td')
      .toArray()
      .map((each) => headerOf(page, each));
    const missing = wanted.filter((each) => !headers.includes(each));
    if (missing.length < closest.length) closest = missing;
    if (missing.length > 0) continue;
    const rows = lines.slice(1).flatMap((line): Cells | [] => {
      const cells = page(line).find('td').toArray();
      // A row of one cell says that there are no filings.
      if (cells.length < 2) return [];
      const links = page(line).find('a[href]').toArray();
      return {
        texts: cells.map((each) => oneLine(page(each).text())),
        filing_id: links.map((each) => numberIn(page(each).attr('href') ?? '', list)).find((id) => id) ?? '',
      };
    });
    return { headers, rows };
  }
  throw new ForemarkError(
    'invalid_payload',
    closest.length === wanted.length
      ? 'the page has no table of filings'
      : `the table of filings lacks the columns ${closest.join(', ')}`,
  );
}

// The header of the sorted column has an extra text for screen readers.
function headerOf(page: HtmlPage, cell: Parameters<HtmlPage>[0]): string {
  return oneLine(page(cell).clone().find('.visually-hidden').remove().end().text()).toLowerCase();
}

function numberIn(href: string, { segment }: FilingList): string | undefined {
  return new RegExp(`(?:^|/)${segment}/(\\d{1,12})(?:[/?#]|$)`, 'i').exec(href)?.[1];
}

// A header, which sorts the list, may link to the first page or this one, and the site's menu to pages of other lists:
// neither tells whether more follow.
function lastPageOf(page: HtmlPage, { segment }: FilingList): number | undefined {
  const ofList = new RegExp(`^(?:[^?#]*/${segment}/?)?\\?(?:[^#]*&)?page=(\\d{1,6})(?:[&#]|$)`, 'i');
  const numbers = page('a[href*="page="]')
    .not('table a')
    .toArray()
    .flatMap((each) => ofList.exec(page(each).attr('href') ?? '')?.[1] ?? []);
  return greatestOf(numbers.map(Number));
}
