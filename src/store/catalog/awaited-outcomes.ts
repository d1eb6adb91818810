import type { Instant } from '../../model/units.ts';
import type { Reader } from '../store.ts';

/** Contracts whose outcome their venue has yet to tell. */
export interface AwaitedOutcomes {
  markets: number;
  /** That of them which has waited longest. */
  market_id: string;
  /** Since when it has. */
  since: Instant;
}

/**
 * The contracts that were decided at an instant, and have been ever since without an outcome: by their venue they are
 * determined, or even final, but nothing says what they pay. Undefined when there are none. Cost: one pass over the
 * statuses that markets were seen in.
 */
export function findAwaitedOutcomes(reader: Reader, decidedUntil: Instant): AwaitedOutcomes | undefined {
  return reader.get<AwaitedOutcomes>(
    `SELECT count(*) OVER () AS markets, market_id, min(seen.observed_at) AS since
     FROM market_statuses AS seen CROSS JOIN markets USING (market_key)
     WHERE seen.status = 'determined' AND seen.observed_at <= ? AND NOT EXISTS (
       SELECT 1 FROM market_statuses AS later
       WHERE later.market_key = seen.market_key AND later.observed_at > seen.observed_at
         AND later.status <> 'determined')
     GROUP BY seen.market_key ORDER BY since, market_id LIMIT 1`,
    decidedUntil,
  );
}
