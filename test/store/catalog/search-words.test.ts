import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../src/store/catalog/search-words.ts';

describe('piecesOf', () => {
  it('splits a text at every blank that a regular expression knows', () => {
    const blanks = Array.from({ length: 0x10000 }, (_none, code) => String.fromCharCode(code)).filter(
      (each) => /\s/.test(each),
    );
    const written = fc.oneof(
      fc.constantFrom(...blanks),
      fc.constantFrom('a', 'B7', 'é', 'U.S.', '-', '\u001c'),
    );
    fc.assert(
      fc.property(fc.array(written), (parts) => {
        const text = parts.join('');
        expect(piecesOf(text)).toEqual(text.split(/\s+/u).flatMap(piecesOf));
      }),
    );
  });

  it("also yields a piece with inner punctuation as one word, without its plural's s", () => {
    expect(piecesOf("Trump's  tariffs")).toEqual([
      { parts: ['trump', 's'], joined: 'trump' },
      { parts: ['tariff'] },
    ]);
  });
});
