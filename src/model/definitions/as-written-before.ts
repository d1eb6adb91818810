import { isDeepStrictEqual } from 'node:util';
import { parseInstant } from '../time.ts';
import type { IndexDefinition } from './index-definition.ts';

/**
 * A definition with what says the same as an earlier version written as it was there: another order of the keys of an
 * object and another form of an instant change nothing.
 *
 * @example asWrittenBefore(earlier, { ...earlier, base_at: '2026-07-06' }).base_at // '2026-07-06T00:00:00Z'
 */
export function asWrittenBefore(earlier: IndexDefinition, after: IndexDefinition): IndexDefinition {
  return written(earlier, after) as IndexDefinition;
}

function written(before: unknown, value: unknown): unknown {
  if (isDeepStrictEqual(before, value)) return before;
  if (typeof before === 'string' && typeof value === 'string')
    return isSameInstant(before, value) ? before : value;
  if (Array.isArray(before) && Array.isArray(value)) return value.map((each, i) => written(before[i], each));
  if (!isObject(before) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, written(before[key], each)]));
}

function isSameInstant(before: string, value: string): boolean {
  const at = parseInstant(before);
  return at !== undefined && at === parseInstant(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
