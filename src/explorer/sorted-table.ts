import { html, nothing, type TemplateResult } from 'lit-html';

/** A column of a table; one without a key is not sorted by. */
export interface Column<Row> {
  title: string;
  /** Numbers stand at the right. */
  numeric?: boolean;
  key?(row: Row): string | number | undefined;
  cell(row: Row): unknown;
}

/** By which column, and which way. */
export interface Order {
  column: number;
  descending: boolean;
}

/** Rows in an order; those without a value last whichever way. */
function ordered<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | undefined,
): Row[] {
  const key = order && columns[order.column]?.key;
  if (!order || !key) return [...rows];
  const sign = order.descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: key(row) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return sign * (typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b));
    })
    .map(({ row }) => row);
}

/** A table whose heads sort it. @param sort is told the new order */
export function sortedTable<Row>(
  {
    caption,
    rows,
    columns,
    order,
  }: { caption: string; rows: readonly Row[]; columns: readonly Column<Row>[]; order?: Order | undefined },
  sort?: (order: Order) => void,
): TemplateResult {
  const direction = (i: number) =>
    order?.column !== i ? nothing : order.descending ? 'descending' : 'ascending';
  const head = (column: Column<Row>, i: number) =>
    sort && column.key
      ? html`<button
          type="button"
          @click=${() => sort({ column: i, descending: order?.column === i ? !order.descending : column.numeric === true })}
        >${column.title}</button>`
      : column.title;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <caption class="unseen">${caption}</caption>
      <thead>
        <tr>
          ${columns.map((column, i) => html`<th scope="col" class=${column.numeric ? 'number' : ''} aria-sort=${direction(i)}>${head(column, i)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${ordered(rows, columns, order).map(
          (row) =>
            html`<tr>${columns.map((column) => html`<td class=${column.numeric ? 'number' : ''}>${column.cell(row)}</td>`)}</tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
