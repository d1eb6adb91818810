import { html, nothing, type TemplateResult } from 'lit-html';
import { formatCents, formatShare } from '../charts/wording.ts';
import { nameLink } from './named.ts';
import { figure, moment } from './parts.ts';
import type { Sleeve } from './public-documents.ts';

/** The seats of a team index with their members. */
export function sleevesSection(sleeves: readonly Sleeve[] | undefined): TemplateResult | typeof nothing {
  if (!sleeves || sleeves.length === 0) return nothing;
  return html`<section>
    <h2>Seats</h2>
    <div class="seats">
      ${sleeves.map(
        (sleeve) => html`<article>
          <h3>${sleeve.seat.replaceAll('_', ' ')} <span class="faint">${formatShare(sleeve.weight)}</span></h3>
          ${sleeve.members.length === 0 ? html`<p class="faint">no member now</p>` : nothing}
          <ul>${sleeve.members.map(memberRow)}</ul>
        </article>`,
      )}
    </div>
  </section>`;
}

function memberRow(member: Sleeve['members'][number]): TemplateResult {
  if ('marks' in member && member.marks) return html`${member.marks.map(memberRow)}`;
  const { mark_price, active_until } = member;
  return html`<li class=${active_until === undefined ? '' : 'faint'}>
    ${nameLink(member)} ${member.line === undefined ? nothing : html`<span class="ticker">line ${member.line}</span>`}
    ${mark_price === undefined ? html`<span class="faint">no mark</span>` : figure(mark_price, formatCents(100 * mark_price))}
    ${active_until === undefined ? nothing : html`<span>until ${moment(active_until)}</span>`}
  </li>`;
}
