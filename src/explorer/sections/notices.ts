import { html, nothing, type TemplateResult } from 'lit-html';
import { linkTo } from '../page.ts';
import { moment } from '../parts.ts';
import type { Announcement } from '../public-documents.ts';
import { type Named, nameLink } from './named.ts';

/** A notice in a list. @param level of its heading on the page */
export function notice(announcement: Announcement, level: 2 | 3): TemplateResult {
  const title = html`<a href=${linkTo('announcements', announcement.announcement_id)}>${announcement.title}</a>`;
  return html`<article class="notice">
    ${level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`} ${noticeText(announcement)}
  </article>`;
}

/** The text of a notice below its title: its date, kind and index, and when it takes effect. */
export function noticeText(announcement: Announcement): TemplateResult {
  const { type, index_id, body, announced_at, effective_at } = announcement;
  return html`<p class="faint">
      ${moment(announced_at)} · ${type.replaceAll('_', ' ')}
      ${index_id ? html` · <a href=${linkTo('indices', index_id)}>${index_id}</a>` : nothing}
    </p>
    <p>${body}</p>
    <p class="faint">Effective ${moment(effective_at)}.</p>
    ${names('Added', announcement.added_markets)} ${names('Removed', announcement.removed_markets)}`;
}

function names(label: string, markets: readonly Named[] | undefined) {
  if (!markets || markets.length === 0) return nothing;
  return html`<p>${label}: ${markets.map((each, i) => html`${i > 0 ? ', ' : ''}${nameLink(each)}`)}</p>`;
}
