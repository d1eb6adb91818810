import { counted } from '../model/counted.ts';
import type { Filing } from './public-documents.ts';

/** Tokens of the public documents in plain words. Without an entry, underscores become spaces. */

const EXCLUSIONS: Readonly<Record<string, string>> = {
  disputed: 'its outcome is disputed',
  halted: 'trading is halted at the venue',
  no_book: 'the venue shows no book for it',
  stale_quote: 'its quote is too old',
  crossed_book: 'its bid is above its ask',
  one_sided_book: 'only one side of its book is quoted',
  wide_spread: 'its bid and ask are too far apart',
};

const BASES: Readonly<Record<string, string>> = {
  mid: 'middle of bid and ask',
  last: 'last trade',
  bid: 'bid, the only side quoted',
  ask: 'ask, the only side quoted',
  floor: 'half-cent floor',
  settlement: 'settlement',
  held: 'held at its last good mark',
  stated: 'price stated by the editor',
  print: 'last print',
};

const METHODOLOGIES: Readonly<Record<string, string>> = {
  nti: 'team index',
  event_contract: 'event contract',
  robust_median: 'robust median',
  rolling: 'rolling chain',
};

/** The names of the venues, given by the outlet. */
let venueNames: Readonly<Record<string, string>> = {};

const STATUSES: Readonly<Record<string, string>> = {
  unopened: 'not open yet',
  paused: 'halted',
  determined: 'outcome known',
};

const SOURCES: Readonly<Record<string, string>> = {
  cftc: 'CFTC',
  news: 'News',
};

/** Feeds of a venue that has several. */
const PARTS: Readonly<Record<string, string>> = {
  global: 'global',
  us: 'US',
  forecastex: 'daily files',
};

const FEEDS: Readonly<Record<Filing['feed'], string>> = {
  ptc_dcm_rules: 'Rules of contract markets',
  dcm_products: 'Products of contract markets',
  dco: 'Clearing organizations',
  dco_rules: 'Rules of clearing organizations',
};

const GRADES: Readonly<Record<string, string>> = {
  A: 'good',
  B: 'middling',
  C: 'weak',
};

export const exclusionInWords = (reason: string | undefined): string =>
  lookUp(EXCLUSIONS, reason ?? 'no reason given');
export const basisInWords = (basis: string): string => lookUp(BASES, basis);
export const methodologyInWords = (token: string): string => lookUp(METHODOLOGIES, token);
/** Sets the names of the venues, by token. */
export function nameVenues(names: Readonly<Record<string, string>> = {}): void {
  venueNames = names;
}
export const listPlatforms = (): string[] => Object.keys(venueNames);
export const platformInWords = (token: string): string => lookUp(venueNames, token);
/** Where a feed reads. @example sourceInWords('venue_b_us') // 'Polymarket, US' */
export function sourceInWords(token: string): string {
  const [, venue, part] = /^(venue_[a-z])(?:_(\w+))?$/.exec(token) ?? [];
  if (venue === undefined) return lookUp(SOURCES, token);
  const name = platformInWords(venue);
  return part === undefined ? name : `${name}, ${lookUp(PARTS, part)}`;
}
/** What a feed of filings holds. */
export const feedInWords = (token: string): string => lookUp(FEEDS, token);
/** A confidence grade. @example gradeInWords('B', 'sources') // 'middling in sources, age or spread' */
export const gradeInWords = (grade: string, basis: 'coverage' | 'sources'): string =>
  `${lookUp(GRADES, grade)} in ${basis}, age ${grade === 'A' ? 'and' : 'or'} spread`;

export const statusInWords = (status: string): string => lookUp(STATUSES, status);

function lookUp(words: Readonly<Record<string, string>>, token: string): string {
  return (Object.hasOwn(words, token) ? words[token] : undefined) ?? token.replaceAll('_', ' ');
}

/** A span of time in its largest whole unit. @example spanInWords(7200) // '2 hours' */
export function spanInWords(seconds: number): string {
  if (seconds < 60) return 'under a minute';
  if (seconds < 3600) return counted(Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return counted(Math.floor(seconds / 3600), 'hour');
  return counted(Math.floor(seconds / 86_400), 'day');
}

/** A word with a capital. @example titled('state') // 'State' */
export function titled(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
