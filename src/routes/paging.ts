export interface PageMeta {
  page: number;
  per_page: number;
  total: number;
  total_pages: number;
  has_next: boolean;
}

export interface Paged {
  page: number;
  per_page: number;
}

/** The most rows that can be skipped quickly. */
const FEW_ROWS = 10_000;

/** Whether reaching a page takes long. */
export function isFarDown({ page, per_page }: Paged): boolean {
  return page * per_page > FEW_ROWS;
}

/** The rows of a page, as limit and offset. */
export function rowsOf({ page, per_page }: Paged): { limit: number; offset: number } {
  return { limit: per_page, offset: (page - 1) * per_page };
}

/** Paging data of a counted list. A page past the end is empty, not an error. */
export function pageMeta(total: number, { page, per_page }: Paged): PageMeta {
  const total_pages = Math.ceil(total / per_page);
  return { page, per_page, total, total_pages, has_next: page < total_pages };
}

/** Paging data of a ranked list, which is not counted. */
export function uncountedMeta({ page, per_page }: Paged, has_next: boolean) {
  return { page, per_page, total: null, total_pages: null, has_next };
}

/** Paging data of a list counted up to a limit, at which the total is a lower bound. */
export function cappedMeta(total: number, most: number, paged: Paged): PageMeta & { total_capped?: true } {
  const meta = pageMeta(total, paged);
  return total < most ? meta : { ...meta, total_capped: true };
}

/** One page of rows that are all in memory, with its paging data. */
export function pageOf<Row>(rows: readonly Row[], paged: Paged): { data: Row[]; meta: PageMeta } {
  const { limit, offset } = rowsOf(paged);
  return { data: rows.slice(offset, offset + limit), meta: pageMeta(rows.length, paged) };
}

/**
 * Sorts rows: absent values last in both directions, ties by id, so that pages neither repeat nor skip rows.
 *
 * @param key the value to sort by, if any; called once for each row
 */
export function sortRows<Row>(
  rows: readonly Row[],
  key: (row: Row) => string | number | undefined,
  direction: 'asc' | 'desc',
  id: (row: Row) => string,
): Row[] {
  const sign = direction === 'asc' ? 1 : -1;
  const keyed = rows.map((row) => ({ row, value: key(row), id: id(row) }));
  keyed.sort(({ value: x, id: first }, { value: y, id: second }) => {
    if (x === undefined || y === undefined) {
      if (x !== y) return x === undefined ? 1 : -1;
    } else if (x !== y) return x < y ? -sign : sign;
    return first < second ? -1 : 1;
  });
  return keyed.map((each) => each.row);
}
