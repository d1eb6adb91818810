import { html, nothing, type TemplateResult } from 'lit-html';
import { shareBar } from '../../charts/share-bar.ts';
import { sparklineOf } from '../charts/sparklines.ts';
import { type DailyMarks, valuesOf } from '../daily-marks.ts';
import { drawing, level, price, share } from '../parts.ts';
import type { ConstituentRow, IndexDetail } from '../public-documents.ts';
import { type Column, sortedTable } from '../sorted-table.ts';
import { basisInWords, exclusionInWords, titled } from '../words.ts';
import { keyOf, nameLink, nameOf } from './named.ts';

/** The constituents of an index, the heaviest first, and those left out, with the reasons. */
export function constituentsSection(
  index: IndexDetail,
  rows: readonly ConstituentRow[],
  daily: DailyMarks,
): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing;
  return html`<section>
    <h2>Constituents <span class="faint">${rows.length}</span></h2>
    ${sortedTable({
      caption: 'Constituents',
      rows,
      columns: columnsOf(index, rows, daily),
      order: { title: 'Weight', descending: true },
    })}
  </section>`;
}

function columnsOf(
  { group_by }: IndexDetail,
  rows: readonly ConstituentRow[],
  daily: DailyMarks,
): Column<ConstituentRow>[] {
  const groupOf = (row: ConstituentRow) => (group_by ? row.groups?.[group_by] : undefined);
  const heaviest = Math.max(...rows.map((row) => row.weight), Number.MIN_VALUE);
  return [
    { title: 'Name', key: nameOf, cell: nameLink },
    ...(group_by
      ? [{ title: titled(group_by), key: groupOf, cell: (row: ConstituentRow) => groupOf(row) ?? '–' }]
      : []),
    {
      title: 'Weight',
      numeric: true,
      key: (row) => row.weight,
      cell: (row) =>
        html`${row.weight > 0 ? drawing(shareBar(row.weight / heaviest)) : nothing}${share(row.weight)}`,
    },
    {
      title: 'Mark',
      numeric: true,
      key: (row) => row.mark ?? row.level,
      cell: (row) => (row.level === undefined ? price(row.mark) : level(row.level)),
    },
    { title: '30 days', cell: (row) => sparklineOf(valuesOf(daily, keyOf(row)), 'its mark') },
    { title: 'Standing', key: standingKey, cell: standingOf },
  ];
}

/** Names in good standing sort before those that are left out, by reason. */
function standingKey(row: ConstituentRow): string {
  return `${row.excluded ? 1 : 0} ${row.exclude_reason ?? row.basis ?? '~'}`;
}

function standingOf(row: ConstituentRow) {
  const basis = row.basis && basisInWords(row.basis);
  if (!row.excluded) return basis ?? html`<span class="faint">not priced yet</span>`;
  return html`<span class="mark">${row.exclude_reason === 'halted' ? 'halted' : 'left out'}</span> ${exclusionInWords(row.exclude_reason)}${basis ? `; ${basis}` : ''}`;
}
