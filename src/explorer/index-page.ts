import { html, nothing } from 'lit-html';
import { formatCents, formatLevel, formatShare, unitOf } from '../charts/wording.ts';
import { correlationSection } from './correlation-section.ts';
import type { Documents } from './documents.ts';
import { downloads } from './downloads.ts';
import { groupReturns } from './group-returns.ts';
import { howMade } from './how-made.ts';
import { idOf, nameLink, nameOf } from './named.ts';
import { notice } from './notices.ts';
import { linkTo, type Page } from './page.ts';
import { change, figure, marks, moment, requestLines } from './parts.ts';
import type {
  Announcement,
  ConstituentRow,
  IndexDetail,
  MembershipEvent,
  PublicDocuments,
} from './public-documents.ts';
import { findRelated } from './related.ts';
import { changeOver } from './series.ts';
import type { ChartMark } from './series-chart.ts';
import { sleevesSection } from './sleeves-section.ts';
import { type Column, type Order, sortedTable } from './sorted-table.ts';
import { basisInWords, counted, exclusionInWords, methodologyInWords } from './words.ts';

const PATHS = [
  '/indices/{id}',
  '/indices/{id}/prices',
  '/indices/{id}/constituents',
  '/indices/{id}/correlation',
  '/indices/{id}/membership-events',
] as const;

/** An index: its level and history, what it is made of and how, what moved it. */
export const indexPage: Page = {
  name: 'indices',
  needs: ['/indices/{id}'],
  async open({ documents, id, show }) {
    const ask = <Path extends (typeof PATHS)[number]>(path: Path) =>
      documents.offers(path) ? documents.find(path, id) : undefined;
    const index = await documents.find('/indices/{id}', id);
    if (!index)
      return show(
        html`<h1>No index ${id}</h1><p class="note">None of this ticker is published here. <a href="#/">All indices</a></p>`,
      );
    const [prices, constituents, correlation, events, announcements, related, files, requests] =
      await Promise.all([
        ask('/indices/{id}/prices'),
        ask('/indices/{id}/constituents'),
        ask('/indices/{id}/correlation'),
        index.sleeves ? ask('/indices/{id}/membership-events') : undefined,
        findAnnouncements(documents, id),
        findRelated(documents, 'indices', id),
        downloads(documents, 'indices', index),
        requestLines(
          documents,
          PATHS.map((path) => ({ path, id })),
        ),
      ]);
    const rows = constituents?.data ?? [];
    const names = new Map(rows.map((row) => [idOf(row), nameOf(row)]));
    let order: Order | undefined;
    const redraw = () =>
      show(html`
        ${heading(index)} ${levelSection(index, prices, [...marksOf(events?.data ?? []), ...noticed(announcements)])}
        ${howMade(index, rows)} ${sleevesSection(index.sleeves, names)} ${groupReturns(index, rows)}
        ${
          rows.length > 0
            ? html`<section>
                <h2>Constituents <span class="faint">${rows.length}</span></h2>
                ${sortedTable(
                  { caption: 'Constituents', rows, columns: constituentColumns(index), order },
                  (next) => {
                    order = next;
                    redraw();
                  },
                )}
              </section>`
            : nothing
        }
        ${correlationSection(correlation, names)}
        ${announcements.length > 0 ? html`<section><h2>Announcements</h2>${announcements.map((each) => notice(each, 3))}</section>` : nothing}
        ${related} ${files} ${requests}
      `);
    redraw();
  },
};

function heading(index: IndexDetail) {
  return html`<h1>${index.name}</h1>
    <p class="faint">
      ${index.ticker} · ${methodologyInWords(index.methodology)} · ${counted(index.constituent_count, 'name')}
      ${index.base_index_id === undefined ? nothing : html`· follows <a href=${linkTo('indices', index.base_index_id)}>${index.base_index_id}</a>`}
    </p>
    ${index.description ? html`<p>${index.description}</p>` : nothing}`;
}

