import { html, nothing } from 'lit-html';
import { formatLevel, unitOf } from '../../charts/wording.ts';
import { counted } from '../../model/counted.ts';
import type { PublicDocuments } from '../../routes/shapes/shapes.ts';
import { brokenAt, changeOver } from '../charts/series.ts';
import type { ChartMark } from '../charts/series-plot.ts';
import { findDailyMarks } from '../daily-marks.ts';
import type { Documents } from '../documents.ts';
import { linkTo, type Page } from '../page.ts';
import { change, figure, figures, moment, overDays } from '../parts.ts';
import type { Announcement, ConstituentRow, IndexDetail, MembershipEvent } from '../public-documents.ts';
import { requestSection } from '../requests.ts';
import { marks } from '../sections/confidence.ts';
import { constituentsSection } from '../sections/constituents-section.ts';
import { correlationSection } from '../sections/correlation-section.ts';
import { downloads } from '../sections/downloads.ts';
import { groupReturns } from '../sections/group-returns.ts';
import { howMade } from '../sections/how-made.ts';
import { launchNote } from '../sections/launch.ts';
import { idOf, keyOf, nameOf } from '../sections/named.ts';
import { notice } from '../sections/notices.ts';
import { findRelated } from '../sections/related.ts';
import { sleevesSection } from '../sections/sleeves-section.ts';
import { methodologyInWords } from '../words.ts';

/** An index: its level and history, its constituents, how it was calculated and what moved it. */
export const indexPage: Page = {
  name: 'indices',
  async open({ documents, id, show }) {
    const index = await documents.find('/indices/{id}', id);
    if (!index)
      return show(
        html`<h1>No index ${id}</h1><p class="note">No index with this ticker is published here. <a href="#/">All indices</a></p>`,
      );
    const [prices, constituents, correlation, events, daily, announcements, related, files] =
      await Promise.all([
        documents.find('/indices/{id}/prices', id),
        documents.find('/indices/{id}/constituents', id),
        documents.find('/indices/{id}/correlation', id),
        index.sleeves ? documents.find('/indices/{id}/membership-events', id) : undefined,
        findDailyMarks(documents, 'indices', id),
        findAnnouncements(documents, id),
        findRelated(documents, 'indices', id),
        downloads(documents, 'indices', index),
      ]);
    const rows = constituents?.data ?? [];
    const names = new Map(rows.map((row) => [idOf(row), nameOf(row)]));
    const called = shortNames(index, rows);
    const places = [...marksOf(events?.data ?? []), ...noticed(announcements)];
    const halted = rows.filter((row) => row.exclude_reason === 'halted').length;
    show(html`
      ${heading(index)} ${levelSection(index, prices, { places, halted })}
      <div class="pair">${howMade(index, rows, names, called)} ${groupReturns(index, names)}</div>
      ${sleevesSection(index.sleeves, names)} ${constituentsSection(index, rows, daily)}
      ${correlationSection(correlation, called)}
      ${announcements.length > 0 ? html`<section><h2>Announcements</h2>${announcements.map((each) => notice(each, 3))}</section>` : nothing}
      ${related} ${files} ${requestSection(documents)}
    `);
  },
};

/** Short names of the constituents: their groups if each is in a group of its own. */
function shortNames({ group_by }: IndexDetail, rows: readonly ConstituentRow[]): ReadonlyMap<string, string> {
  const groups = new Set(rows.map((row) => group_by && row.groups?.[group_by]));
  const grouped = group_by !== undefined && groups.size === rows.length;
  return new Map(rows.map((row) => [keyOf(row), (grouped && row.groups?.[group_by]) || nameOf(row)]));
}

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
  { places, halted }: { places: readonly ChartMark[]; halted: number },
) {
  const all = (prices?.data ?? []).map(({ at, level }) => ({ at: Date.parse(at), value: level }));
  const starts = (prices?.series_starts ?? []).map((at) => Date.parse(at));
  const start = starts.at(-1);
  // Nothing is compared with an earlier series of the same index.
  const points = start === undefined ? all : all.filter((point) => point.at >= start);
  const { latest_price: level, official_daily_value: official, latest_print_at } = index;
  return html`<section>
    <p class="level">
      ${level === undefined ? html`<span class="faint">no level now</span>` : html`${figure(level, formatLevel(level))} <small>${unitOf(index.quote_convention)}</small>`}
      ${marks(index, { halted })}
    </p>
    ${figures([
      ...overDays([1, 7, 30, 90], (days) =>
        level === undefined ? undefined : moved(changeOver(points, days), index.quote_convention),
      ),
      ['last daily value', official === undefined ? undefined : figure(official, formatLevel(official))],
      ['last print', latest_print_at && moment(latest_print_at)],
    ])}
    ${
      all.length > 1
        ? html`<series-chart
            .chart=${{
              label: `Level of ${index.name}`,
              lines: [{ name: 'level', points: brokenAt(all, starts) }],
              marks: { name: 'announcements and changes of members', places },
              format: formatLevel,
            }}
          ></series-chart>`
        : html`<p class="note">There is no history to draw yet.</p>`
    }
    ${launchNote(prices)}
  </section>`;
}

/** A change of a level: in percent; of one out of 100, where that would be read as its points, in these first. */
function moved(over: ReturnType<typeof changeOver>, quoteConvention: string) {
  const percent = change(over?.percent, '%');
  return quoteConvention === 'points' || !over
    ? percent
    : html`${change(over.difference, '')} <small>(${percent})</small>`;
}

/**
 * The notices about an index: from the server the first page of these, on a host of files those in the first page of
 * all notices.
 */
async function findAnnouncements(documents: Documents, id: string): Promise<Announcement[]> {
  const found = await documents.find('/announcements', '', { index: id });
  return (found?.data ?? []).filter((each) => each.index_id === id);
}

function marksOf(events: readonly MembershipEvent[]): ChartMark[] {
  return events.map((event) => ({
    at: Date.parse(event.at),
    text: `${event.kind}: ${nameOf(event)}`,
  }));
}

function noticed(announcements: readonly Announcement[]): ChartMark[] {
  return announcements.map(({ effective_at, title }) => ({ at: Date.parse(effective_at), text: title }));
}
