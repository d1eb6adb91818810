import { DAY_MS, toSeconds } from '../../../model/time.ts';
import type { Span } from '../../prices/history-span.ts';
import type { Parameter } from '../../wire/url.ts';

export interface HistoryRequest {
  parameters: Record<string, Parameter>;
  /** Whether it covers a long interval, at a coarse grain. */
  long: boolean;
}

const MONTH_MS = 30 * DAY_MS;
/** Long intervals are answered only at this grain, and all of a long history with one point a day. */
const LONG_MINUTES = 180;

/**
 * Plans the requests for a span of display prices: every point of its last day; before that, points three hours apart
 * for the last month and, if it begins earlier, the interval of the whole history. Windows of the fine grain are
 * limited to a day, and a request for each day of a long history would take hours.
 *
 * @param now from which the venue's intervals are counted back
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
      'timestamp.startTimestamp': toSeconds(Math.max(from, to - DAY_MS)),
      'timestamp.endTimestamp': toSeconds(to),
    },
    long: false,
  });
  return requests;
}
