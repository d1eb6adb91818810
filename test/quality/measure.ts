import type { RelatedText } from '../../src/model/related-text.ts';
import type { Method } from './methods.ts';

/** One question with the texts that ask the same, and with near misses that were judged not to. */
export interface Query {
  text: number;
  right: readonly number[];
  near: readonly number[];
  /** Places in the pool that are ranked; the query itself is left out. */
  among: readonly number[];
}

/** Questions over a pool of texts. */
export interface LabelledSet {
  name: string;
  pool: readonly RelatedText[];
  queries: readonly Query[];
}

/** How well a method does on a set; shares from 0 to 1. */
export interface Figures {
  /** A right one stands first. */
  first: number;
  /** A right one is among the first three. */
  firstThree: number;
  /** Pairs of a right one and a near miss that stand in the right order. */
  nearMiss: number;
  /** Queries whose right one stands above the floor, and what share of all that stands above it is right. */
  recall: number;
  precision: number;
}

/**
 * Ranks the pool for every query.
 *
 * @param floor similarity from which a pair is called the same question
 */
export function measure(method: Method, { pool, queries }: LabelledSet, floor: number): Figures {
  const score = method.open(pool);
  let first = 0;
  let firstThree = 0;
  let ordered = 0;
  let orders = 0;
  let found = 0;
  let above = 0;
  let rightAbove = 0;
  for (const { text, right, near, among } of queries) {
    const ranked = among
      .filter((other) => other !== text)
      .map((other) => ({ other, score: score(text, other) }))
      .sort((a, b) => b.score - a.score);
    if (ranked.slice(0, 1).some(({ other }) => right.includes(other))) first++;
    if (ranked.slice(0, 3).some(({ other }) => right.includes(other))) firstThree++;
    const best = Math.max(...right.map((each) => score(text, each)));
    for (const each of near) {
      orders++;
      if (best > score(text, each)) ordered++;
    }
    if (best >= floor) found++;
    for (const { other, score: each } of ranked.slice(0, 3)) {
      if (each < floor) break;
      above++;
      if (right.includes(other)) rightAbove++;
    }
  }
  const share = (part: number, whole: number) => (whole === 0 ? Number.NaN : part / whole);
  return {
    first: share(first, queries.length),
    firstThree: share(firstThree, queries.length),
    nearMiss: share(ordered, orders),
    recall: share(found, queries.length),
    precision: share(rightAbove, above),
  };
}
