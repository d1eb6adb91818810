import { Index, MetricKind, ScalarKind } from 'usearch';
import { processorMs } from './processor-time.ts';
import type { BuiltIndex } from './relations-world.ts';

const DIMENSIONS = 128;

/**
 * The texts of an index as dense vectors of length 1: each term of a text adds its value to all dimensions, with
 * pseudo-random signs of its own, so that dot products are about those of the sparse vectors.
 */
function project({ texts, dictionary }: BuiltIndex): Float32Array {
  const dense = new Float32Array(texts.length * DIMENSIONS);
  for (let text = 0; text < texts.length; text++) {
    const vector = texts.vector(text);
    const values = dictionary.normalised(vector);
    const own = dense.subarray(text * DIMENSIONS, (text + 1) * DIMENSIONS);
    for (let i = 0; i < values.length; i++) addSigned(own, vector.ids[i] as number, values[i] as number);
    const length = Math.hypot(...own);
    for (let d = 0; d < DIMENSIONS; d++) own[d] = (own[d] as number) / (length || 1);
  }
  return dense;
}

function addSigned(own: Float32Array, term: number, value: number): void {
  let state = Math.imul(term + 1, 0x9e37_79b1) >>> 0;
  for (let d = 0; d < DIMENSIONS; d++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    own[d] = (own[d] as number) + (state & 1 ? value : -value);
  }
}

/**
 * Finds the ten nearest texts with an HNSW graph over the projected vectors.
 *
 * @param asked texts to search for
 * @returns processor milliseconds of building it and of one search, and its recall of an exact search of the same vectors
 */
export function measureHnsw(
  built: BuiltIndex,
  asked: readonly number[],
): { buildMs: number; searchMs: number; recall: number } {
  const dense = project(built);
  const vector = (text: number) => dense.subarray(text * DIMENSIONS, (text + 1) * DIMENSIONS);
  const graph = new Index({
    dimensions: DIMENSIONS,
    metric: MetricKind.IP,
    quantization: ScalarKind.F32,
    connectivity: 16,
    expansion_add: 128,
    expansion_search: 96,
    multi: false,
  });
  let began = processorMs();
  for (let text = 0; text < built.texts.length; text++) graph.add(BigInt(text), vector(text), 1);
  const buildMs = processorMs() - began;
  began = processorMs();
  const found = asked.map((text) => [...graph.search(vector(text), 11, 1).keys].map(Number));
  const searchMs = (processorMs() - began) / asked.length;
  let kept = 0;
  for (const [i, text] of asked.entries()) {
    const exact = nearestOf(dense, vector(text), built.texts.length);
    kept += exact.filter((each) => found[i]?.includes(each)).length / exact.length;
  }
  return { buildMs, searchMs, recall: kept / asked.length };
}

function nearestOf(dense: Float32Array, own: Float32Array, count: number): number[] {
  const products = Array.from({ length: count }, (_, text) => {
    let sum = 0;
    for (let d = 0; d < DIMENSIONS; d++) sum += (own[d] as number) * (dense[text * DIMENSIONS + d] as number);
    return [sum, text] as const;
  });
  return products
    .sort((a, b) => b[0] - a[0])
    .slice(0, 11)
    .map(([, text]) => text);
}
