import type { Announcement } from '../model/announcement.ts';
import { counted } from '../model/counted.ts';
import { pricedConstituents } from '../model/definitions/definition.ts';
import type { IndexDefinition } from '../model/definitions/index-definition.ts';
import { DAY_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { indexFamilyOf, pricesOtherwise } from './index-families/index-families.ts';

/** The notice of a changed definition: other constituents, other weights of the same ones, or other rules. */
export function changeNotice(
  before: IndexDefinition,
  after: IndexDefinition,
  { now, takes_effect_at }: { now: Instant; takes_effect_at: Instant },
): Announcement {
  const [then, next] = [pricedIds(before), pricedIds(after)];
  const added = next.filter((id) => !then.includes(id));
  const removed = then.filter((id) => !next.includes(id));
  const { ticker, name } = after;
  const dated = { ticker, announced_at: now, effective_at: takes_effect_at, added, removed };
  if (added.length + removed.length > 0) {
    const body = `${name} adds ${counted(added.length, 'constituent')} and removes ${counted(removed.length, 'constituent')}.`;
    const staying = new Set(then.filter((id) => next.includes(id)));
    const othersToo = pricesOtherwise(only(before, staying), only(after, staying));
    return {
      ...dated,
      type: 'rebalance',
      title: `Reconstitution of ${ticker}`,
      body: othersToo ? `${body} The weights of the others change too.` : body,
    };
  }
  if (pricesOtherwise(before, after))
    return {
      ...dated,
      type: 'rebalance',
      title: `Rebalance of ${ticker}`,
      body: `${name} keeps its constituents and changes their weights.`,
    };
  return {
    ...dated,
    type: 'methodology_update',
    title: `Other rules for ${ticker}`,
    body: `${name} keeps its constituents and changes the rules by which they are priced.`,
  };
}

/** The notice that a pending change is cancelled. @param stays whether no other change replaces it */
export function callingOff(
  { ticker, name }: IndexDefinition,
  { takes_effect_at: effective_at }: { takes_effect_at: Instant },
  { now, stays }: { now: Instant; stays: boolean },
): Announcement {
  const body = stays
    ? `${name} stays as it is: the change that was announced does not take effect.`
    : `The change of ${name} that was announced does not take effect: another takes its place.`;
  return calledOff({ ticker, body, effective_at }, now);
}

/**
 * The notice that an announced event of an index is cancelled because no definition in force at that time calls for it.
 */
export function droppedNotice(
  { ticker, title, effective_at }: Announcement & { ticker: string },
  now: Instant,
): Announcement {
  return calledOff(
    { ticker, body: `The change announced as "${title}" does not take place.`, effective_at },
    now,
  );
}

function calledOff(
  { ticker, ...said }: { ticker: string; body: string; effective_at: Instant },
  announced_at: Instant,
): Announcement {
  const title = `Change of ${ticker} called off`;
  return { type: 'rebalance', ticker, title, calls_off: true, announced_at, ...said };
}

/** Scheduled rebalances and reconstitutions are announced this long in advance. */
const SCHEDULED_NOTICE_MS = 7 * DAY_MS;

/** The notices of a definition's scheduled events between two instants, as far ahead as they are announced. */
export function scheduledNotices(
  definition: IndexDefinition,
  { after, before }: { after: Instant; before: Instant },
  now: Instant,
): Announcement[] {
  const schedule = indexFamilyOf(definition).schedule?.(definition);
  if (!schedule) return [];
  const { ticker } = definition;
  const { event, body, next } = schedule;
  const until = Math.min(now + SCHEDULED_NOTICE_MS, before - 1);
  const notices: Announcement[] = [];
  for (let at = next(after); at <= until; at = next(at)) {
    const title = `${event} of ${ticker}`;
    notices.push({ type: 'rebalance', ticker, title, body, announced_at: now, effective_at: at });
  }
  return notices;
}

/** A definition reduced to some of its constituents. */
function only<Definition extends IndexDefinition>(
  definition: Definition,
  ids: ReadonlySet<string>,
): Definition {
  return { ...definition, constituents: definition.constituents.filter((each) => ids.has(each.market_id)) };
}

function pricedIds(definition: IndexDefinition): string[] {
  return pricedConstituents(definition).map((each) => each.market_id);
}
