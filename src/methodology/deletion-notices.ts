import type { Announcement } from '../model/announcement.ts';
import type { BasketDefinition, IndexDefinition } from '../model/definitions/index-definition.ts';
import type { DatedVersion } from '../model/definitions/index-versions.ts';
import { definedInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';

type Deletion = NonNullable<BasketDefinition['deletions']>[number];

function deletionsOf(definition: IndexDefinition): Deletion[] {
  return 'deletions' in definition ? (definition.deletions ?? []) : [];
}

/**
 * The notices of deletions after an instant, that is, of constituents removed at a stated price, each by the version in
 * effect then. What is already deleted is not deleted again.
 *
 * @param versions the oldest first
 */
export function deletionNotices(
  versions: readonly DatedVersion[],
  after: Instant,
  now: Instant,
): Announcement[] {
  let out = new Set<string>();
  return versions.flatMap(({ definition, takes_effect_at }, i) => {
    const before = versions[i + 1]?.takes_effect_at ?? Number.POSITIVE_INFINITY;
    const effectOf = (deletion: Deletion) => Math.max(takes_effect_at, definedInstant(deletion.at));
    const done = deletionsOf(definition).filter((each) => out.has(each.market_id) || effectOf(each) < before);
    const due = done.filter((each) => !out.has(each.market_id) && effectOf(each) > after);
    out = new Set(done.map((each) => each.market_id));
    return due.map((each) => noticeOf(definition, each, { announced_at: now, effective_at: effectOf(each) }));
  });
}

function noticeOf(
  { ticker, name }: IndexDefinition,
  { market_id, price_cents }: Deletion,
  dates: Pick<Announcement, 'announced_at' | 'effective_at'>,
): Announcement {
  return {
    type: 'corporate_action',
    ticker,
    title: `Deletion from ${ticker}`,
    body: `${name} takes ${market_id} out at ${price_cents} cents a contract.`,
    deed: `${market_id} ${price_cents}`,
    ...dates,
  };
}

export function droppedDeletion(announced: Announcement, now: Instant): Announcement {
  const { title, body } = announced;
  return {
    ...announced,
    title: `${title} called off`,
    body: `The deletion announced as "${body}" does not take place.`,
    calls_off: true,
    announced_at: now,
  };
}

/**
 * The announced deletions that have not been cancelled, by what they do and when, regardless of the ticker and name of
 * the index.
 *
 * @param announced corporate actions of an index, the oldest first
 */
export function standingDeletions(announced: readonly Announcement[]): Map<string, Announcement> {
  const standing = new Map<string, Announcement>();
  for (const each of announced) {
    if (each.deed === undefined) continue;
    if (each.calls_off) standing.delete(deedOf(each));
    else standing.set(deedOf(each), each);
  }
  return standing;
}

/** Identifies a deletion by what its notice says is done, and when. */
export function deedOf({ deed, effective_at }: Pick<Announcement, 'deed' | 'effective_at'>): string {
  return `${effective_at} ${deed}`;
}
