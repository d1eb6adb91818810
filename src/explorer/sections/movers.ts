import { html, nothing, type TemplateResult } from 'lit-html';
import { formatLevel } from '../../charts/wording.ts';
import type { Sparkline } from '../../routes/page-files.ts';
import { sparklineOf } from '../charts/sparklines.ts';
import { linkTo } from '../page.ts';
import { change } from '../parts.ts';
import type { IndexRow } from '../public-documents.ts';

const SHOWN = 4;
/** With fewer indices the table alone shows this well enough. */
const ENOUGH = 8;

/** The indices that moved most over a window, up or down; nothing if there are few indices, or none has moved. */
export function movers(
  rows: readonly IndexRow[],
  lines: Readonly<Record<string, Sparkline>>,
  window: string,
): TemplateResult | typeof nothing {
  if (rows.length < ENOUGH) return nothing;
  const moved = rows
    .flatMap((row) =>
      row.change_percent === undefined || row.latest_price === undefined
        ? []
        : [{ ...row, level: row.latest_price, percent: row.change_percent }],
    )
    .sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent));
  if (moved.length === 0) return nothing;
  return html`<section>
    <h2>Moved most in ${window}</h2>
    <div class="tiles movers">
      ${moved.slice(0, SHOWN).map(
        ({ ticker, name, level, percent }) => html`<article>
          <a href=${linkTo('indices', ticker)}>${name}</a>
          <p>
            <span>${formatLevel(level)}<br />${change(percent, '%')}</span>
            ${sparklineOf(lines[ticker]?.values, ticker)}
          </p>
        </article>`,
      )}
    </div>
  </section>`;
}
