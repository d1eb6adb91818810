import { isoDay } from '../calendar.ts';
import { attachmentsAt, SEGMENTS, type Segment, stepAt, type WorldFiling } from '../filings/filing.ts';
import { writePdf } from '../filings/pdf.ts';
import { escapeMarkup, writeXlsx } from '../filings/xlsx.ts';
import { type Ask, type Dialect, type Reply, readInteger } from '../http/route.ts';
import type { World } from '../world.ts';

const PREFIX = '/cftc';
const FILINGS = '/IndustryOversight/IndustryFilings';
const ROWS_A_PAGE = 50;

/** The regulator's site: four lists in HTML, a page per filing, and its attachments. */
export const cftc: Dialect = {
  prefix: PREFIX,
  routes: [
    { method: 'GET', path: `${FILINGS}/:segment`, answer: answerList },
    { method: 'GET', path: `${FILINGS}/:segment/:id`, answer: answerRecord },
    { method: 'GET', path: '/filings/:folder/:file', answer: answerFile },
  ],
  notFound,
};

const TITLES: Record<Segment, string> = {
  PTCDCMRules: 'Product Terms and Conditions Rules - Designated Contract Markets',
  TradingOrganizationProducts: 'Designated Contract Market Products',
  ClearingOrganizations: 'Derivative Clearing Organizations (DCO)',
  ClearingOrganizationRules: 'Clearing Organization Rules',
};

type Cell = (filing: WorldFiling, at: number) => string;

const org: Cell = (filing) => filing.org;
const description: Cell = (filing) => filing.cells.description ?? '';
const status: Cell = (filing, at) => stepAt(filing, at)?.status ?? '';
const day: Cell = (filing, at) => usDay(stepAt(filing, at)?.at ?? filing.received_at);
const received: Cell = (filing) => usDay(filing.received_at);
const remarks: Cell = (filing, at) => stepAt(filing, at)?.remarks ?? '';
const documents: Cell = (filing, at) => String(attachmentsAt(filing, at).length);

const COLUMNS: Record<Segment, readonly (readonly [string, Cell])[]> = {
  PTCDCMRules: [
    ['Organization', org],
    ['Filing Description', description],
    ['Products Affected', (filing) => filing.cells.affected ?? ''],
    ['Receipt Date', received],
    ['Status', status],
    ['Date', day],
    ['Remarks', remarks],
    ['Documents', documents],
  ],
  TradingOrganizationProducts: [
    ['Organization', org],
    ['Product Name', (filing) => filing.cells.product ?? ''],
    ['Type', (filing) => filing.cells.type ?? ''],
    ['Status', status],
    ['Date', day],
    ['Category', (filing) => filing.cells.category ?? ''],
    ['Subcategory', () => ''],
    ['Remarks', remarks],
    ['Documents', documents],
  ],
  ClearingOrganizations: [
    ['Organization', org],
    ['Status', status],
    ['Date', day],
    ['Remarks', remarks],
    ['Documents', documents],
  ],
  ClearingOrganizationRules: [
    ['Organization', org],
    ['Filing Description', description],
    ['Receipt Date', received],
    ['Status', status],
    ['Date', day],
    ['Remarks', remarks],
    ['Documents', documents],
  ],
};

function answerList(world: World, ask: Ask): Reply {
  const segment = segmentOf(ask);
  if (!segment) return notFound();
  const at = world.now();
  const filings = world.filings().filter((each) => each.segment === segment && stepAt(each, at));
  const dateOf = (filing: WorldFiling) => isoDay(stepAt(filing, at)?.at ?? 0);
  filings.sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : dateOf(a) > dateOf(b) ? -1 : b.id - a.id));
  if (ask.query.get('dir') === 'ASC') filings.reverse();
  const last = Math.max(0, Math.ceil(filings.length / ROWS_A_PAGE) - 1);
  // A page past the end repeats the last one, as Drupal's pager does.
  const page = Math.min(Math.max(0, readInteger(ask.query, 'page', 0) ?? 0), last);
  const shown = filings.slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE);
  const columns = COLUMNS[segment];
  const head = columns.map(
    ([title]) => `<th scope="col"><a href="?col=${sortName(title)}">${title}</a></th>`,
  );
  const rows = shown.map((filing) => {
    const cells = columns.map(([, cell], i) => {
      const text = escapeMarkup(cell(filing, at));
      const link = `${PREFIX}${FILINGS}/${segment}/${filing.id}`;
      return i === columns.length - 1 ? `<td><a href="${link}">${text}</a></td>` : `<td>${text}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return html(
    TITLES[segment],
    `<table class="table"><thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody></table>\n${pager(page, last)}`,
  );
}

function sortName(title: string): string {
  return encodeURIComponent(title.replaceAll(' ', ''));
}

function pager(page: number, last: number): string {
  if (last === 0) return '';
  const link = (to: number, text: string) =>
    `<li><a href="?col=Date&amp;dir=DESC&amp;page=${to}">${text}</a></li>`;
  const items = [
    ...(page > 0 ? [link(0, 'First'), link(page - 1, 'Previous')] : []),
    `<li>${page + 1}</li>`,
    ...(page < last ? [link(page + 1, 'Next'), link(last, 'Last')] : []),
  ];
  return `<nav class="pager"><ul>${items.join('')}</ul></nav>`;
}

function answerRecord(world: World, ask: Ask): Reply {
  const at = world.now();
  const segment = segmentOf(ask);
  const filing = world.filings().find((each) => String(each.id) === ask.params.id && stepAt(each, at));
  if (!segment || filing?.segment !== segment) return notFound();
  const lines = COLUMNS[segment]
    .slice(0, -1)
    .map(([title, cell]) => `<div><strong>${title}:</strong> ${escapeMarkup(cell(filing, at))}</div>`);
  const rows = attachmentsAt(filing, at).map(
    ({ path, title }) => `<tr><td><a href="${PREFIX}${path}">${escapeMarkup(title)}</a></td></tr>`,
  );
  return html(
    `${TITLES[segment]} : ${filing.id}`,
    `${lines.join('\n')}\n<table><thead><tr><th>Associated Documents</th></tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`,
  );
}

function answerFile(world: World, ask: Ask): Reply {
  const path = `/filings/${ask.params.folder}/${ask.params.file}`;
  const found = world
    .filings()
    .flatMap((filing) => attachmentsAt(filing, world.now()))
    .find((each) => each.path === path);
  if (!found) return notFound();
  const { content } = found;
  const raw = 'pdf' in content ? writePdf(content.pdf) : writeXlsx(content.sheet, content.rows);
  const type = 'pdf' in content ? 'pdf' : 'vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  return { status: 200, body: { raw }, headers: { 'content-type': `application/${type}` } };
}

function segmentOf(ask: Ask): Segment | undefined {
  return SEGMENTS.find((each) => each === ask.params.segment);
}

function usDay(at: number): string {
  const [year, month, date] = isoDay(at).split('-');
  return `${month}/${date}/${year}`;
}

function html(title: string, body: string, status = 200): Reply {
  const raw = `<!DOCTYPE html>\n<html lang="en"><head><title>${title} | CFTC (simulated)</title></head>\n<body><main><h1>${title}</h1>\n${body}\n</main></body></html>\n`;
  return { status, body: { raw }, headers: { 'content-type': 'text/html; charset=UTF-8' } };
}

function notFound(): Reply {
  return html('Page not found', '<p>The requested page could not be found.</p>', 404);
}
