import { NAMES_KEY, type NamedMarket } from '../routes/page-files.ts';
import type { Documents } from './documents.ts';

/** Requested once in a visit. */
let names: Promise<{ data: NamedMarket[] } | undefined> | undefined;

/**
 * Markets that contain every word. The server searches the whole catalog, best matches first. On a host of files only the
 * names in indices and rates are searched, so that no catalog is loaded.
 */
export async function searchMarkets(documents: Documents, text: string): Promise<NamedMarket[]> {
  if (documents.offers('/markets', 'search')) {
    const found = await documents.find('/markets', '', { search: text });
    return found?.data ?? [];
  }
  names ??= documents.findFile(NAMES_KEY).catch((thrown) => {
    // Try again the next time.
    names = undefined;
    throw thrown;
  });
  const matches = matcher(text);
  return ((await names)?.data ?? []).filter(({ market_id, question }) => matches(`${market_id} ${question}`));
}

/** Whether a text contains every word, in any order and case. */
export function matcher(wanted: string): (text: string) => boolean {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}
