/** Lifetimes of public answers, the same of documents that are published and of answers that are served. */

/** Of what changes at each run. */
export const LIVE = 'public, max-age=15, s-maxage=60, stale-while-revalidate=60';

/** Of related lists: a quarter of an hour in all, over every cache on the way. */
export const RELATED = 'public, max-age=300, s-maxage=600, stale-while-revalidate=300';
