/** Labelled sets: truth of the simulated world, and judged pairs of recorded questions. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createWorld } from '../../scripts/world/world.ts';
import type { RelatedText } from '../../src/model/related-text.ts';
import type { LabelledSet, Query } from './measure.ts';
import { type RecordedText, readRecorded, recordedTexts } from './recorded-texts.ts';

export const PARTS = ['looked-at', 'held-out'] as const;
export type Part = (typeof PARTS)[number];

const partOf = (id: string): Part =>
  Number.parseInt(hash('md5', id).slice(0, 2), 16) % 2 === 0 ? 'looked-at' : 'held-out';

/** Contracts of the simulated world that both venues list: the same outcome of the same question is right. */
export function worldSet(part: Part, most: number): LabelledSet {
  const { catalog } = createWorld({ markets: 3_000 });
  const pool: RelatedText[] = [];
  const kalshi = new Map<string, number[]>();
  for (const { text, event, contract } of catalog.kalshi.market_list) {
    const { title, yes_sub_title } = text();
    const question = event.markets.length < 2 ? event.face.title : `${event.face.title} – ${yes_sub_title}`;
    const siblings = kalshi.get(event.truth.key) ?? [];
    siblings[contract.outcome] = pool.length;
    kalshi.set(event.truth.key, siblings);
    pool.push({ text: question, context: title, closes_at: event.truth.known_at });
  }
  const among = [...pool.keys()];
  const queries: Query[] = [];
  for (const { event, contract, question, slug } of catalog.polymarket.market_list) {
    const siblings = kalshi.get(event.truth.key);
    const right = siblings?.[contract.outcome];
    if (right === undefined || partOf(slug) !== part) continue;
    const near = (siblings ?? []).filter((each) => each !== undefined && each !== right);
    queries.push({ text: pool.length, right: [right], near, among });
    pool.push({ text: question, context: event.face.title, closes_at: event.truth.known_at });
  }
  const step = Math.max(1, Math.floor(queries.length / most));
  return { name: `simulated world, ${part}`, pool, queries: queries.filter((_, i) => i % step === 0) };
}

const pairs = z.array(z.tuple([z.string(), z.string(), z.string(), z.string()]));
const labels = z.object({ about: z.string(), same: pairs, of_event: pairs, other: pairs });

const eraOf = ({ source }: RecordedText) => (source.startsWith('m:') ? 2021 : 2025);

/** Recorded questions that a reader judged: the same question elsewhere, or the event that it is an outcome of. */
export function judgedSet(kind: 'same' | 'of_event', part: Part): LabelledSet {
  const pool = recordedTexts();
  const places = new Map(pool.map((each, i) => [`${each.source}|${each.id}`, i]));
  const judged = labels.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'labels.json'), 'utf8')));
  const at = (rows: z.output<typeof pairs>) =>
    rows.flatMap(([sourceA, a, sourceB, b]) => {
      const first = places.get(`${sourceA}|${a}`);
      const second = places.get(`${sourceB}|${b}`);
      return first === undefined || second === undefined ? [] : [[first, second] as const];
    });
  const right = at(judged[kind]);
  const other = at([...judged.other, ...(kind === 'same' ? judged.of_event : judged.same)]);
  const alsoSame = at(judged.same);
  const queries = new Map<number, Query & { right: number[]; near: number[] }>();
  for (const [a, b] of right) {
    const text = pool[a] as RecordedText;
    if (partOf(text.id) !== part) continue;
    const known = queries.get(a);
    if (known) {
      known.right.push(b);
      continue;
    }
    const among = [...pool.keys()].filter((i) => {
      const each = pool[i] as RecordedText;
      return each.source !== text.source && eraOf(each) === eraOf(text);
    });
    const near = other.flatMap(([x, y]) => (x === a ? [y] : y === a ? [x] : []));
    const same = kind === 'same' ? alsoSame.flatMap(([x, y]) => (x === a ? [y] : y === a ? [x] : [])) : [];
    queries.set(a, { text: a, right: [...new Set([b, ...same])], near, among });
  }
  return {
    name: `recorded, ${kind === 'same' ? 'same question' : 'its event'}, ${part}`,
    pool,
    queries: [...queries.values()],
  };
}

const gaps = z.object({
  rows: z.array(
    z.object({
      suspect: z.array(z.string()),
      pm_question: z.string(),
      kalshi_ticker: z.string(),
      kalshi_title: z.string(),
    }),
  ),
});

/** Pairs that other people proposed across the two venues, with those that they found to be none as near misses. */
export function proposedPairs(): LabelledSet {
  const { rows } = gaps.parse(
    JSON.parse(readRecorded('cross-venue-pairs-2026-07/cross_venue_gaps_2026-07-31.json')),
  );
  const sample = readRecorded('cross-venue-pairs-2026-07/sample_matches.csv')
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))
    .filter((cells) => cells.length > 4);
  const found = [
    ...rows.map((row) => ({ good: row.suspect.length === 0, a: row.pm_question, b: row.kalshi_title })),
    ...sample.map((cells) => ({ good: true, a: cells[3] ?? '', b: cells[1] ?? '' })),
  ];
  const pool: RelatedText[] = found.flatMap(({ a, b }) => [{ text: a }, { text: b }]);
  const among = found.map((_, i) => 2 * i + 1);
  const queries = found.flatMap(({ good, a }, i) =>
    good
      ? [
          {
            text: 2 * i,
            right: [2 * i + 1],
            near: among.filter((other) => other !== 2 * i + 1 && a !== pool[other - 1]?.text),
            among,
          },
        ]
      : [],
  );
  return { name: 'proposed pairs of two venues', pool, queries };
}
