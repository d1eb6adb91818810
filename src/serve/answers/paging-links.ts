/** The part of an answer that says where its page is. */
export interface Paged {
  page?: number | undefined;
  total_pages?: number | null | undefined;
  has_next?: boolean | undefined;
}

/**
 * The `Link` header of a page: first, prev, next, and last where the pages are counted; undefined for an answer
 * that has no pages. The links are relative to the server, and name the parameters that are read alone: what a cache
 * leaves out of its key must not change an answer.
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
  // Where a page is what is asked for at all, its body says which it is.
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
  if (page > 1) links.push(link('prev', page - 1));
  if (paging.has_next) links.push(link('next', page + 1));
  if (typeof paging.total_pages === 'number' && paging.total_pages > 0)
    links.push(link('last', paging.total_pages));
  return links.join(', ');
}

/** Where the page of a body stands. Events lists say it at the top level, the others under meta. */
export function pagingOf(body: { meta?: Paged } & Paged): Paged {
  const { page, total_pages, has_next } = body.meta ?? body;
  return { page, total_pages, has_next };
}
