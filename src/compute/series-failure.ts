import { hasCode, messageOf } from '../model/errors.ts';

/** An index or a rate that failed while the others went on. */
export interface SeriesFailure {
  ticker: string;
  message: string;
}

/**
 * Turns an error into the failure of one series.
 *
 * @throws ForemarkError store_unusable when the store itself failed, since then no other series can continue either
 */
export function seriesFailure(ticker: string, thrown: unknown): SeriesFailure {
  if (hasCode(thrown, 'store_unusable')) throw thrown;
  return { ticker, message: messageOf(thrown) };
}