function levelSection(
  index: IndexDetail,
  prices: PublicDocuments['/indices/{id}/prices'] | undefined,
  chartMarks: readonly ChartMark[],
) {
  const all = (prices?.data ?? []).map(({ at, level }) => ({ at: Date.parse(at), value: level }));
  const start = prices?.series_starts?.at(-1);
  // Nothing is compared with an earlier series of the same index.
  const points = start === undefined ? all : all.filter((point) => point.at >= Date.parse(start));
  return html`<section>
    <p class="level">
      ${
        index.latest_price === undefined
          ? html`<span class="faint">no level now</span>`
          : html`${figure(index.latest_price, formatLevel(index.latest_price))} <small>${unitOf(index.quote_convention)}</small>`
      }
      ${marks(index)}
    </p>
    <dl class="figures">
      ${
        index.latest_price === undefined
          ? nothing
          : [1, 7, 30, 90].map((days) => {
              const over = changeOver(points, days);
              return html`<div><dt>${counted(days, 'day')}</dt><dd>${change(over?.percent, '%')}</dd></div>`;
            })
      }
      ${index.official_daily_value === undefined ? nothing : html`<div><dt>last daily value</dt><dd>${figure(index.official_daily_value, formatLevel(index.official_daily_value))}</dd></div>`}
      <div><dt>last print</dt><dd>${moment(index.latest_print_at)}</dd></div>
    </dl>
    ${
      all.length > 1
        ? html`<series-chart
            .chart=${{
              label: `Level of ${index.name}`,
              lines: [{ name: 'level', points: all }],
              marks: chartMarks,
              format: formatLevel,
            }}
          ></series-chart>`
        : html`<p class="note">There is no history to draw yet.</p>`
    }
  </section>`;
}

function constituentColumns({ group_by }: IndexDetail): Column<ConstituentRow>[] {
  const groupOf = (row: ConstituentRow) => (group_by ? row.groups?.[group_by] : undefined);
  return [
    { title: 'Name', key: nameOf, cell: nameLink },
    ...(group_by
      ? [{ title: group_by, key: groupOf, cell: (row: ConstituentRow) => groupOf(row) ?? '–' }]
      : []),
    {
      title: 'Weight',
      numeric: true,
      key: (row) => row.weight,
      cell: (row) => figure(row.weight, formatShare(row.weight)),
    },
    {
      title: 'Mark',
      numeric: true,
      key: (row) => row.mark,
      cell: (row) =>
        row.mark !== undefined
          ? figure(row.mark, formatCents(row.mark))
          : row.level !== undefined
            ? figure(row.level, formatLevel(row.level))
            : html`<span class="faint">–</span>`,
    },
    { title: 'Standing', cell: standingOf },
  ];
}

function standingOf(row: ConstituentRow) {
  const basis = row.basis && basisInWords(row.basis);
  if (!row.excluded) return basis ?? html`<span class="faint">not priced yet</span>`;
  return html`<span class="mark">${row.exclude_reason === 'halted' ? 'halted' : 'left out'}</span> ${exclusionInWords(row.exclude_reason)}${basis ? `; ${basis}` : ''}`;
}

/** The notices about an index that are in the first page of the list; the server is asked for its own. */
async function findAnnouncements(documents: Documents, id: string): Promise<Announcement[]> {
  if (!documents.offers('/announcements')) return [];
  const found = await documents.find('/announcements', '', { index: id });
  return (found?.data ?? []).filter((each) => each.index_id === id);
}

function marksOf(events: readonly MembershipEvent[]): ChartMark[] {
  return events.map((event) => ({
    at: Date.parse(event.at),
    text: `${event.kind.replaceAll('_', ' ')}: ${nameOf(event)}`,
  }));
}

function noticed(announcements: readonly Announcement[]): ChartMark[] {
  return announcements.map(({ effective_at, title }) => ({ at: Date.parse(effective_at), text: title }));
}
