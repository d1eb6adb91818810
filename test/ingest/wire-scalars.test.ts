import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import { cut, oneLine } from '../../src/ingest/wire/plain-text.ts';
import * as scalars from '../../src/ingest/wire/wire-scalars.ts';

const BY_NAME = new Map<string, ZodType>(Object.entries(scalars));

/** What a scalar reads, or in a record why it refuses. */
function read(name: keyof typeof scalars, value: unknown): unknown {
  const { success, data, error } = (BY_NAME.get(name) as ZodType).safeParse(value);
  return success ? data : { refused: error.issues[0]?.message };
}

describe('a scalar of a venue', () => {
  it.each([
    ['flag', true, true],
    ['flag', 'true', true],
    ['flag', 'false', false],
    ['flag', 'no', undefined],
    ['flag', 0, undefined],
    ['fraction', '0.4500', 0.45],
    ['fraction', 1, 1],
    ['fraction', '', undefined],
    ['fraction', undefined, undefined],
    ['nullableFraction', null, undefined],
    ['wholeNumber', '17', 17],
    ['nativeId', 17, '17'],
    ['nativeId', 'KX-26', 'KX-26'],
    ['nativeId', 'x'.repeat(1000), 'x'.repeat(1000)],
    ['neededText', ' a ', ' a '],
    ['neededText', 'a\u202eb', 'ab'],
    ['neededText', 'a\u0000\u001b]0;b\u0007\u009b\n\tc', 'a]0;b\n\tc'],
    ['shownText', '\u001b\u200b', undefined],
    ['shownText', 5, undefined],
    ['shownText', ' \u200f ', undefined],
    ['shownText', 'x'.repeat(20_001), `${'x'.repeat(19_999)}…`],
    ['instantText', '2026-11-02T15:00:00Z', Date.parse('2026-11-02T15:00:00Z')],
    ['instantText', '0001-01-01T00:00:00Z', undefined],
    ['instantText', '1970-01-01T00:00:00Z', undefined],
    ['instantText', 'soon', undefined],
    ['epochSeconds', 1_700_000_000, 1_700_000_000_000],
    ['epochSeconds', '1700000000', 1_700_000_000_000],
    ['epochSeconds', 1e11 - 1, 1e14 - 1000],
    ['epochMillis', 1_700_000_000_000, 1_700_000_000_000],
    ['epochMillis', 1e11, 1e11],
  ] as const)('%s reads %j', (name, value, expected) => {
    expect(read(name, value)).toBe(expected);
  });

  it.each([
    ['fraction', 1.01, 'must be 0 to 1, got 1.01'],
    ['fraction', -0.1, 'must be 0 to 1, got -0.1'],
    ['nullableFraction', undefined, 'must be 0 to 1, got nothing'],
    ['amount', 'many', 'must be 0 or more, got "many"'],
    ['wholeNumber', 1.5, 'must be a whole number, got 1.5'],
    ['wholeNumber', 1e9, 'must be a whole number, got 1000000000'],
    ['nativeId', '', 'must be an id, got ""'],
    ['nativeId', 'a b', 'must be an id, got "a b"'],
    ['nativeId', 'a\u0000', 'must be an id, got "a\\u0000"'],
    ['nativeId', 'a\ud800', 'must be an id, got "a\\ud800"'],
    ['nativeId', 'KX-\u202eON', 'must be an id, got "KX-\u202eON"'],
    ['nativeId', 'KX\u2066-26', 'must be an id, got "KX\u2066-26"'],
    ['nativeId', 'KX\u200b-26', 'must be an id, got "KX\u200b-26"'],
    ['nativeId', '\ufeffKX-26', 'must be an id, got "\ufeffKX-26"'],
    ['nativeId', 2 ** 53, `must be an id, got ${2 ** 53}`],
    ['nativeId', { id: [1] }, 'must be an id, got {"id":"…"}'],
    ['nativeId', 'x'.repeat(1001), `must be an id, got "${'x'.repeat(79)}…`],
    ['neededText', ' ', 'must be a text, got " "'],
    ['neededText', null, 'must be a text, got null'],
    ['epochSeconds', 0, 'must be whole seconds since 1970, got 0'],
    ['epochSeconds', 1.5, 'must be whole seconds since 1970, got 1.5'],
    ['epochSeconds', 1_700_000_000_000, 'must be whole seconds since 1970, got 1700000000000'],
    ['epochSeconds', 1e11, 'must be whole seconds since 1970, got 100000000000'],
    ['epochMillis', 1_700_000_000_000.5, 'must be milliseconds since 1970, got 1700000000000.5'],
    ['epochMillis', 1_700_000_000, 'must be milliseconds since 1970, got 1700000000'],
    ['epochMillis', 1e14, 'must be milliseconds since 1970, got 100000000000000'],
  ] as const)('%s refuses %j, and says what is allowed', (name, value, refused) => {
    expect(read(name, value)).toEqual({ refused });
  });
});

describe('a text', () => {
  it('is cut to a length with the ellipsis, never within a character or after a blank', () => {
    expect(cut('rain in Oslo', 12)).toBe('rain in Oslo');
    expect(cut('rain in Oslo', 11)).toBe('rain in Os…');
    expect(cut('rain in Oslo', 9)).toBe('rain in…');
    expect(cut('ab🦊cd', 4)).toBe('ab…');
    expect(cut('ab🦊cd', 5)).toBe('ab🦊…');
  });

  it('on one line has no control or direction characters, and single spaces', () => {
    expect(oneLine(' rain\r\n\tin \u0000\u202e\u200b\ufeffOslo\u0085 ')).toBe('rain in Oslo');
  });
});
