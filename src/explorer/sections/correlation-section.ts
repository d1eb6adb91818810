import { html, nothing, type TemplateResult } from 'lit-html';
import { heatMap } from '../../charts/heat-map.ts';
import { counted } from '../../model/counted.ts';
import { distinctParts } from '../distinct-parts.ts';
import { drawing, moment } from '../parts.ts';
import type { Correlation } from '../public-documents.ts';

/** Pairs listed. */
const PAIRS = 5;
/** With more names the picture is unreadable. */
const MOST_DRAWN = 64;

/** How the names move together: a heat map of those that can be compared, and the strongest pairs in words. */
export function correlationSection(
  found: Correlation | undefined,
  names: ReadonlyMap<string, string>,
): TemplateResult | typeof nothing {
  if (!found || found.market_ids.length < 2) return nothing;
  const { market_ids: ids, matrix, through } = found;
  const compared = ids.flatMap((_, i) =>
    matrix[i]?.some((value, j) => j !== i && value !== null) ? [i] : [],
  );
  const named = distinctParts(compared.map((i) => names.get(ids[i] ?? '') ?? ids[i] ?? ''));
  const drawn = named.slice(0, MOST_DRAWN);
  const left = ids.length - compared.length;
  const values = compared.map((i) => compared.map((j) => matrix[i]?.[j] ?? null));
  return html`<section>
    <h2>How the names move together</h2>
    ${
      compared.length === 0
        ? html`<p class="note">Too few daily closes for a correlation: it takes 20 changes that both names have.</p>`
        : html`<p class="faint">
              Blue together, orange apart: Pearson correlation of daily changes through ${moment(through)}; blank where a
              pair has under 20 changes.
              ${left > 0 ? html`${counted(left, 'name')} without a pair ${left === 1 ? 'is' : 'are'} not drawn.` : nothing}
              ${drawn.length < named.length ? html`Drawn are the first ${drawn.length} names.` : nothing}
            </p>
            <div class="correlation">
              <div class="scroll" tabindex="0" role="region" aria-label="Correlation map">
                ${drawing(
                  heatMap(
                    drawn,
                    values.slice(0, MOST_DRAWN).map((row) => row.slice(0, MOST_DRAWN)),
                    `Correlation of ${drawn.length} names; the strongest pairs are listed beside it`,
                  ),
                )}
              </div>
              ${strongestPairs(named, values)}
            </div>`
    }
  </section>`;
}

function strongestPairs(
  named: readonly string[],
  values: readonly (readonly (number | null)[])[],
): TemplateResult {
  const pairs = values.flatMap((row, i) =>
    row
      .slice(0, i)
      .flatMap((value, j) => (value === null ? [] : [{ value, of: `${named[j]} and ${named[i]}` }])),
  );
  pairs.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return html`<div>
    <h3>Strongest pairs</h3>
    <ol>
      ${pairs.slice(0, PAIRS).map((pair) => html`<li><data value=${pair.value}>${pair.value.toFixed(2).replace('-', '−')}</data> ${pair.of}</li>`)}
    </ol>
  </div>`;
}
