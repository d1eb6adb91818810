import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cappedMeta, pageOf, sortRows } from '../../src/routes/paging.ts';

const row = fc.record({
  id: fc.uuid(),
  value: fc.option(fc.oneof(fc.integer(), fc.double({ noNaN: true })), { nil: undefined }),
});
const list = fc.uniqueArray(row, { selector: (each) => each.id });
const direction = fc.constantFrom('asc' as const, 'desc' as const);
const sorted = (rows: { id: string; value: number | undefined }[], to: 'asc' | 'desc') =>
  sortRows(
    rows,
    (each) => each.value,
    to,
    (each) => each.id,
  );

describe('pages', () => {
  it('[2.3/1][4.1/2] say that the total is a lower bound from the limit on, and not below it', () => {
    expect(cappedMeta(9_999, 10_000, { page: 1, per_page: 500 })).toEqual({
      page: 1,
      per_page: 500,
      total: 9_999,
      total_pages: 20,
      has_next: true,
    });
    expect(cappedMeta(10_000, 10_000, { page: 20, per_page: 500 })).toEqual({
      page: 20,
      per_page: 500,
      total: 10_000,
      total_pages: 20,
      has_next: false,
      total_capped: true,
    });
  });

  it('[2.3/1][2.3/2] together give every row once, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 7 }), (rows, per_page) => {
        const seen: number[] = [];
        for (let page = 1; ; page++) {
          const { data, meta } = pageOf(rows, { page, per_page });
          seen.push(...data);
          expect(meta).toMatchObject({
            page,
            total: rows.length,
            total_pages: Math.ceil(rows.length / per_page),
          });
          if (!meta.has_next) break;
          expect(data).toHaveLength(per_page);
        }
        expect(seen).toEqual(rows);
      }),
    );
  });
});

describe('a sort', () => {
  it('does not depend on the order of the input', () => {
    fc.assert(
      fc.property(list, direction, (rows, to) => {
        expect(sorted([...rows].reverse(), to)).toEqual(sorted(rows, to));
      }),
    );
  });

  it('puts absent values last either way, and ties in the order of their ids', () => {
    const rows = [
      { id: 'd', value: undefined },
      { id: 'c', value: 1 },
      { id: 'b', value: 1 },
      { id: 'a', value: undefined },
      { id: 'e', value: 0 },
    ];
    expect(sorted(rows, 'asc').map((each) => each.id)).toEqual(['e', 'b', 'c', 'a', 'd']);
    expect(sorted(rows, 'desc').map((each) => each.id)).toEqual(['b', 'c', 'e', 'a', 'd']);
  });
});
