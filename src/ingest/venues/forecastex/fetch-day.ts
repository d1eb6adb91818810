import { z } from 'zod';
import type { Validators } from '../../../model/validators.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import type { Feed } from '../../feed.ts';
import type { Answer } from '../../wire/request.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { type PriceFile, parsePriceFile, parseProductFile } from './parse-files.ts';
import { type ProductRow, productRow } from './wire.ts';

/** The feed of the daily files, under which all notes of them are. */
export const FEED = 'venue_c_forecastex/prices';

export interface FetchedDay {
  answer: Answer;
  file: PriceFile;
}

/** Fetches the prices of a day; undefined if it has no file. */
export async function fetchDay(run: VenueRun, feed: Feed, day: string): Promise<FetchedDay | undefined> {
  const answer = await fetchPrices(run, feed, day);
  return answer && { answer, file: await parsePriceFile(answer.body) };
}

/** Fetches the prices of a day without parsing them. @param unless the validators of the file that is known */
export function fetchPrices(
  run: VenueRun,
  feed: Feed,
  day: string,
  unless?: Validators,
): Promise<Answer | undefined> {
  return fetchFile(run, feed, `/prices/daily_prices_${day.replaceAll('-', '')}.csv`, unless);
}

/** Note of the products that the files named so far. */
const PRODUCTS = 'products';
const productsNote = z.array(productRow);

/**
 * The products by id: those of a day's file and, where it does not name one, those of earlier files. They are optional:
 * contracts are also stored without the name of their product.
 */
export async function fetchProducts(
  run: VenueRun,
  feed: Feed,
  day: string,
): Promise<ReadonlyMap<string, ProductRow>> {
  const known = run.store.read((reader) => findNote(reader, FEED, PRODUCTS, productsNote)) ?? [];
  const products = new Map(known.map((each) => [each.product_id, each]));
  await feed.part(async () => {
    const answer = await fetchFile(run, feed, `/daily_summary/summary_${day.replaceAll('-', '')}.csv`);
    if (!answer) return;
    const file = await parseProductFile(answer.body);
    for (const [id, product] of file.products) products.set(id, product);
    feed.keep(answer, file, (writer) => {
      setNote(writer, FEED, PRODUCTS, [...products.values()]);
      return {};
    });
  });
  return products;
}

function fetchFile(
  run: VenueRun,
  feed: Feed,
  path: string,
  unless?: Validators,
): Promise<Answer | undefined> {
  const { base_url } = run.config.venues.venue_c_forecastex;
  return feed.find({ url: urlOf(base_url, path), format: 'csv', ...(unless && { unless }) });
}
