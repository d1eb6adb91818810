import { type Term, wordsOf } from '../model/market-terms.ts';

/** A market whose terms have changed, with its instants as text. */
export interface ChangedMarketText {
  market_id: string;
  changed_at: string;
  changed: readonly { term: Term; before: string; after: string }[];
}

const NAMES: Readonly<Record<Term, string>> = {
  question: 'question',
  yes_side: 'Yes side',
  rules: 'rules',
  closes_at: 'close',
};

/** The changed terms of a market on one line, of each text the passage that differs. */
export function termsLine({ market_id, changed_at, changed }: ChangedMarketText): string {
  const told = changed.map(
    ({ term, before, after }) => `${NAMES[term]} ${passages(before, after).join(' -> ')}`,
  );
  return `${market_id} has other terms since ${changed_at}: ${told.join('; ')}`;
}

/** Words shown on either side of what differs. */
const BESIDE = 3;
const LONGEST = 120;

/**
 * The passages in which two texts differ, in quotes, with a few words around them.
 *
 * @example passages('at or above 100?', 'at or above 110?') // ['"at or above 100?"', '"at or above 110?"']
 */
function passages(before: string, after: string): string[] {
  const [a, b] = [before, after].map((text) => text.split(/\s+/)) as [string[], string[]];
  const shortest = Math.min(a.length, b.length);
  let from = 0;
  while (from < shortest && isSame(a[from], b[from])) from++;
  let behind = 0;
  while (behind < shortest - from && isSame(a.at(-1 - behind), b.at(-1 - behind))) behind++;
  const [start, left] = [Math.max(0, from - BESIDE), Math.max(0, behind - BESIDE)];
  return [a, b].map((words) => {
    const passage = words.slice(start, words.length - left).join(' ');
    return `"${start > 0 ? '… ' : ''}${passage.slice(0, LONGEST)}${left > 0 || passage.length > LONGEST ? ' …' : ''}"`;
  });
}

function isSame(a = '', b = ''): boolean {
  return wordsOf(a).join(' ') === wordsOf(b).join(' ');
}
