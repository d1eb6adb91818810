import { html, nothing, type TemplateResult } from 'lit-html';
import { nameLink } from './named.ts';
import { linkTo } from './page.ts';
import { moment } from './parts.ts';
import type { Announcement, Named } from './public-documents.ts';

/** A notice in a list: when, what kind, of which index, and what it says. */
export function notice(announcement: Announcement): TemplateResult {
  const { announcement_id, type, index_id, title, body, announced_at, effective_at } = announcement;
  return html`<article class="notice">
    <p class="faint">${moment(announced_at)} · ${type.replaceAll('_', ' ')}${index_id ? html` · <a href=${linkTo('indices', index_id)}>${index_id}</a>` : nothing}</p>
    <h3><a href=${linkTo('announcements', announcement_id)}>${title}</a></h3>
    <p>${body}</p>
    <p class="faint">Counts from ${moment(effective_at)}.</p>
    ${names('Added', announcement.added_markets)} ${names('Removed', announcement.removed_markets)}
  </article>`;
}

function names(label: string, markets: readonly Named[] | undefined) {
  if (!markets || markets.length === 0) return nothing;
  return html`<p>${label}: ${markets.map((each, i) => html`${i > 0 ? ', ' : ''}${nameLink(each)}`)}</p>`;
}
