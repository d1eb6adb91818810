/**
 * Command: measures what finding neighbours costs, as ratios within one run.
 * `npm run bench:relations -- --texts 200000`. Times are processor time. With `--growth` also half and twice as many
 * texts.
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type Neighbour,
  SEARCH,
  type SearchOptions,
  type TextIndex,
} from '../../src/methodology/similarity/text-index.ts';
import { readSimilarityTables } from '../../src/store/similarity-tables.ts';
import { processorMs } from './processor-time.ts';
import { measureHnsw } from './relations-hnsw.ts';
import { measureStore } from './relations-store.ts';
import { buildIndex, VENUES } from './relations-world.ts';

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '200000' },
    stored: { type: 'string', default: '20000' },
    growth: { type: 'boolean', default: false },
  },
});
const TEXTS = Number(values.texts);
const STORED = Number(values.stored);
const SEARCHES = 2000;
/** Few, because an exact search compares a text with every other that shares a word. */
const EXACT_SEARCHES = 50;
const NEAREST = 10;
const ALL_VENUES = (1 << VENUES) - 1;
const NO_LIMIT = Number.POSITIVE_INFINITY;

const USUAL: SearchOptions = { ...SEARCH, floors: Array.from({ length: VENUES }, () => 0.1) };
const EXACT: SearchOptions = { ...USUAL, budget: NO_LIMIT, candidates: NO_LIMIT, compared: NO_LIMIT };

const line = (what: string, value: string, bar = '') =>
  process.stdout.write(`${what.padEnd(66)}${value.padStart(22)}  ${bar}\n`);
const evenly = (many: number, of: number) =>
  Array.from({ length: many }, (_, i) => Math.floor((i * of) / many));

/** Mean milliseconds of a piece of work, and what each found. */
function timed<Found>(asked: readonly number[], work: (text: number) => Found) {
  const began = processorMs();
  const found = asked.map(work);
  return { ms: (processorMs() - began) / asked.length, found };
}

const byComparing = (index: TextIndex, options: SearchOptions) => (text: number) =>
  highest(
    [...index.search(text, ALL_VENUES, options).values()].flat().map((each: Neighbour) => each.similarity),
  );
const byCosine = (index: TextIndex, options: SearchOptions) => (text: number) =>
  highest([...index.nearest(text, ALL_VENUES, options).values()].flat().map(([, cosine]) => cosine));
const highest = (scores: number[]) => scores.sort((a, b) => b - a).slice(0, NEAREST);

/** The share of the nearest texts of an exact search that another search found, or replaced by equally near ones. */
function recall(exact: readonly number[][], found: readonly number[][]): number {
  let kept = 0;
  let all = 0;
  for (const [i, nearest] of exact.entries()) {
    const least = (nearest.at(-1) ?? 0) - 1e-6;
    all += nearest.length;
    kept += Math.min(nearest.length, (found[i] ?? []).filter((score) => score >= least).length);
  }
  return kept / all;
}

/** Bytes of the typed arrays in use. */
function arrayBytes(): number {
  collect();
  return process.memoryUsage().arrayBuffers;
}
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const tables = readSimilarityTables();
const bytesBefore = arrayBytes();
const built = buildIndex(tables, TEXTS);
const { index, readMs, indexMs } = built;
const many = evenly(SEARCHES, TEXTS);
const few = evenly(EXACT_SEARCHES, TEXTS);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

line(`${TEXTS} texts: read; their index`, `${seconds(readMs)}; ${seconds(indexMs)}`);
line('bytes of the index', `${((arrayBytes() - bytesBefore) / 1e6).toFixed(0)} MB`, '≤ 100 MB');
timed(few, byComparing(index, USUAL));
const usual = timed(many, byComparing(index, USUAL));
line('the ten nearest of all, compared in full', seconds(indexMs + TEXTS * usual.ms));
const again = timed(few, byComparing(index, USUAL));
const exact = timed(few, byComparing(index, EXACT));
line('  recall of an exact search', recall(exact.found, again.found).toFixed(3), '≥ 0.93');
line('  time of an exact search', `${(usual.ms / exact.ms).toFixed(3)} x`, '≤ 0.25 x');

const cosine = timed(many, byCosine(index, USUAL));
const exactCosine = timed(few, byCosine(index, EXACT));
const ownRecall = recall(exactCosine.found, timed(few, byCosine(index, USUAL)).found);
line('the ten nearest of all by the cosine of their terms alone', seconds(indexMs + TEXTS * cosine.ms));
line('  recall of an exact search', ownRecall.toFixed(3));
const graph = measureHnsw(built, few);
line('  HNSW over 128 dimensions (usearch, one thread)', seconds(graph.buildMs + TEXTS * graph.searchMs));
line('  its recall of an exact search of those', graph.recall.toFixed(3));
line(
  '  time of HNSW',
  `${((indexMs + TEXTS * cosine.ms) / (graph.buildMs + TEXTS * graph.searchMs)).toFixed(2)} x`,
  '≤ 1 x',
);

if (values.growth)
  for (const count of [TEXTS / 2, TEXTS * 2]) {
    const other = buildIndex(tables, count);
    const { ms } = timed(evenly(SEARCHES, count), byComparing(other.index, USUAL));
    line(
      `a search among ${count} against among ${TEXTS}`,
      `${(ms / usual.ms).toFixed(2)} x`,
      'about 1 x: linear',
    );
  }

const stored = measureStore(tables, STORED);
line(`the step of compute on a store of ${STORED}, all new`, seconds(stored.full));
line('  1% new markets', `${(stored.onePercent / stored.full).toFixed(3)} x`, '≤ 0.06 x');
line('  nothing new', `${(stored.nothing / stored.full).toFixed(3)} x`);
