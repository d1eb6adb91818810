import { html } from 'lit-html';
import { askedOf, choice, listForm, turning } from '../list-controls.ts';
import { type ListPage, linkTo, type Page } from '../page.ts';
import type { Announcement } from '../public-documents.ts';
import { requestSection } from '../requests.ts';
import { notice, noticeText } from '../sections/notices.ts';

/** The kinds of notices. */
const TYPES: Readonly<Record<Announcement['type'], string>> = {
  rebalance: 'rebalance',
  methodology_update: 'methodology update',
  corporate_action: 'corporate action',
};

/**
 * Notices of index changes, newest first, of all kinds or of one; on a host of files only the first page of the list.
 */
export const announcementListPage: ListPage = {
  name: 'announcements',
  label: 'Announcements',
  needs: ['/announcements'],
  async open(context) {
    const { documents, parameters, show } = context;
    const asked = askedOf(context, '/announcements', ['type', 'page']);
    const list = await documents.find('/announcements', '', asked);
    const type = parameters.get('type');
    const notices = (list?.data ?? []).filter((each) => !type || each.type === type);
    show(html`
      <h1>Announcements</h1>
      ${listForm('announcements', choice(context, 'type', 'Kind', [['', 'all'], ...Object.entries(TYPES)]))}
      ${notices.length === 0 ? html`<p class="note">None. Changes of indices and rules are announced here before they take effect.</p>` : notices.map((each) => notice(each, 2))}
      ${turning(context, 'announcements', '/announcements', list?.meta.has_next ?? false)} ${requestSection(documents)}
    `);
  },
};

export const announcementPage: Page = {
  name: 'announcements',
  async open({ documents, id, show }) {
    const found = await documents.find('/announcements/{id}', id);
    show(html`
      <h1>${found?.title ?? `No announcement ${id}`}</h1>
      ${found ? noticeText(found) : html`<p><a href=${linkTo('announcements')}>All announcements</a></p>`} ${requestSection(documents)}
    `);
  },
};
