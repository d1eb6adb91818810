import type { Feed } from '../../feed.ts';
import type { Answer } from '../../wire/request.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { type PriceFile, parsePriceFile, parseProductFile } from './parse-files.ts';
import type { ProductRow } from './wire.ts';

/** A day's file, raw and parsed. */
export interface FetchedDay {
  answer: Answer;
  file: PriceFile;
}

/** Fetches the prices of a day; undefined if it has no file. */
export async function fetchDay(run: VenueRun, feed: Feed, day: string): Promise<FetchedDay | undefined> {
  const answer = await fetchFile(run, feed, `/prices/daily_prices_${day.replaceAll('-', '')}.csv`);
  return answer && { answer, file: await parsePriceFile(answer.body) };
}

/**
 * Fetches the names of a day's products. They are optional: contracts are stored without the name of their product too.
 */
export async function fetchProducts(
  run: VenueRun,
  feed: Feed,
  day: string,
): Promise<ReadonlyMap<string, ProductRow>> {
  const found = await feed.part(async () => {
    const answer = await fetchFile(run, feed, `/daily_summary/summary_${day.replaceAll('-', '')}.csv`);
    if (!answer) return undefined;
    const file = await parseProductFile(answer.body);
    feed.keep(answer, file);
    return file.products;
  });
  return found ?? new Map();
}

function fetchFile(run: VenueRun, feed: Feed, path: string): Promise<Answer | undefined> {
  const { base_url } = run.config.venues.venue_c_forecastex;
  return feed.find({ url: urlOf(base_url, path), format: 'csv' });
}
