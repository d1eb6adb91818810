import { ForemarkError, messageOf } from '../model/errors.ts';

/** An index or a rate that failed while the others went on. */
export interface SeriesFailure {
  ticker: string;
  message: string;
}

/**
 * What failed of one series.
 *
 * @throws ForemarkError store_unusable when it is the store that failed, with which no other can go on
 */
export function seriesFailure(ticker: string, thrown: unknown): SeriesFailure {
  if (thrown instanceof ForemarkError && thrown.code === 'store_unusable') throw thrown;
  return { ticker, message: messageOf(thrown) };
}
