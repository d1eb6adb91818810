import { ForemarkError } from '../model/errors.ts';

/**
 * Refuses tickers that no known definition has, and suggests those that differ only in case.
 *
 * @param kind what was asked for, in words
 * @throws ForemarkError not_found
 */
export function refuseUnknown(
  tickers: readonly string[],
  known: readonly { definition: { ticker: string } }[],
  kind = 'index or rate',
): void {
  const all = new Set(known.map((each) => each.definition.ticker));
  const unknown = tickers.filter((ticker) => !all.has(ticker));
  if (unknown.length === 0) return;
  const written = new Set(unknown.map((ticker) => ticker.toLowerCase()));
  const meant = [...all].filter((ticker) => written.has(ticker.toLowerCase()));
  throw new ForemarkError(
    'not_found',
    `no ${kind} has the ticker ${unknown.join(', ')}${meant.length > 0 ? `; there is ${meant.join(', ')}` : ''}`,
  );
}
