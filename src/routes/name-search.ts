import { piecesOf } from '../store/catalog/search-words.ts';

/** What a definition is found by. */
interface Named {
  ticker: string;
  name: string;
}

/**
 * Whether a ticker and a name hold every word of a search, in any order: without case, accents, punctuation and plurals,
 * as markets and events are searched. A word may be a part of a longer one, a letter only its beginning: tickers are
 * several words written as one.
 *
 * @param text blanks alone are no search
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
