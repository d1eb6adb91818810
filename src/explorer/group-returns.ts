import { html, nothing, type TemplateResult } from 'lit-html';
import { areStates, stateMap } from '../charts/state-map.ts';
import { formatChange, formatShare } from '../charts/wording.ts';
import { idOf, nameOf } from './named.ts';
import { change, drawing } from './parts.ts';
import type { ConstituentRow, GroupReturn, IndexDetail } from './public-documents.ts';
import { sortedTable } from './sorted-table.ts';

/** What each group did since the last daily close: a map where the groups are states, and always a table. */
export function groupReturns(
  { constituent_returns: returns, group_by }: IndexDetail,
  constituents: readonly ConstituentRow[],
): TemplateResult | typeof nothing {
  if (returns.length === 0) return nothing;
  const names = new Map(constituents.map((row) => [idOf(row), nameOf(row)]));
  const groups = returns.map((each) => each.group);
  const map =
    group_by !== undefined && areStates(groups)
      ? stateMap(returns.map(tileOf), mapLabel(returns))
      : undefined;
  return html`<section>
    <h2>${group_by ? `By ${group_by}` : 'By name'} since the last daily close</h2>
    ${drawing(map)}
    <details ?open=${map === undefined && returns.length <= 12}>
      <summary>Table of ${returns.length}</summary>
      ${sortedTable<GroupReturn>({
        caption: `Returns by ${group_by ?? 'name'}`,
        rows: returns,
        columns: [
          { title: group_by ?? 'Name', cell: (row) => names.get(row.group) ?? row.group },
          { title: 'Weight', numeric: true, cell: (row) => formatShare(row.weight) },
          { title: 'Points', numeric: true, cell: (row) => change(row.point_change, '') },
          { title: 'Percent', numeric: true, cell: (row) => change(row.percent_change, '%') },
        ],
      })}
    </details>
  </section>`;
}

function tileOf({ group, weight, point_change, percent_change }: GroupReturn) {
  const percent = percent_change === undefined ? '–' : formatChange(percent_change, '%');
  return {
    state: group,
    ...(percent_change === undefined ? {} : { change: percent_change }),
    text:
      percent_change === undefined
        ? '–'
        : `${percent_change > 0 ? '+' : percent_change < 0 ? '−' : ''}${Math.abs(percent_change).toFixed(1)}`,
    title: `${group}: ${percent}, ${formatChange(point_change, '')} points, weight ${formatShare(weight)}`,
  };
}

function mapLabel(returns: readonly GroupReturn[]): string {
  const up = returns.filter((each) => (each.percent_change ?? 0) > 0).length;
  const down = returns.filter((each) => (each.percent_change ?? 0) < 0).length;
  return `Map of the states: ${up} up, ${down} down since the last daily close; the table below has each`;
}
