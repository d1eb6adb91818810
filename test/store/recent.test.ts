import { afterAll, expect, test } from 'vitest';
import { findRecent } from '../../src/store/recent.ts';
import { openStore, type Reader } from '../../src/store/store.ts';

const store = openStore(':memory:');
afterAll(() => store.close());

let asked = 0;
const ask = (reader: Reader, key: number, answer: number | undefined = key) =>
  findRecent(reader, 'numbers', key, () => {
    asked++;
    return answer;
  });

test('a recent lookup in a snapshot is not repeated, whether or not it found anything', () => {
  asked = 0;
  store.read((reader) => {
    expect([ask(reader, 1), ask(reader, 2), ask(reader, 1), ask(reader, 2)]).toEqual([1, 2, 1, 2]);
    expect(findRecent(reader, 'nothing', 1, () => undefined)).toBeUndefined();
    expect(findRecent<number, number | undefined>(reader, 'nothing', 1, () => 1)).toBeUndefined();
  });
  expect(asked).toBe(2);
});

test('another snapshot looks up again, and so does every read during a write', () => {
  asked = 0;
  store.read((reader) => expect(ask(reader, 1, 10)).toBe(10));
  store.read((reader) => expect(ask(reader, 1, 11)).toBe(11));
  store.write((writer) => expect([ask(writer, 1, 12), ask(writer, 1, 13)]).toEqual([12, 13]));
  expect(asked).toBe(4);
});

test('old lookups are evicted, and can be repeated', () => {
  store.read((reader) => {
    for (let key = 0; key < 25_000; key++) ask(reader, key);
    asked = 0;
    expect([ask(reader, 24_999), ask(reader, 0)]).toEqual([24_999, 0]);
  });
  expect(asked).toBe(1);
});
