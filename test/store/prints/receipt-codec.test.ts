import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LineColumns } from '../../../src/model/print.ts';
import { encodeReceipt, readReceipt, readShares } from '../../../src/store/prints/receipt-codec.ts';

const cents = fc.integer({ min: 1, max: 9_999 }).map((units) => units / 10_000);
const anything = fc.oneof(
  fc.constant(Number.NaN),
  fc.constantFrom(0, 1, 6.5534, 6.5535, 1034.25, 0.1 + 0.2),
  fc.double({ noNaN: true }),
);

/** The price and the spread of a line: of a book, of a trade, or any two numbers. */
const priced = fc.oneof(
  fc.tuple(cents, cents).map(([bid, ask]) => ({ price: (bid + ask) / 2, spread: ask - bid })),
  cents.map((price) => ({ price, spread: Number.NaN })),
  fc.record({ price: anything, spread: anything }),
);

const code = fc.integer({ min: 0, max: 9 });
const age = fc.oneof(
  fc.constant(Number.NaN),
  fc.nat({ max: 0xffff_fffe }),
  fc.constantFrom(0, 0xffff_ffff, 1e12, -1, 0.5),
);

const line = fc.record({
  codes: fc.tuple(code, code, code),
  priced,
  age,
  weight: fc.oneof(fc.constantFrom(0, 0.25), fc.double({ min: 0, max: 1, noNaN: true })),
  volume: anything,
  outlier: fc.integer({ min: 0, max: 1 }),
});

/** Lines that often share their codes, ages or weights. */
const lines = fc
  .tuple(fc.array(line, { maxLength: 5 }), line, fc.array(fc.constantFrom('codes', 'age', 'weight')))
  .map(([each, first, alike]) =>
    each.map((one) => ({ ...one, ...Object.fromEntries(alike.map((field) => [field, first[field]])) })),
  );

type Line = typeof lines extends fc.Arbitrary<(infer One)[]> ? One : never;

function columnsOf(each: readonly Line[], extras: { volume: boolean; outlier: boolean }): LineColumns {
  const numbers = (of: (line: Line) => number) => Float64Array.from(each, of);
  const codes = (place: 0 | 1 | 2) => Uint8Array.from(each, (one) => one.codes[place]);
  return {
    state: codes(0),
    basis: codes(1),
    exclude_reason: codes(2),
    price: numbers((one) => one.priced.price),
    spread: numbers((one) => one.priced.spread),
    age: numbers((one) => one.age),
    weight: numbers((one) => one.weight),
    ...(extras.volume && { volume: numbers((one) => one.volume) }),
    ...(extras.outlier && { outlier: Uint8Array.from(each, (one) => one.outlier) }),
  };
}

/** As plain lists; a volume that no line has is none. */
function listed(columns: LineColumns) {
  const { volume } = columns;
  const told = volume?.some((value) => !Number.isNaN(value)) ? volume : undefined;
  return Object.fromEntries(
    Object.entries({ ...columns, volume: told }).map(([name, column]) => [name, column && [...column]]),
  );
}

it('a receipt restores every number that was written, to the last binary digit', () => {
  const extras = fc.record({ volume: fc.boolean(), outlier: fc.boolean() });
  fc.assert(
    fc.property(lines, extras, (each, extra) => {
      const columns = columnsOf(each, extra);
      const receipt = Buffer.from(encodeReceipt(columns));
      const read = readReceipt(receipt, each.length);
      expect(listed(read)).toEqual(listed({ volume: undefined, outlier: undefined, ...columns }));
      const { state, weight } = columns;
      expect(readShares(receipt, each.length)).toEqual({ state, weight });
    }),
    { numRuns: 1_000 },
  );
});

function sizeOf(count: number, priceOf: (i: number) => Line['priced'], weightOf: (i: number) => number) {
  const each = Array.from({ length: count }, (_none, i) => ({
    codes: [1, 1, 0] as [number, number, number],
    priced: priceOf(i),
    age: 60_000,
    weight: weightOf(i),
    volume: Number.NaN,
    outlier: 0,
  }));
  return encodeReceipt(columnsOf(each, { volume: false, outlier: false })).length;
}

it('a mid and its spread take four bytes, a number finer than a hundredth of a cent sixteen more; shared values are stored once', () => {
  const mid = (i: number) => ({ price: (0.4 + (42 + i) / 100) / 2, spread: (42 + i) / 100 - 0.4 });
  const rest = sizeOf(10, mid, () => 0.1) - 10 * 4;
  expect(sizeOf(30, mid, () => 0.1)).toBe(rest + 30 * 4);
  expect(sizeOf(30, mid, (i) => i / 100)).toBe(rest + 30 * 4 + 29 * 8);
  const level = (i: number) => (i === 7 ? { price: 1034.256, spread: Number.NaN } : mid(i));
  expect(sizeOf(30, level, () => 0.1)).toBe(rest + 30 * 4 + 16);
});

it('older receipts, whose price and spread columns have no mark before them, are read as they were written', () => {
  const column = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const doubles = (...values: number[]) => column(Buffer.from(Float64Array.from(values).buffer));
  const written = Buffer.concat([
    column(Buffer.of(1, 1, 0, 2, 7, 4)),
    column(Buffer.from(Uint16Array.of(4100, 0xffff).buffer)),
    doubles(0.42 - 0.4, Number.NaN),
    doubles(60_000, Number.NaN),
    doubles(1, 0),
    column(Buffer.alloc(0)),
    column(Buffer.of(0, 1)),
  ]);
  expect(listed(readReceipt(written, 2))).toEqual({
    state: [1, 2],
    basis: [1, 7],
    exclude_reason: [0, 4],
    price: [0.41, Number.NaN],
    spread: [0.42 - 0.4, Number.NaN],
    age: [60_000, Number.NaN],
    weight: [1, 0],
    outlier: [0, 1],
  });
  expect(readShares(written, 2)).toEqual({ state: Uint8Array.of(1, 2), weight: Float64Array.of(1, 0) });
});
