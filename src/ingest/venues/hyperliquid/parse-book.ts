import { greatestOf, leastOf } from '../../../model/extremes.ts';
import { given } from '../../../model/given.ts';
import { type SeenPrices, usableQuote } from '../../../model/observation.ts';
import { readEnvelope } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

/**
 * The best bid and ask of a book, `{}` when both sides are empty; undefined for a coin that is not listed.
 *
 * @throws ForemarkError invalid_payload
 */
export function parseBook(json: unknown, coin: string): SeenPrices | undefined {
  const row = readEnvelope(wire.book, json);
  if (row === null || row.coin !== coin) return undefined;
  const [bids = [], asks = []] = row.levels.map((side) => side.map(({ px, sz }) => usableQuote(px, sz ?? 0)));
  return given({ bid: greatestOf(bids), ask: leastOf(asks) });
}
