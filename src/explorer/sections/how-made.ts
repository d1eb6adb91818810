import { html, nothing, type TemplateResult } from 'lit-html';
import { formatChange, formatLevel, formatShare } from '../../charts/wording.ts';
import { counted } from '../../model/counted.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import { moment } from '../parts.ts';
import type { ConstituentRow, GroupReturn, IndexDetail } from '../public-documents.ts';
import { basisInWords, exclusionInWords } from '../words.ts';
import { confidenceInWords } from './confidence.ts';
import { keyOf } from './named.ts';

/** How each family calculates its level from the marks. */
const FAMILIES: Readonly<Record<string, string>> = {
  basket:
    'The level is the value of the basket, quantities times marks, over a divisor that keeps the level where it is when names enter or leave.',
  gauge: 'The level is the mean of the marks, each counted by its weight.',
  nti: 'The level is the value of four seats, of equal value when the series opens: championship, conference, division, and wins or the next game. In between, the quantities stay as they are.',
  composite: 'The level is the value of a basket of other indices, each at its own level.',
  total_return:
    'The level follows its base index and reinvests what settlements pay as soon as a name can take it.',
} satisfies Record<IndexDefinition['methodology'], string>;

/**
 * How the last print of an index was made, in sentences.
 *
 * @param names of its constituents, by id
 * @param shortNames of its constituents, by key
 */
export function howMade(
  index: IndexDetail,
  rows: readonly ConstituentRow[],
  names: ReadonlyMap<string, string>,
  shortNames: ReadonlyMap<string, string>,
): TemplateResult {
  const included = rows.filter((row) => !row.excluded && row.weight > 0);
  const excluded = rows.filter((row) => row.excluded);
  // A name may also weigh nothing by its own attribute, such as its volume.
  const unpriced = rows.filter((row) => !row.excluded && row.weight === 0 && row.basis === undefined).length;
  const top = [...included].sort((a, b) => b.weight - a.weight).slice(0, 3);
  return html`<section>
    <h2>How this number was made</h2>
    ${index.latest_print_at === undefined ? html`<p>There is no print yet.</p>` : nothing}
    <p>${FAMILIES[index.methodology] ?? nothing}</p>
    ${
      index.latest_price === undefined
        ? nothing
        : html`<p>
            At ${moment(index.latest_print_at)} the level was ${formatLevel(index.latest_price)}.
            ${included.length === 0 ? nothing : html`${counted(included.length, 'name')} had a good price${basisSentence(included)}.`}
            ${top.length > 0 ? html`The heaviest: ${top.map((row, i) => html`${i > 0 ? ', ' : ''}<bdi>${shortNames.get(keyOf(row))}</bdi> (${formatShare(row.weight)})`)}.` : nothing}
          </p>`
    }
    ${excluded.length > 0 ? excludedSentence(excluded, included.length > 0 ? index.coverage : 0) : nothing}
    ${unpriced > 0 ? html`<p>${counted(unpriced, 'name')} ${unpriced === 1 ? 'has' : 'have'} never had a good price and ${unpriced === 1 ? 'counts' : 'count'} for nothing yet.</p>` : nothing}
    ${movedBy(index.constituent_returns, names)} ${confidenceInWords(index)}
  </section>`;
}

function basisSentence(included: readonly ConstituentRow[]) {
  const counts = new Map<string, number>();
  for (const row of included) if (row.basis) counts.set(row.basis, (counts.get(row.basis) ?? 0) + 1);
  if (counts.size === 0) return nothing;
  const each = [...counts].sort(([, a], [, b]) => b - a);
  return html`: ${each.map(([basis, count], i) => html`${i > 0 ? ', ' : ''}${count} by the ${basisInWords(basis)}`)}`;
}

function excludedSentence(excluded: readonly ConstituentRow[], coverage: number | undefined) {
  const reasons = new Map<string, number>();
  for (const row of excluded) {
    const reason = exclusionInWords(row.exclude_reason);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return html`<p>
    ${counted(excluded.length, 'name')} ${excluded.length === 1 ? 'fails' : 'fail'} a check of the book
    (${[...reasons].map(([reason, count], i) => html`${i > 0 ? '; ' : ''}${reasons.size > 1 ? `${count}: ` : ''}${reason}`)})
    and ${excluded.length === 1 ? 'counts' : 'count'} at the last good mark: shown with weight 0, and moving nothing until the
    book is good again.
    ${coverage === undefined ? nothing : html`Good books make up ${formatShare(coverage)} of the value now.`}
  </p>`;
}

function movedBy(returns: readonly GroupReturn[], names: ReadonlyMap<string, string>) {
  const moved = returns
    .filter((each) => each.point_change !== 0)
    .sort((a, b) => Math.abs(b.point_change) - Math.abs(a.point_change));
  if (moved.length === 0)
    return returns.length > 0 ? html`<p>Nothing has moved it since the last daily close.</p>` : nothing;
  return html`<p>
    Since the last daily close it was moved most by
    ${moved.slice(0, 3).map((each, i) => html`${i > 0 ? ', ' : ''}<bdi>${names.get(each.group) ?? each.group}</bdi> (${formatChange(each.point_change, '')})`)}.
  </p>`;
}
