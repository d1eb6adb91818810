import { expect, it } from 'vitest';
import { memoized } from '../../src/model/memoized.ts';

it('each result is worked out once for each argument, also if it is undefined', () => {
  const asked: string[] = [];
  const lengthOf = memoized((text: string) => {
    asked.push(text);
    return text.length || undefined;
  });
  expect(['ab', '', 'ab', ''].map(lengthOf)).toEqual([2, undefined, 2, undefined]);
  expect(asked).toEqual(['ab', '']);
});

it('what is known before is not worked out', () => {
  const double = memoized((n: number) => 2 * n, new Map([[1, 0]]));
  expect([double(1), double(2)]).toEqual([0, 4]);
});
