import { describe, expect, it } from 'vitest';
import { ColumnRoom } from '../../src/model/column-room.ts';

describe('the column buffer', () => {
  it('gives columns that share nothing, of any length, until it is cleared', () => {
    const room = new ColumnRoom();
    const lengths = [0, 1, 512, 100_000, 131_072, 31_072, 200_000, 1];
    const columns = lengths.map((length, i) => room.column(length).fill(i));
    expect(columns.map((column) => column.length)).toEqual(lengths);
    for (const [i, column] of columns.entries()) expect(column.every((value) => value === i)).toBe(true);
  });

  it('gives codes that are 0, and places, also where other columns were', () => {
    const room = new ColumnRoom();
    room.column(1_000).fill(Number.NaN);
    room.clear();
    const lengths = [0, 1, 7, 8, 2_000_000, 3];
    const given = lengths.map((length) => [room.codes(length), room.places(length), room.column(1)] as const);
    for (const [codes, places, column] of given) {
      expect(codes.every((code) => code === 0)).toBe(true);
      codes.fill(1);
      places.fill(2);
      column.fill(3);
    }
    expect(given.map(([codes, places]) => [codes.length, places.length])).toEqual(
      lengths.map((each) => [each, each]),
    );
    for (const [codes, places, column] of given) {
      expect(codes.every((code) => code === 1)).toBe(true);
      expect(places.every((place) => place === 2)).toBe(true);
      expect(column[0]).toBe(3);
    }
  });

  it('reuses the space of the previous columns once it was cleared', () => {
    const room = new ColumnRoom();
    const first = [room.column(512), room.column(131_072)];
    room.clear();
    const next = [room.column(512), room.column(131_072)];
    expect(next.map((column) => column.buffer === first[0]?.buffer)).toEqual([true, false]);
    expect(next[1]?.buffer).toBe(first[1]?.buffer);
  });
});
