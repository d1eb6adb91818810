import type { Announcement } from '../model/announcement.ts';
import { DAY_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { insertAnnouncement } from '../store/definitions/announcements.ts';
import type { Store } from '../store/store.ts';

/** Notices of the simulated editor, dated in days before the run. */
const NOTICES: readonly (Pick<Announcement, 'type' | 'ticker' | 'title' | 'body'> & {
  announced: number;
  effective: number;
})[] = [
  {
    type: 'corporate_action',
    ticker: 'SIMUSPRES28.G',
    title: 'Venue A closes its books for a night of maintenance (simulated)',
    body: 'Names whose books are not quoted meanwhile are held at their last good mark. The level does not jump.',
    announced: 21,
    effective: 19,
  },
  {
    type: 'methodology_update',
    title: 'Books that nobody has seen for a day give way (simulated)',
    body: 'A book that was not seen for a day yields to a newer point of the venue’s price history. Levels stay where they are.',
    announced: 45,
    effective: 38,
  },
];

/** Records the notices of the simulated world. */
export function recordNotices(store: Store, now: Instant): void {
  store.write((writer) => {
    for (const { announced, effective, ...notice } of NOTICES)
      insertAnnouncement(writer, {
        ...notice,
        announced_at: now - announced * DAY_MS,
        effective_at: now - effective * DAY_MS,
      });
  });
}
