import { DAY_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import type { Comparison } from './similarity.ts';

/** Reasons why two contracts on the same question may still settle differently. */
const DIFFERENCES = ['deadline', 'threshold', 'settlement_source', 'wording'] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** The terms of a contract that say when and by which source it is settled. */
export interface Terms {
  closes_at?: Instant;
  /** Rules or description. */
  rules?: string;
}

/** Venues may close markets on the same question hours or a few days apart. */
const SAME_CLOSE_MS = 3 * DAY_MS;

/**
 * The differences between two contracts on the same question: the time that they name or close at, the numbers that
 * they name, the sources that their rules name, or the wording, if their texts name different values of a facet.
 */
export function differencesOf(comparison: Comparison, a: Terms, b: Terms): Difference[] {
  const { times, quantities, facets } = comparison;
  const apart =
    a.closes_at !== undefined &&
    b.closes_at !== undefined &&
    Math.abs(a.closes_at - b.closes_at) > SAME_CLOSE_MS;
  const found: Difference[] = [];
  if (times === 'other' || times === 'near' || (times !== 'same' && apart)) found.push('deadline');
  if (quantities === 'other' || quantities === 'one') found.push('threshold');
  if (differ(settlementSources(a.rules), settlementSources(b.rules))) found.push('settlement_source');
  if (facets.length > 0) found.push('wording');
  return found;
}

function differ(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size > 0 && b.size > 0 && ![...a].some((source) => b.has(source));
}

const HOST = /\bhttps?:\/\/(?:www\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi;
const NAMED =
  /\b(?:[Aa]ccording to|[Rr]eported by|[Pp]ublished by|[Aa]nnounced by|[Ss]ource (?:is|will be))\s+(?:the\s+)?((?:[A-Z][\w.&'-]*\s?){1,5})/g;

/**
 * The settlement sources named in rules: hosts of URLs, and names after "according to" and the like, in lower case.
 *
 * @example settlementSources('According to the AP, https://apnews.com') // {'apnews.com', 'ap'}
 */
export function settlementSources(rules = ''): Set<string> {
  const hosts = [...rules.matchAll(HOST)].map((match) => match[1] as string);
  const names = [...rules.matchAll(NAMED)].map((match) => (match[1] as string).trim().replace(/[.,]$/, ''));
  return new Set([...hosts, ...names].map((each) => each.toLowerCase()));
}

/**
 * The confidence of a pair: its similarity, lowered by how close the runner-up on either side is, and by each
 * difference.
 *
 * @param runnerUp similarity of the runner-up, 0 if there is none
 * @returns 0 to 1
 * @example pairConfidence(0.9, 0.3, 0) // 0.75
 */
export function pairConfidence(similarity: number, runnerUp: number, differences: number): number {
  if (similarity <= 0) return 0;
  const margin = 1 - Math.min(runnerUp, similarity) / similarity;
  return similarity * (0.5 + 0.5 * margin) * 0.9 ** differences;
}
