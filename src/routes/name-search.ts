import { piecesOf } from '../store/catalog/search-words.ts';

/** The texts by which a definition is found. */
interface Named {
  ticker: string;
  name: string;
}

/**
 * Whether a ticker and name contain every word of a search, in any order, ignoring case, accents, punctuation and plurals
 * like searches of markets and events. Since tickers run words together, a word may be part of a longer one, a single
 * letter only its beginning.
 *
 * @param text matches everything if blank
 * @example nameSearch('fed easing')({ ticker: 'EASE', name: 'Easing of the Fed' }) // true
 */
export function nameSearch(text = ''): (named: Named) => boolean {
  if (text.trim() === '') return () => true;
  const sought = piecesOf(text);
  return ({ ticker, name }) => {
    const words = piecesOf(`${ticker} ${name}`).flatMap(({ parts, joined }) =>
      joined === undefined ? parts : [...parts, joined],
    );
    const holds = (word: string) =>
      words.some((each) => (word.length === 1 ? each.startsWith(word) : each.includes(word)));
    return (
      sought.length > 0 &&
      sought.every(({ parts, joined }) => parts.every(holds) || (joined !== undefined && holds(joined)))
    );
  };
}
