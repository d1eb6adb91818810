import { html, type TemplateResult } from 'lit-html';

const HEADING = /^(#{1,6})\s+(.*)$/;
const ADDRESS = /^<(https?:\/\/[^>\s]+)>$/;
const ASIDE = /^\*(.+)\*$/;
const ESCAPED = /\\([\\`*_[\]<>])/g;
const ESCAPED_LINE = /(?<=^(?:(?:[-+*]|\d{1,9}[.)]) )*)\\(?=#|=+$|-+$)|(?<=\])\\(?=[(:[])/gm;
const TABLE_ROW = /^\|(.*)\|$/;

/**
 * Renders text of the filings routes: headings, tables, addresses and lines; anything else is shown as it is written. Text
 * never becomes markup.
 */
export function markdown(text: string): TemplateResult {
  return html`${text.split(/\n{2,}/).map(block)}`;
}

// The text of attachments is escaped, so that it is only text; undo that to show it.
function shown(text: string): string {
  return text.replaceAll(ESCAPED_LINE, '').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}

function block(text: string): TemplateResult {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = '', ...rest] = lines;
  const heading = HEADING.exec(first);
  if (heading) {
    // Below the page's own headings.
    const title = (heading[2] ?? '').replaceAll(ESCAPED, '$1');
    return html`${(heading[1] ?? '').length <= 2 ? html`<h3>${title}</h3>` : html`<h4>${title}</h4>`}${rest.length > 0 ? block(rest.join('\n')) : ''}`;
  }
  const address = lines.length === 1 ? ADDRESS.exec(first)?.[1] : undefined;
  if (address) return html`<p><a href=${address} rel="noreferrer">${address}</a></p>`;
  const aside = lines.length === 1 ? ASIDE.exec(first)?.[1] : undefined;
  if (aside) return html`<p><em>${aside}</em></p>`;
  if (lines.length > 1 && lines.every((line) => TABLE_ROW.test(line))) return table(lines);
  return html`<p class="prose">${shown(lines.join('\n'))}</p>`;
}

function table(lines: readonly string[]): TemplateResult {
  const [head = [], , ...rows] = lines.map((line) =>
    (TABLE_ROW.exec(line)?.[1] ?? '')
      .split(/(?<!\\)\|/)
      .map((cell) => shown(cell.trim().replaceAll('\\|', '|'))),
  );
  return html`<div class="scroll">
    <table>
      <thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
      <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
    </table>
  </div>`;
}
