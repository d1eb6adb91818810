import { expect, it } from 'vitest';
import { encode } from '../../src/routes/encode.ts';

it('a number that is not finite is never written as null', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => encode({ level: value })).toThrow('a number could not be written');
  expect(encode({ level: 0, none: null })).toBe('{"level":0,"none":null}');
});
