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

  it('reuses the space of the previous columns once it was cleared', () => {
    const room = new ColumnRoom();
    const first = [room.column(512), room.column(131_072)];
    room.clear();
    const next = [room.column(512), room.column(131_072)];
    expect(next.map((column) => column.buffer === first[0]?.buffer)).toEqual([true, false]);
    expect(next[1]?.buffer).toBe(first[1]?.buffer);
  });
});
