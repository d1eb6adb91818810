import { droppedNotice, isCallingOff, scheduledNotices } from '../methodology/index-changes.ts';
import type { Instant } from '../model/units.ts';
import { insertAnnouncement, lastRebalances } from '../store/definitions/announcements.ts';
import { findFirstAdoption, listIndexDefinitions, listVersions } from '../store/definitions/definitions.ts';
import { findStanding } from '../store/prints/standings.ts';
import type { Writer } from '../store/store.ts';

/**
 * Announces, once each, the rebalances that the calendars of the indices bring in the days to come, and those
 * since the last calculation, each by the definition then in force. Those before an index was adopted are
 * history and are not announced. What was announced and is asked for no more is called off, of withdrawn indices too.
 */
export function announceScheduled(writer: Writer, withdrawn: readonly string[], now: Instant): void {
  const inForce = listIndexDefinitions(writer).map((each) => each.definition.ticker);
  for (const ticker of inForce) {
    const calculatedTo = findStanding(writer, 'index', ticker)?.calculated_to ?? 0;
    const after = Math.max(calculatedTo, findFirstAdoption(writer, 'index', ticker) ?? now);
    const versions = listVersions(writer, ticker);
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
      if (!last || isCallingOff(last)) insertAnnouncement(writer, notice);
    }
    const asked = [...scheduled, ...versions.map((each) => ({ effective_at: each.takes_effect_at }))];
    callOff(writer, ticker, new Set(asked.map((each) => each.effective_at)), now);
  }
  for (const ticker of withdrawn) callOff(writer, ticker, new Set(), now);
}

/** Calls off what was announced of an index for an instant to come at which it is asked for nothing. */
function callOff(writer: Writer, ticker: string, asked: ReadonlySet<Instant>, now: Instant): void {
  for (const [at, told] of lastRebalances(writer, ticker, now))
    if (!asked.has(at) && !isCallingOff(told))
      insertAnnouncement(writer, droppedNotice({ ...told, ticker }, now));
}
