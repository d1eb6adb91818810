import { droppedNotice, scheduledNotices } from '../../methodology/change-notices.ts';
import {
  deedOf,
  deletionNotices,
  droppedDeletion,
  standingDeletions,
} from '../../methodology/deletion-notices.ts';
import type { Instant } from '../../model/units.ts';
import {
  insertAnnouncement,
  lastRebalances,
  listCorporateActions,
} from '../../store/definitions/announcements.ts';
import {
  findFirstAdoption,
  listIndexDefinitions,
  listVersions,
  type Version,
} from '../../store/definitions/definitions.ts';
import { findCalculatedTo } from '../../store/prints/standings.ts';
import type { Writer } from '../../store/store.ts';

/**
 * Announces, once each, the deletions and the calendar rebalances of the indices that are due in the coming days or
 * since the last calculation, each by the definition then in force. What lies before an index was adopted is not
 * announced. What was announced but will not happen is called off, also for withdrawn indices.
 */
export function announceScheduled(writer: Writer, withdrawn: readonly string[], now: Instant): void {
  const inForce = listIndexDefinitions(writer).map((each) => each.definition.ticker);
  for (const ticker of inForce) {
    const series = { kind: 'index', ticker } as const;
    const calculatedTo = findCalculatedTo(writer, series) ?? 0;
    const after = Math.max(calculatedTo, findFirstAdoption(writer, series) ?? now);
    announceOf(writer, { ticker, versions: listVersions(writer, ticker), after, now });
  }
  for (const ticker of withdrawn) announceOf(writer, { ticker, versions: [], after: now, now });
}

/** An index, its versions (none once it is withdrawn) and the instant after which they are calculated. */
interface Scheduled {
  ticker: string;
  versions: readonly Version[];
  after: Instant;
  now: Instant;
}

function announceOf(writer: Writer, index: Scheduled): void {
  announceRebalances(writer, index);
  announceDeletions(writer, index);
}

function announceRebalances(writer: Writer, { ticker, versions, after, now }: Scheduled): void {
  const scheduled = versions.flatMap((version, i) =>
    scheduledNotices(
      version.definition,
      {
        after: Math.max(after, version.takes_effect_at),
        before: versions[i + 1]?.takes_effect_at ?? Number.POSITIVE_INFINITY,
      },
      now,
    ),
  );
  const told = lastRebalances(writer, ticker, Math.min(after, now));
  for (const notice of scheduled) {
    const last = told.get(notice.effective_at);
    if (!last || last.calls_off) insertAnnouncement(writer, notice);
  }
  const asked = new Set([
    ...scheduled.map((each) => each.effective_at),
    ...versions.map((each) => each.takes_effect_at),
  ]);
  for (const [at, last] of lastRebalances(writer, ticker, now))
    if (!asked.has(at) && !last.calls_off)
      insertAnnouncement(writer, droppedNotice({ ...last, ticker }, now));
}

function announceDeletions(writer: Writer, { ticker, versions, after, now }: Scheduled): void {
  const asked = new Map(deletionNotices(versions, after, now).map((each) => [deedOf(each), each]));
  const standing = standingDeletions(listCorporateActions(writer, ticker, Math.min(after, now)));
  for (const [deed, told] of standing)
    if (!asked.has(deed) && told.effective_at > now) insertAnnouncement(writer, droppedDeletion(told, now));
  for (const [deed, notice] of asked) if (!standing.has(deed)) insertAnnouncement(writer, notice);
}
