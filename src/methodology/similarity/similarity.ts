import type { SimilarityTables } from '../../model/similarity-tables.ts';
import { ALIKE, letterSimilarity } from './character-grams.ts';
import { compareTimes, type TimeAgreement } from './dates.ts';
import { compareNames, type NameAgreement, rivals, sameName } from './names.ts';
import type { Name, Profile } from './profile.ts';
import { ORDINAL, type Quantity, sameQuantity } from './quantities.ts';

/** A text prepared for comparison. */
export interface Comparable {
  ids: Uint32Array;
  /** Of length 1, in the order of the ids. */
  values: Float32Array;
  profile: Profile;
}

export type Facets = SimilarityTables['facets'];

/** How two texts compare, and why. */
export interface Comparison {
  /** 0 to 1. */
  similarity: number;
  /** Cosine of their words; words spelled alike count by the similarity of their spelling. */
  cosine: number;
  times: TimeAgreement;
  quantities: QuantityAgreement;
  /** Facets for which the texts name different values. */
  facets: string[];
}

type QuantityAgreement = 'none' | 'one' | 'same' | 'other';
type SubjectAgreement = 'none' | 'same' | 'other';

/** For a facet that the tables no longer have. */
const NO_FACET = { conflict: 1, missing: 1 };

/** Factors that lower the similarity. They are tuned on labelled questions; `npm run quality` measures the result. */
const FACTORS = {
  times: { none: 1, one: 0.85, same: 1, near: 0.75, other: 0.35 },
  quantities: { none: 1, one: 0.75, same: 1, other: 0.3 },
  leastMissing: 0.5,
  subjects: { none: 1, same: 1, other: 0.4 },
  nameConflict: 0.3,
  furtherConflict: 0.8,
  nameAlone: 0.5,
  // For each name that only one text has.
  nameBesideShared: 0.88,
  nameWithoutShared: 0.8,
} as const;

/**
 * Similarity of two texts: the cosine of their words and other features, raised where names, times and numbers agree,
 * and lowered by each disagreement.
 *
 * @param blend combines the cosine of their words with other evidence of similarity
 * @see data/methodology.md, Similarity
 */
export function compareTexts(
  a: Comparable,
  b: Comparable,
  facets: Facets,
  blend: (cosine: number) => number = (cosine) => cosine,
): Comparison {
  const cosine = blend(Math.min(1, dot(a, b) + alike(a.profile.words, b.profile.words)));
  const names = compareNames(a.profile, b.profile);
  const times = compareTimes(a.profile.times, b.profile.times);
  const quantities = compareQuantities(a.profile, b.profile);
  const subjects = compareSubjects(a.profile, b.profile);
  const hard = FACTORS.times[times] * FACTORS.quantities[quantities] * FACTORS.subjects[subjects];
  const { lowered, differing } = lowerByFacets(hard, a.profile.facets, b.profile.facets, facets);
  let factor = lowered * namesFactor(names);
  if (names.oneBroad && !agreeBesides(a.profile, b.profile)) factor *= FACTORS.nameAlone;
  const lift = liftOf(names, times, quantities, subjects) * Math.min(1, cosine / SOUND_COSINE);
  return {
    similarity: factor * (cosine + (1 - cosine) * lift),
    cosine,
    times,
    quantities,
    facets: differing,
  };
}

/** Lowers a factor for each facet for which two texts name different values, or which only one of them names. */
function lowerByFacets(
  factor: number,
  a: Profile['facets'],
  b: Profile['facets'],
  facets: Facets,
): { lowered: number; differing: string[] } {
  const differing: string[] = [];
  let lowered = factor;
  let missed = 1;
  // Facets that separate whole fields count in full, because even a short text would mention them.
  const miss = (missing: number) => {
    if (missing < FACTORS.leastMissing) lowered *= missing;
    else missed *= missing;
  };
  for (const [facet, first] of a) {
    const { conflict, missing } = facets[facet] ?? NO_FACET;
    const second = b.get(facet);
    if (!second) miss(missing);
    else if (!first.some((value) => second.includes(value))) {
      lowered *= conflict;
      differing.push(facet);
    } else if (first.length !== second.length) missed *= Math.sqrt(missing);
  }
  for (const facet of b.keys()) if (!a.has(facet)) miss((facets[facet] ?? NO_FACET).missing);
  // Limited, because a short text leaves much unsaid.
  return { lowered: lowered * Math.max(missed, FACTORS.leastMissing), differing };
}

/** Upper bound of the similarity of two texts with a known cosine, with an allowance for words spelled alike. */
export function mostSimilar(cosine: number): number {
  const most = Math.min(1, cosine + 0.1);
  return most + (1 - most) * MOST_LIFT * Math.min(1, most / SOUND_COSINE);
}

/** From this cosine on, agreement of other features counts in full. */
const SOUND_COSINE = 0.25;

