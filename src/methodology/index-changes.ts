import type { Announcement } from '../model/announcement.ts';
import { pricedConstituents } from '../model/definitions/definition.ts';
import type { IndexDefinition } from '../model/definitions/index-definition.ts';
import type { DatedVersion, EarlierVersions } from '../model/definitions/index-versions.ts';
import { DAY_MS, definedInstant, formatInstant, parseInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { callingOff, changeNotice } from './change-notices.ts';
import { deletionNotices } from './deletion-notices.ts';

/** A change of what an index prices is announced at least this long before it takes effect. */
const NOTICE_MS = DAY_MS;

/** When a changed definition takes effect, and what is announced. */
export interface PlannedChange {
  takes_effect_at: Instant;
  /** Empty if there is nothing to announce, or it has been announced already. */
  notices: Announcement[];
}

/**
 * Plans when a changed definition takes effect and what is announced. A change of what is priced takes effect a day
 * after the adoption at the earliest. Changes of names, texts and staged constituents take effect at once, and so do
 * changes of fields that are fixed only once the index has printed. A pending change that another one replaces is
 * called off. Deletions have notices of their own.
 */
export function planChange(
  { inForce, pending, calculated_to = -1 }: EarlierVersions,
  after: IndexDefinition,
  now: Instant,
): PlannedChange {
  const isPlanned =
    pending &&
    whatCounts(pending.definition) === whatCounts(after) &&
    pending.definition.effective_at === after.effective_at;
  if (isPlanned) return { takes_effect_at: pending.takes_effect_at, notices: [] };

  const stays = whatCounts(inForce) === whatCounts(after);
  const wasAnnounced = pending && !onlyDeletes(inForce, pending, now);
  const calledOff = wasAnnounced ? [callingOff(after, pending, { now, stays })] : [];
  if (stays) return { takes_effect_at: now, notices: calledOff };
  // Nothing has been printed yet, or this would have been refused: the index is simply a different one from its first
  // print on.
  if (refusedChanges(inForce, after).length > 0)
    return { takes_effect_at: calculated_to + 1, notices: calledOff };

  const takes_effect_at = Math.max(parseInstant(after.effective_at ?? '') ?? 0, now + NOTICE_MS);
  if (onlyDeletes(inForce, { definition: after, takes_effect_at }, now))
    return { takes_effect_at, notices: calledOff };
  return { takes_effect_at, notices: [...calledOff, changeNotice(inForce, after, { now, takes_effect_at })] };
}

/**
 * The changed fields that must not change once an index has printed, because they define what its levels mean and where
 * they began. Such a change needs a new ticker.
 *
 * @returns the fields, each with the value that it must keep
 */
export function refusedChanges(
  before: IndexDefinition,
  after: IndexDefinition,
): { field: string; kept: unknown }[] {
  const { methodology } = before;
  if (after.methodology !== methodology) return [{ field: 'methodology', kept: methodology }];
  const beganWith = (definition: IndexDefinition) => ({
    quote_convention: definition.quote_convention,
    base_level: 'base_level' in definition ? definition.base_level : undefined,
    base_index_id: 'base_index_id' in definition ? definition.base_index_id : undefined,
    base_at: formatInstant(definedInstant(definition.base_at)),
  });
  const wanted = new Map<string, unknown>(Object.entries(beganWith(after)));
  return Object.entries(beganWith(before)).flatMap(([field, kept]) =>
    wanted.get(field) === kept ? [] : [{ field, kept }],
  );
}

/** Whether deletions, which have notices of their own, are all that a version changes. */
function onlyDeletes(inForce: IndexDefinition, changed: DatedVersion, now: Instant): boolean {
  if (withoutDeletions(inForce) !== withoutDeletions(changed.definition)) return false;
  const versions = [{ definition: inForce, takes_effect_at: 0 }, changed];
  return deletionNotices(versions, changed.takes_effect_at - 1, now).length > 0;
}

function withoutDeletions(definition: IndexDefinition): string {
  return 'deletions' in definition
    ? whatCounts({ ...definition, deletions: undefined })
    : whatCounts(definition);
}

/** Everything in a definition that its numbers depend on, as JSON. */
function whatCounts(definition: IndexDefinition): string {
  return JSON.stringify({
    ...definition,
    // A seat and a category, by which constituents count, have fields of their own too.
    constituents: pricedConstituents(definition).map((each) => ({ ...each, groups: undefined })),
    $schema: undefined,
    name: undefined,
    description: undefined,
    visibility: undefined,
    organization: undefined,
    group_by: undefined,
    interval_minutes: undefined,
    effective_at: undefined,
  });
}
