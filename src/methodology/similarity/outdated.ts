import { DAY_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';

/** What is written in the weeks before a question is listed is often why it is asked. */
const BEFORE_LISTING_MS = 90 * DAY_MS;

/**
 * Whether an article is too old to be about a question: it came out more than ninety days before the question was listed.
 * False where either instant is not known (NaN).
 *
 * @example isOutdated(Date.parse('2022-05-01'), Date.parse('2026-10-01')) // true
 */
export function isOutdated(publishedAt: Instant, listedAt: Instant): boolean {
  return publishedAt < listedAt - BEFORE_LISTING_MS;
}
