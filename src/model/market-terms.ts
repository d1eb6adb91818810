import { given } from './given.ts';
import { DAY_MS } from './time.ts';
import type { Instant } from './units.ts';

/** What a contract pays on, as its venue says. What the venue does not say is absent. */
export interface MarketTerms {
  question: string;
  /** What the Yes side stands for, such as a team. */
  yes_side?: string;
  rules?: string;
  closes_at?: Instant;
}
export type Term = keyof MarketTerms;

/** The terms of a market of the catalog. */
export function termsOf(market: {
  question: string;
  yes_sub_title: string | null;
  rules_primary: string | null;
  description: string | null;
  closes_at: Instant | null;
}): MarketTerms {
  const { question, yes_sub_title, rules_primary, description, closes_at } = market;
  return { question, ...given({ yes_side: yes_sub_title, rules: rules_primary ?? description, closes_at }) };
}

/** Whether a term means something else than before; one that is absent says nothing. */
const DIFFERS: { [Name in Term]-?: (before: MarketTerms, after: MarketTerms) => boolean } = {
  question: ({ question: before }, { question: after }) =>
    isReworded(before, after) && !isAnswerOf(before, after) && !isAnswerOf(after, before),
  yes_side: (before, after) => isReworded(before.yes_side, after.yes_side),
  rules: (before, after) => isReworded(before.rules, after.rules),
  // Venues move the end of trading by hours, such as that of a game, and ask the same.
  closes_at: ({ closes_at: before }, { closes_at: after }) =>
    before !== undefined && after !== undefined && Math.abs(after - before) >= DAY_MS,
};

/**
 * The terms that have changed: other words, or a close at least a day earlier or later. Case, white space and punctuation
 * make no difference, and neither does the outcome that the catalog adds to a question once its event has several
 * markets.
 *
 * @example changedTerms({ question: 'Above 100?' }, { question: 'Above 110?' }) // ['question']
 */
export function changedTerms(before: MarketTerms, after: MarketTerms): Term[] {
  return (Object.keys(DIFFERS) as Term[]).filter((term) => DIFFERS[term](before, after));
}

function isReworded(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined || before === after) return false;
  return wordsOf(before).join(' ') !== wordsOf(after).join(' ');
}

function isAnswerOf(question: string, answer: string): boolean {
  return answer.startsWith(`${question} – `);
}

/** Numbers with their signs and fractions, words, and signs that are no punctuation, such as > and $. */
const WORD = /(?<![\p{L}\p{N}])[-−]?\d+(?:\.\d+)?|[\p{L}\p{M}\p{N}]+|[\p{S}%]/gu;
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;

/**
 * The words of a text as far as they matter to what it says.
 *
 * @example wordsOf('Bitcoin’s price: above $1,000?') // ['bitcoins', 'price', 'above', '$', '1000']
 */
export function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().replace(/['’]/g, '').replace(THOUSANDS, '');
  return plain.replaceAll('−', '-').match(WORD) ?? [];
}
