import { DAY_MS } from '../../../model/time.ts';
import type { Span } from '../../history-span.ts';
import type { Parameter } from '../../wire/url.ts';

/** One request for a market's display prices. */
export interface HistoryRequest {
  parameters: Record<string, Parameter>;
  /** How far it reaches: a long one is coarse. */
  long: boolean;
}

const MONTH_MS = 30 * DAY_MS;
/** Long intervals answer only at this grain, all of a long history even a day apart. */
const LONG_MINUTES = 180;

/**
 * The requests for a stretch of display prices: its last day point by point; what lies before three hours apart,
 * for the last month and, beyond that, from the beginning. Windows of the fine grain are a day at most, and a
 * request for each day of a long history would take the venue's patience for hours.
 *
 * @param now what the venue's intervals are counted back from
 */
export function planHistory({ from, to }: Span, now: number): HistoryRequest[] {
  const requests: HistoryRequest[] = [];
  const long = (fixedInterval: string) =>
    requests.push({ parameters: { fidelity: LONG_MINUTES, fixedInterval }, long: true });
  if (from < now - MONTH_MS) long('INTERVAL_ALL');
  if (to - from > DAY_MS && to > now - MONTH_MS) long('INTERVAL_1M');
  requests.push({
    parameters: {
      fidelity: 1,
      'timestamp.startTimestamp': Math.floor(Math.max(from, to - DAY_MS) / 1000),
      'timestamp.endTimestamp': Math.floor(to / 1000),
    },
    long: false,
  });
  return requests;
}
