import { html, nothing, type TemplateResult } from 'lit-html';
import { areStates, type StateTile, stateMap } from '../../charts/state-map.ts';
import { formatChange, formatShare } from '../../charts/wording.ts';
import { change, drawing } from '../parts.ts';
import type { GroupReturn, IndexDetail } from '../public-documents.ts';
import { numbers, sortedTable } from '../sorted-table.ts';
import { titled } from '../words.ts';

/** More rows than this are folded away. */
const OPEN_ROWS = 12;

/**
 * What each group did since the last daily close: a map where the groups are states, and always a table.
 *
 * @param names of the constituents, by id
 */
export function groupReturns(
  { constituent_returns: returns, group_by }: IndexDetail,
  names: ReadonlyMap<string, string>,
): TemplateResult | typeof nothing {
  if (returns.length === 0) return nothing;
  const mapped = group_by !== undefined && areStates(returns.map((each) => each.group));
  const nameOfGroup = ({ group }: GroupReturn) =>
    names.get(group) ?? (group_by === undefined ? group : group.replaceAll('_', ' '));
  const table = sortedTable<GroupReturn>({
    caption: `Returns by ${group_by ?? 'name'}`,
    rows: returns,
    columns: [
      { title: titled(group_by ?? 'name'), key: nameOfGroup, cell: nameOfGroup },
      { title: 'Weight', numeric: true, key: (row) => row.weight, cell: (row) => formatShare(row.weight) },
      numbers(
        'Points',
        (row) => row.point_change,
        (points) => change(points, ''),
      ),
      numbers(
        'Percent',
        (row) => row.percent_change,
        (percent) => change(percent, '%'),
      ),
    ],
  });
  return html`<section>
    <h2>${group_by ? `By ${group_by}` : 'By name'} since the last daily close${mapped ? ', in percent' : ''}</h2>
    ${mapped ? drawing(stateMap(returns.map(tileOf), mapLabel(returns))) : nothing}
    ${
      mapped || returns.length > OPEN_ROWS
        ? html`<details><summary>Table of ${returns.length}</summary>${table}</details>`
        : table
    }
  </section>`;
}

/** A tile has room for one decimal. */
const ONE = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

function tileOf({ group, weight, point_change, percent_change }: GroupReturn): StateTile {
  const also = `${formatChange(point_change, '')} points, weight ${formatShare(weight)}`;
  if (percent_change === undefined) return { state: group, text: '–', title: `${group}: –, ${also}` };
  return {
    state: group,
    change: percent_change,
    text: formatChange(percent_change, '', ONE),
    title: `${group}: ${formatChange(percent_change, '%')}, ${also}`,
  };
}

function mapLabel(returns: readonly GroupReturn[]): string {
  const up = returns.filter((each) => (each.percent_change ?? 0) > 0).length;
  const down = returns.filter((each) => (each.percent_change ?? 0) < 0).length;
  return `Map of the states: ${up} up, ${down} down since the last daily close; the table below has each`;
}
