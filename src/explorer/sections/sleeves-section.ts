import { html, nothing, type TemplateResult } from 'lit-html';
import { formatCents, formatShare } from '../../charts/wording.ts';
import { counted } from '../../model/counted.ts';
import { figure, moment } from '../parts.ts';
import type { Sleeve } from '../public-documents.ts';
import { idOf, nameLink } from './named.ts';

/**
 * The seats of a team index with their members, those that have left folded away.
 *
 * @param names of members, by id
 */
export function sleevesSection(
  sleeves: readonly Sleeve[] | undefined,
  names: ReadonlyMap<string, string>,
): TemplateResult | typeof nothing {
  if (!sleeves || sleeves.length === 0) return nothing;
  return html`<section>
    <h2>Seats</h2>
    <div class="tiles seats">${sleeves.map((sleeve) => seat(sleeve, names))}</div>
  </section>`;
}

function seat({ seat: name, weight, members }: Sleeve, names: ReadonlyMap<string, string>): TemplateResult {
  const rows = members.flatMap((member): readonly Member[] => member.marks ?? [member]);
  const staying = rows.filter((row) => row.active_until === undefined);
  const left = rows.filter((row) => row.active_until !== undefined);
  const list = (of: readonly Member[]) => html`<ul>${of.map((row) => memberRow(row, names))}</ul>`;
  return html`<article>
    <h3>${name.replaceAll('_', ' ')} <span class="faint">${formatShare(weight)}</span></h3>
    ${staying.length === 0 ? html`<p class="faint">no member now</p>` : list(staying)}
    ${left.length === 0 ? nothing : html`<details><summary>${counted(left.length, 'earlier member')}</summary>${list(left)}</details>`}
  </article>`;
}

type Member = Sleeve['members'][number];

function memberRow(member: Member, names: ReadonlyMap<string, string>): TemplateResult {
  const { mark_price, active_until, line } = member;
  return html`<li>
    ${nameLink({ ...member, question: names.get(idOf(member)) })}
    ${line === undefined ? nothing : html`<span class="ticker">line ${line}</span>`}
    ${mark_price === undefined ? html`<span class="faint">no mark</span>` : figure(mark_price, formatCents(100 * mark_price))}
    ${active_until === undefined ? nothing : html`<span class="faint">until ${moment(active_until)}</span>`}
  </li>`;
}
