import { DAY_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';

/** News of the weeks before a question is listed is often the reason for the question. */
const BEFORE_LISTING_MS = 90 * DAY_MS;

/**
 * Whether an article is too old to concern a question: it was published more than ninety days before the question was
 * listed. False if either instant is unknown (NaN).
 *
 * @example isOutdated(Date.parse('2022-05-01'), Date.parse('2026-10-01')) // true
 */
export function isOutdated(publishedAt: Instant, listedAt: Instant): boolean {
  return publishedAt < listedAt - BEFORE_LISTING_MS;
}
