import { html, nothing, render, type TemplateResult } from 'lit-html';
import { formatCount } from '../model/counted.ts';

/** A column of a table; without a key it cannot be sorted by. */
export interface Column<Row> {
  title: string;
  /** Aligned to the right. */
  numeric?: boolean;
  key?(row: Row): string | number | undefined;
  cell(row: Row): unknown;
}

/** A sortable column of numbers. @param show formats one, or undefined if a row has none */
export function numbers<Row>(
  title: string,
  key: (row: Row) => number | undefined,
  show: (value: number | undefined) => unknown,
): Column<Row> {
  return { title, numeric: true, key, cell: (row) => show(key(row)) };
}

/** The column and direction that a table is sorted by. */
interface Order {
  title: string;
  descending: boolean;
}

interface Table<Row> {
  caption: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** The initial order; by default that of the rows. */
  order?: Order;
}

/** Further rows are shown on request. */
const ROWS_AT_FIRST = 100;

/** A table sorted by clicking its headings. It shows the first rows, and the rest on request. */
export function sortedTable<Row>(table: Table<Row>): TemplateResult {
  return html`<sorted-table .table=${table}></sorted-table>`;
}

/** An element of its own, so that it keeps the reader's order when the page is redrawn with other rows. */
class SortedTable extends HTMLElement {
  #table: Table<unknown> | undefined;
  #order: Order | undefined;
  #whole = false;

  set table(table: Table<unknown>) {
    this.#table = table;
    this.#draw();
  }

  #sort({ title, numeric = false }: Column<unknown>): void {
    const now = this.#order ?? this.#table?.order;
    this.#order = { title, descending: now?.title === title ? !now.descending : numeric };
    this.#draw();
  }

  #draw(): void {
    if (!this.#table) return;
    const { caption, rows, columns, order: first } = this.#table;
    const order = this.#order ?? first;
    const sorted = ordered(rows, columns, order);
    const cut = !this.#whole && rows.length > ROWS_AT_FIRST;
    const direction = (title: string) =>
      order?.title !== title ? nothing : order.descending ? 'descending' : 'ascending';
    // On a phone rows are laid out as blocks, which removes the implicit roles of their elements.
    render(
      html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}>
          <table role="table">
            <caption class="unseen">${caption}</caption>
            <thead role="rowgroup">
              <tr role="row">
                ${columns.map((column) => html`<th role="columnheader" scope="col" class=${kindOf(column)} aria-sort=${direction(column.title)}>${this.#head(column)}</th>`)}
              </tr>
            </thead>
            <tbody role="rowgroup">
              ${(cut ? sorted.slice(0, ROWS_AT_FIRST) : sorted).map(
                (row) =>
                  html`<tr role="row">${columns.map((column) => html`<td role="cell" class=${kindOf(column)} data-title=${column.title}>${column.cell(row)}</td>`)}</tr>`,
              )}
            </tbody>
          </table>
        </div>
        ${cut ? html`<button type="button" @click=${() => this.#showWhole()}>Show all ${formatCount(rows.length)}</button>` : nothing}`,
      this,
    );
  }

  #head(column: Column<unknown>) {
    return column.key
      ? html`<button type="button" @click=${() => this.#sort(column)}>${column.title}</button>`
      : column.title;
  }

  #showWhole(): void {
    this.#whole = true;
    this.#draw();
    this.querySelector<HTMLElement>('.scroll')?.focus();
  }
}

/** The CSS classes of a column's cells. */
function kindOf({ key, numeric }: Column<unknown>): string {
  return [numeric ? 'number' : '', key ? 'sorts' : ''].join(' ').trim();
}

/** Sorts rows; those without a value come last in both directions. */
function ordered<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | undefined,
): Row[] {
  const by = columns.find((column) => column.title === order?.title);
  if (!order || !by?.key) return [...rows];
  const sign = order.descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: by.key?.(row) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return sign * (typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b));
    })
    .map(({ row }) => row);
}

customElements.define('sorted-table', SortedTable);
