import { expect, it } from 'vitest';
import { ANNOUNCEMENT_TYPES } from '../../../src/model/announcement.ts';
import { insertAnnouncement, listAnnouncements } from '../../../src/store/definitions/announcements.ts';
import { memoryStore } from '../../helpers/memory-store.ts';

it('a notice of every kind is stored: the table, which names them, allows them all', () => {
  const store = memoryStore();
  for (const type of ANNOUNCEMENT_TYPES)
    store.write((writer) =>
      insertAnnouncement(writer, { type, title: type, body: 'b', announced_at: 1, effective_at: 1 }),
    );
  const stored = store.read((reader) => listAnnouncements(reader, { until: 1 }));
  expect(stored.map(({ type }) => type).toSorted()).toEqual(ANNOUNCEMENT_TYPES.toSorted());
});

it('notices are listed newest first, and of one instant the last recorded first; both ends of a span count', () => {
  const store = memoryStore();
  for (const announced_at of [2, 1, 3, 2, 4])
    store.write((writer) =>
      insertAnnouncement(writer, {
        ...{ type: 'methodology_update', title: 't', body: 'b' },
        ...{ announced_at, effective_at: 9 },
      }),
    );
  const listed = store.read((reader) => listAnnouncements(reader, { from: 2, until: 3 }));
  expect(listed.map((each) => [each.announced_at, each.announcement_id])).toEqual([
    [3, 3],
    [2, 4],
    [2, 1],
  ]);
});