/** The part of the distance between two texts that each shared name removes. */
const TAKEN_BY_NAME = 0.2;
/** The part that remains when a feature agrees; of names, the least that remains. */
const LEFT = { names: 0.65, times: 0.85, quantities: 0.8, subjects: 0.85 } as const;
const MOST_LIFT = 1 - LEFT.names * LEFT.times * LEFT.quantities * LEFT.subjects;

/** Whether two texts share more than names: a word, or the value of a facet. */
function agreeBesides(a: Profile, b: Profile): boolean {
  const names = new Set([...a.names, ...b.names].flatMap((name) => name.words));
  for (const word of a.words.keys()) if (b.words.has(word) && !names.has(word)) return true;
  for (const [facet, values] of a.facets)
    if (b.facets.get(facet)?.some((value) => values.includes(value))) return true;
  return false;
}

function namesFactor({ shared, onlyA, onlyB, conflicts }: NameAgreement): number {
  if (conflicts.length > 0) return FACTORS.nameConflict * FACTORS.furtherConflict ** (conflicts.length - 1);
  // A text with more names asks about more, or says the same in more detail.
  return (shared > 0 ? FACTORS.nameBesideShared : FACTORS.nameWithoutShared) ** (onlyA + onlyB);
}

function liftOf(
  names: NameAgreement,
  times: TimeAgreement,
  quantities: QuantityAgreement,
  subjects: SubjectAgreement,
): number {
  let left = 1;
  if (names.conflicts.length === 0) left *= Math.max(LEFT.names, 1 - TAKEN_BY_NAME * names.shared);
  if (times === 'same') left *= LEFT.times;
  if (quantities === 'same') left *= LEFT.quantities;
  if (subjects === 'same') left *= LEFT.subjects;
  return 1 - left;
}

/** The dot product of two texts. Cost: the sum of their lengths. */
function dot(a: Comparable, b: Comparable): number {
  let sum = 0;
  for (let i = 0, j = 0; i < a.ids.length && j < b.ids.length; ) {
    const left = a.ids[i] as number;
    const right = b.ids[j] as number;
    if (left === right) sum += (a.values[i++] as number) * (b.values[j++] as number);
    else if (left < right) i++;
    else j++;
  }
  return sum;
}

const LEAST_VALUE = 0.1;

/**
 * Similarity added by words that differ only in spelling: each is matched with the most similar word of the other text.
 * The mean of both directions.
 */
function alike(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const left = heavy(a, b);
  const right = left.length > 0 ? heavy(b, a) : [];
  if (right.length === 0) return 0;
  const best = new Float64Array(left.length + right.length);
  for (const [i, [word, value]] of left.entries())
    for (const [j, [other, otherValue]] of right.entries()) {
      const letters = letterSimilarity(word, other);
      if (letters < ALIKE) continue;
      const added = letters * value * otherValue;
      best[i] = Math.max(best[i] as number, added);
      best[left.length + j] = Math.max(best[left.length + j] as number, added);
    }
  return best.reduce((sum, each) => sum + each, 0) / 2;
}

/** The long and rare words of a text that the other does not have. */
function heavy(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): [string, number][] {
  const found: [string, number][] = [];
  for (const [word, value] of a)
    if (value >= LEAST_VALUE && word.length >= 5 && !b.has(word)) found.push([word, value]);
  return found;
}

/** The facet of measured values, whose numbers are no counts: an unemployment rate of 4 is not one of 4.5. */
const MEASURES = 'statistic';

function compareQuantities(first: Profile, second: Profile): QuantityAgreement {
  const [all, others] = [first.quantities, second.quantities];
  const whole = !first.facets.has(MEASURES) && !second.facets.has(MEASURES);
  const ranks = [all, others].map((each) => each.filter(({ unit }) => unit === ORDINAL).length);
  // One text may say "the 98th" and the other the year.
  const counted = (each: Quantity) => each.unit !== ORDINAL || ranks.every((rank) => rank > 0);
  const a = all.filter(counted);
  const b = others.filter(counted);
  if (a.length === 0 && b.length === 0) return 'none';
  if (a.length === 0 || b.length === 0) return 'one';
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  return few.every((each) => many.some((other) => sameQuantity(each, other, whole))) ? 'same' : 'other';
}

/** Whether Yes refers to the same name: two texts with the same two names may each ask about another one of them. */
function compareSubjects(a: Profile, b: Profile): SubjectAgreement {
  if (a.subjects.length === 0 || b.subjects.length === 0) return 'none';
  if (a.subjects.some((each) => b.subjects.some((other) => sameName(each, other)))) return 'same';
  const inOther = (subject: Name, other: Profile) => other.names.some((name) => sameName(subject, name));
  const [first] = a.subjects;
  const [second] = b.subjects;
  if (!first || !second || !rivals(first, second)) return 'none';
  return inOther(first, b) || inOther(second, a) ? 'other' : 'none';
}
