import { html, nothing, type TemplateResult } from 'lit-html';
import { heatMap } from '../charts/heat-map.ts';
import { drawing, moment } from './parts.ts';
import type { Correlation } from './public-documents.ts';

/** Pairs that are named in words. */
const PAIRS = 5;

/** How the names move together: a heat map, and the strongest pairs in words. */
export function correlationSection(
  found: Correlation | undefined,
  names: ReadonlyMap<string, string>,
): TemplateResult | typeof nothing {
  if (!found || found.market_ids.length < 2) return nothing;
  const named = found.market_ids.map((id) => names.get(id) ?? id);
  const pairs = found.matrix.flatMap((row, i) =>
    row
      .slice(0, i)
      .flatMap((value, j) => (value === null ? [] : [{ value, of: `${named[i]} – ${named[j]}` }])),
  );
  pairs.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return html`<section>
    <h2>How the names move together</h2>
    ${
      pairs.length === 0
        ? html`<p class="note">Too few daily closes for a correlation: it takes 20 changes that both names have.</p>`
        : html`<p class="faint">Green together, red apart: Pearson correlation of daily changes through ${moment(found.through)}; blank where a pair has under 20 changes.</p>
            <div class="scroll" tabindex="0" role="region" aria-label="Correlation map">
              ${drawing(heatMap(named, found.matrix, `Correlation of ${named.length} names; the strongest pairs are listed below`))}
            </div>
            <h3>Strongest pairs</h3>
            <ol>${pairs.slice(0, PAIRS).map((pair) => html`<li><data value=${pair.value}>${pair.value.toFixed(2).replace('-', '−')}</data> ${pair.of}</li>`)}</ol>`
    }
  </section>`;
}
