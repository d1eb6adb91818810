import type { SimilarityTables } from '../../model/similarity-tables.ts';
import { DAY_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import type { Page } from './page.ts';

/** Precision of a date: day, month, quarter or season, or year. */
const GRAINS = { day: 1, month: 2, season: 3, year: 4 } as const;

/** A time span named in a text, in days since 1970, both ends included. */
export interface TimeSpan {
  from: number;
  to: number;
  grain: number;
  /** An alternative last day: "by 2030" may mean before it or within it. */
  or?: number;
  /** 0 if the year is neither stated nor implied: the days are then those of the year 2000. */
  dated: 0 | 1;
}

export type DateReader = (page: Page, closesAt: Instant | undefined) => TimeSpan[];

const NO_YEAR = 2000;

/** Creates a reader of dates for the names in the tables. It blanks what it has read on the page. */
export function compileDates({ months, before, by }: SimilarityTables['calendar']): DateReader {
  const patterns = patternsOf(months);
  const precedes = new RegExp(
    `\\b(?:(${alternatives(before)})|(${alternatives(by)}))\\s(?:the\\s)?(?:end\\sof\\s)?$`,
    'i',
  );
  const wordBefore = (preceding: string): Dated['word'] => {
    const match = precedes.exec(preceding);
    if (match?.[1]) return 'before';
    return match?.[2] && !/end\sof\s$/i.test(preceding) ? 'by' : undefined;
  };
  return (page, closesAt) => {
    const said: Dated[] = [];
    for (const [pattern, read] of patterns)
      page.take(pattern, (parts, preceding) => {
        const each = read(parts);
        if (each) said.push({ ...each, word: wordBefore(preceding) });
        return each !== undefined;
      });
    return said.map((each) => spanOf(each, yearFor(each, said, closesAt)));
  };
}

/** The formats of dates, each with its reader. Earlier ones take precedence, since what they read is blanked. */
function patternsOf(
  months: SimilarityTables['calendar']['months'],
): [RegExp, (parts: (string | undefined)[]) => Said | undefined][] {
  const monthOf = new Map<string, number>();
  for (const [i, [name, aliases]] of Object.entries(months).entries())
    for (const each of [name, ...aliases]) monthOf.set(each, i);
  const names = [...monthOf.keys()].sort((a, b) => b.length - a.length).join('|');
  const capitals = names.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
  const M = `\\b(${names})\\b\\.?`;
  const D = '(\\d{1,2})(?:st|nd|rd|th)?\\b';
  const Y = '((?:19|20)\\d\\d)\\b';
  const month = (name: string | undefined) => monthOf.get((name ?? '').toLowerCase()) ?? 0;
  return [
    [/\b(20\d\d)-(\d\d)-(\d\d)\b/g, ([y, m, d]) => daySaid(y, Number(m) - 1, d)],
    [
      /(?<![\d/])(\d{1,2})\/(\d{1,2})\/((?:20)?\d\d)(?![\d/])/g,
      ([m, d, y]) => daySaid(full(y), Number(m) - 1, d),
    ],
    [/\b(20\d\d)\s?[-/]\s?(?:20)?(\d\d)(?![\d-])/g, ([y, next]) => seasonSaid(y, next)],
    [/\bQ([1-4])\s?,?\s?(20\d\d)\b/gi, ([q, y]) => quarterSaid(q, y)],
    [/\b(20\d\d)\s?Q([1-4])\b/gi, ([y, q]) => quarterSaid(q, y)],
    [
      new RegExp(`${M}\\s?${D}(?:\\s?-\\s?${D})?(?:,?\\s?${Y})?`, 'gi'),
      ([m, d, last, y]) => daySaid(y, month(m), last ?? d),
    ],
    [new RegExp(`\\b${D}\\s(?:of\\s)?${M}(?:,?\\s?${Y})?`, 'gi'), ([d, m, y]) => daySaid(y, month(m), d)],
    [new RegExp(`${M},?\\s(?:of\\s)?${Y}`, 'gi'), ([m, y]) => monthSaid(y, month(m))],
    // Without a day or a year only the capital distinguishes a month from a verb, as in May.
    [new RegExp(`\\b(${capitals})\\b\\.?`, 'g'), ([m]) => monthSaid(undefined, month(m))],
    [/(?<![$€£\d.,])\b((?:19[5-9]|20\d)\d)\b(?![.,]?\d|%)/g, ([y]) => yearSaid(y)],
  ];
}

/** A span as written: days from the start of a year that may be unknown. */
interface Said {
  year: number | undefined;
  grain: number;
  first: [month: number, day: number];
  /** Month and day one past the last. */
  next: [month: number, day: number];
}

/** A date with a preceding word that says which end of it is meant. */
interface Dated extends Said {
  word: 'before' | 'by' | undefined;
}

function daySaid(y: string | undefined, month: number, d: string | undefined): Said | undefined {
  const day = Number(d);
  const days = new Date(Date.UTC(y ? Number(y) : NO_YEAR, month + 1, 0)).getUTCDate();
  if (day < 1 || day > days || month < 0 || month > 11) return undefined;
  return { year: y ? Number(y) : undefined, grain: GRAINS.day, first: [month, day], next: [month, day + 1] };
}

function monthSaid(y: string | undefined, month: number): Said {
  return { year: y ? Number(y) : undefined, grain: GRAINS.month, first: [month, 1], next: [month + 1, 1] };
}

function quarterSaid(q: string | undefined, y: string | undefined): Said {
  const month = (Number(q) - 1) * 3;
  return { year: Number(y), grain: GRAINS.season, first: [month, 1], next: [month + 3, 1] };
}

/** A season over two years runs from July to June. */
function seasonSaid(y: string | undefined, next: string | undefined): Said | undefined {
  const year = Number(y);
  if ((year + 1) % 100 !== Number(next)) return undefined;
  return { year, grain: GRAINS.season, first: [6, 1], next: [18, 1] };
}

function yearSaid(y: string | undefined): Said {
  return { year: Number(y), grain: GRAINS.year, first: [0, 1], next: [12, 1] };
}

/** The year of a date: the stated one, else the only one in the text, else the one nearest to the close. */
function yearFor(each: Said, all: readonly Said[], closesAt: Instant | undefined): number | undefined {
  if (each.year !== undefined) return each.year;
  const named = [...new Set(all.flatMap((other) => other.year ?? []))];
  if (named.length === 1) return named[0];
  if (closesAt === undefined) return undefined;
  const close = new Date(closesAt).getUTCFullYear();
  const distance = (year: number) => Math.abs(Date.UTC(year, ...each.first) - closesAt);
  return [close, close - 1, close + 1].sort((a, b) => distance(a) - distance(b))[0];
}

function spanOf({ grain, first, next, word }: Dated, known: number | undefined): TimeSpan {
  const year = known ?? NO_YEAR;
  const from = Date.UTC(year, ...first) / DAY_MS;
  const to = Date.UTC(year, ...next) / DAY_MS - 1;
  const dated = known === undefined ? 0 : 1;
  // "Before 2027" means "by the end of 2026", the day before the span begins.
  if (word === 'before') return { from: from - 1, to: from - 1, grain, dated, or: from };
  return word === 'by' && grain > GRAINS.day
    ? { from, to, grain, dated, or: from - 1 }
    : { from, to, grain, dated };
}

const full = (year: string | undefined) => (year?.length === 2 ? `20${year}` : year);
const alternatives = (words: readonly string[]) => words.map((word) => word.replaceAll(' ', '\\s')).join('|');

/** How the times of two texts compare. */
export type TimeAgreement = 'none' | 'one' | 'same' | 'near' | 'other';

/**
 * Compares the times in two texts: whether an end is the same to the day, one span overlaps a span of another
 * precision, or they differ.
 */
export function compareTimes(a: readonly TimeSpan[], b: readonly TimeSpan[]): TimeAgreement {
  if (a.length === 0 && b.length === 0) return 'none';
  if (a.length === 0 || b.length === 0) return 'one';
  let best: TimeAgreement = 'other';
  for (const x of a)
    for (const y of b) {
      const verdict = compareSpans(x, y);
      if (verdict === 'same') return 'same';
      if (verdict === 'near') best = 'near';
    }
  return best;
}

function compareSpans(a: TimeSpan, b: TimeSpan): 'same' | 'near' | 'other' {
  if (a.dated !== b.dated) {
    const [known, unknown] = a.dated ? [a, b] : [b, a];
    return known.grain === unknown.grain && dayOfYear(known.to) === dayOfYear(unknown.to) ? 'same' : 'other';
  }
  const ends = (span: TimeSpan) => (span.or === undefined ? [span.to] : [span.to, span.or]);
  if (ends(a).some((day) => ends(b).includes(day))) return 'same';
  // Different days of a month differ; a month and a day in it may mean the same.
  return a.grain !== b.grain && a.from <= b.to && b.from <= a.to ? 'near' : 'other';
}

function dayOfYear(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(5, 10);
}
