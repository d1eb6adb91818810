/** Cache lifetimes of public answers, published or served. */

/** For what changes with each run. */
export const LIVE = 'public, max-age=15, s-maxage=60, stale-while-revalidate=60';

/** For related lists: a quarter of an hour in total, over all caches between server and reader. */
export const RELATED = 'public, max-age=300, s-maxage=600, stale-while-revalidate=300';
