import { html } from 'lit-html';
import { notice, noticeText } from './notices.ts';
import { linkTo, type Page } from './page.ts';
import { requestLines } from './requests.ts';

/** Notices of index changes, newest first. */
export const announcementListPage: Page = {
  name: 'announcements',
  label: 'Announcements',
  needs: ['/announcements'],
  async open({ documents, show }) {
    const [list, requests] = await Promise.all([
      documents.find('/announcements'),
      requestLines(documents, [{ path: '/announcements' }]),
    ]);
    const notices = list?.data ?? [];
    show(html`
      <h1>Announcements</h1>
      ${notices.length === 0 ? html`<p class="note">None yet: changes of indices and rules are told here before they count.</p>` : notices.map((each) => notice(each, 2))}
      ${requests}
    `);
  },
};

/** One notice. */
export const announcementPage: Page = {
  name: 'announcements',
  needs: ['/announcements/{id}'],
  async open({ documents, id, show }) {
    const [found, requests] = await Promise.all([
      documents.find('/announcements/{id}', id),
      requestLines(documents, [{ path: '/announcements/{id}', id }]),
    ]);
    show(html`
      <h1>${found?.title ?? `No announcement ${id}`}</h1>
      ${found ? noticeText(found) : html`<p><a href=${linkTo('announcements')}>All announcements</a></p>`} ${requests}
    `);
  },
};
