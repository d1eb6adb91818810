import { expect, it } from 'vitest';
import { ANNOUNCEMENT_TYPES } from '../../../src/model/announcement.ts';
import { insertAnnouncement, listAnnouncements } from '../../../src/store/definitions/announcements.ts';
import { openStore } from '../../../src/store/store.ts';

it('a notice of every kind is stored: the table, which names them, allows them all', () => {
  const store = openStore(':memory:');
  for (const type of ANNOUNCEMENT_TYPES)
    store.write((writer) =>
      insertAnnouncement(writer, { type, title: type, body: 'b', announced_at: 1, effective_at: 1 }),
    );
  const stored = store.read((reader) => listAnnouncements(reader, { until: 1 }));
  expect(stored.map(({ type }) => type).toSorted()).toEqual(ANNOUNCEMENT_TYPES.toSorted());
  store.close();
});
