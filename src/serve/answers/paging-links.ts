export interface Paged {
  page?: number | undefined;
  total_pages?: number | null | undefined;
  has_next?: boolean | undefined;
  is_empty?: boolean | undefined;
}

/**
 * The `Link` header of a page: first, prev, next, and last if the pages are counted; undefined for an answer without
 * pages. From a page past the end, prev leads to the last page, or to the first if the pages are not counted. The links
 * are relative, and contain only parameters that the route reads: what a cache leaves out of its key must not change an
 * answer.
 *
 * @param raw every value of every parameter of the request
 * @param query the parameters that the route reads
 * @see RFC 8288
 */
export function pagingLinks(
  path: string,
  raw: ReadonlyMap<string, readonly string[]>,
  { page: asked, ...query }: Readonly<Record<string, unknown>>,
  paging: Paged,
): string | undefined {
  // The body says which page it is, if it is one.
  const page = paging.page ?? asked;
  if (typeof page !== 'number' || paging.has_next === undefined) return undefined;
  const read = Object.keys(query).flatMap((name) => raw.get(name)?.map((value) => ({ name, value })) ?? []);
  const link = (rel: string, to: number) => {
    const parameters = new URLSearchParams({ page: String(to) });
    for (const { name, value } of read) parameters.append(name, value);
    parameters.sort();
    return `<${path}?${parameters}>; rel="${rel}"`;
  };
  const links = [link('first', 1)];
  if (page > 1) links.push(link('prev', pageBefore(page, paging)));
  if (paging.has_next) links.push(link('next', page + 1));
  if (paging.total_pages) links.push(link('last', paging.total_pages));
  return links.join(', ');
}

function pageBefore(page: number, { total_pages, is_empty }: Paged): number {
  if (typeof total_pages === 'number') return Math.max(1, Math.min(page - 1, total_pages));
  return is_empty ? 1 : page - 1;
}

/** The paging data of a body: at its top level in lists of events, under meta in all others. */
export function pagingOf(body: { meta?: Paged; data?: readonly unknown[] } & Paged): Paged {
  const { page, total_pages, has_next } = body.meta ?? body;
  return { page, total_pages, has_next, is_empty: body.data?.length === 0 };
}
