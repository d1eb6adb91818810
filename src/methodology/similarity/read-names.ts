import type { Found } from './lexicon.ts';
import type { Page } from './page.ts';
import { bump, type Reading, WEIGHTS } from './reading.ts';
import type { TextReader } from './text-reader.ts';
import type { Word } from './words.ts';

/** A name and the words that it covers: `from` up to but not including `to`. */
export interface NameAt {
  from: number;
  to: number;
  kind: string;
  name: string;
}

/** Adds the known names in a text to its reading. Of overlapping names the longest counts; see {@link chooseName}. */
export function addNames(
  reading: Reading,
  found: readonly Found[],
  words: readonly Word[],
  weight: number,
): NameAt[] {
  const named = found
    .map(({ from, to, meanings }) => ({
      from,
      to,
      meanings: meanings.filter((each) => each.type === 'name'),
    }))
    .filter(({ meanings }) => meanings.length > 0)
    .sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  const taken = new Uint8Array(words.length);
  const free = named.filter(({ from, to }) => {
    if (taken.subarray(from, to).some((each) => each === 1)) return false;
    taken.fill(1, from, to);
    return true;
  });
  const leagues = new Set<string>();
  for (const { meanings } of free) {
    const [only] = meanings;
    if (meanings.length !== 1 || !only) continue;
    if (only.within) leagues.add(only.within);
    if (only.kind === 'competition') leagues.add(only.name);
  }
  const names: NameAt[] = [];
  for (const { from, to, meanings } of free) {
    const chosen = chooseName(meanings, leagues);
    if (!chosen) continue;
    names.push({ from, to, kind: chosen.kind, name: chosen.name });
    bump(reading, `n|${chosen.kind}|${chosen.name}`, weight * WEIGHTS.n);
  }
  return names;
}

/**
 * Resolves an alias of several names: to the only one of a league mentioned in the text, else to the only meaning, else
 * to the only one that is no team.
 */
function chooseName(
  meanings: readonly Extract<Found['meanings'][number], { type: 'name' }>[],
  leagues: ReadonlySet<string>,
) {
  const inLeague = meanings.filter((each) => each.within !== undefined && leagues.has(each.within));
  if (inLeague.length === 1) return inLeague[0];
  if (meanings.length === 1) return meanings[0];
  const others = meanings.filter((each) => each.within === undefined);
  return others.length === 1 ? others[0] : undefined;
}

/** Matches what may be the name of a state: one word, or two of which the first is one of these. */
const STATE = String.raw`((?:(?:North|South|West|New|Rhode)\s)?[A-Z][a-z]+)`;
const ORDINAL = String.raw`(\d{1,2})(?:st|nd|rd|th)\s(?:congressional\s)?district`;

/** The ways in which congressional districts are written; each captures the state and the number. */
const DISTRICTS: readonly { pattern: RegExp; numberFirst?: true }[] = [
  { pattern: /\b([A-Z]{2})-(\d{1,2}|AL)\b/g },
  { pattern: new RegExp(String.raw`\b${STATE}(?:'s)?\s${ORDINAL}`, 'gi') },
  { pattern: new RegExp(String.raw`\b${ORDINAL}\s(?:of|in)\s${STATE}`, 'gi'), numberFirst: true },
  { pattern: new RegExp(String.raw`\b${STATE}(?:'s)?,?\s(?:congressional\s)?district\s(\d{1,2})\b`, 'gi') },
];

/**
 * Adds congressional districts to a reading: "NY-13", "the 13th congressional district of New York", "New York's 13th
 * district", "New York district 13".
 */
export function addDistricts(reading: Reading, reader: TextReader, page: Page, weight: number): void {
  for (const { pattern, numberFirst = false } of DISTRICTS)
    page.take(pattern, ([first = '', second = '']) => {
      const [number, state] = numberFirst ? [first, second] : [second, first];
      const name = reader.states.get(state) ?? reader.states.get(state.toLowerCase());
      if (name === undefined) return false;
      const district = number === 'AL' ? 'at large' : Number(number);
      bump(reading, `n|district|${name} ${district}`, weight * WEIGHTS.n * 1.5);
      bump(reading, `n|state|${name}`, weight * WEIGHTS.n);
      bump(reading, 'f|office|house', weight * WEIGHTS.f);
      return true;
    });
}
