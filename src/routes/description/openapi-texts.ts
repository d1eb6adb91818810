/** The texts of the OpenAPI document. */

const DAY_ALONE = 'a day alone is its first instant, UTC';

/** What a parameter means; the same name means the same on every path. */
export const PARAMETERS: Record<string, string> = {
  page: 'Page of the list, from 1. A page past the end is empty.',
  per_page: 'Rows a page.',
  search:
    'Words to search for. Case, accents and plurals make no difference; nor does punctuation, of filings only the dots ' +
    'of abbreviations such as U.S.',
  sort:
    'What the list is sorted by; rows without the value come last. change is in percent over the window for indices, ' +
    'in cents over seven days for rates.',
  sort_dir:
    'Direction of the sort. Left out, it is ascending for indices and rates and by title and organization, else ' +
    'descending.',
  venue: 'Only rows of this venue.',
  platform: 'Only rows of this venue.',
  scope: 'constituents: only what is in a public index; all: everything that the key can read.',
  expires_after: 'Only markets that close at this instant or later.',
  expires_before: `Only markets that close at this instant or earlier; ${DAY_ALONE}.`,
  created_since: 'Only events added at this instant or later.',
  created_until: `Only events added at this instant or earlier; ${DAY_ALONE}.`,
  end: 'Earlier name of created_until.',
  embed: 'markets: with the markets of each event.',
  methodology: 'Only rows of this methodology token.',
  window: 'Window of the change.',
  exclude_derived: 'Leaves out total-return indices.',
  days: 'Days of the report, today (UTC) the last.',
  type: 'Only notices of this type.',
  from: 'Only notices dated at this instant or later.',
  to: `Only notices dated at this instant or earlier; ${DAY_ALONE}.`,
  index: 'Only notices about this index, not those about all.',
  start: 'Prints of this instant and later count; seven days back when left out.',
  feed: 'Only filings of this registry.',
  org: 'Only filings of this organization.',
  status: 'Only filings with this status.',
  last_seen_days: 'Only filings not seen on a listing within so many days.',
  since_seq: 'Only changes after this sequence number.',
  since: 'Only changes observed at this instant or later.',
  kind: 'Only changes of this kind.',
};

/** What a status means. */
export const ERRORS: Record<string, string> = {
  400: 'A parameter is not valid, not supported here, or given twice',
  401: 'There is no key, or it is unknown or revoked',
  403: 'The key does not have the scope',
  404: 'Nothing is known under this id to who asks, or nothing is kept that was published by as_of',
  429: 'The budget is spent; wait 10 seconds and retry',
  500: 'Something went wrong on our side',
  503: 'The catalog is rebuilding, a read took too long, or the archive cannot be read; retry in a few seconds',
};

/** Example ids, by the resource of the path. */
export const EXAMPLE_IDS: Record<string, string> = {
  markets: 'venue_a:KXPRES-28-R',
  indices: 'SENATE-R',
  rates: 'R.SENATE',
  announcements: '1',
  filings: '48213',
  news: '9f86d081884c7d659a2f',
};

const TEXT = { type: 'string' } as const;

/** What a header of an answer says. */
const HEADERS = {
  ETag: { description: 'Validator of the answer', schema: TEXT },
  'X-Request-Id': { description: 'Id of the request', schema: TEXT },
  'X-As-Of': { description: 'The instant that the answer is of (RFC 3339)', schema: TEXT },
  'X-Generation': {
    description: 'Number of the published generation that an answer as_of an instant is from',
    schema: TEXT,
  },
  Link: {
    description: 'Pages before and after; what is said of a deprecated parameter (RFC 8288)',
    schema: TEXT,
  },
  RateLimit: { description: 'What is left of the budget', schema: TEXT },
  'RateLimit-Policy': { description: 'The budget and its window', schema: TEXT },
  Deprecation: {
    description: 'Since when a parameter that was given is deprecated (RFC 9745)',
    schema: TEXT,
  },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
  'WWW-Authenticate': {
    description: 'How to present a key, and what is wrong with the one given',
    schema: TEXT,
  },
} as const;
export type HeaderName = keyof typeof HEADERS;

/** The headers of errors, by status. */
export const ERROR_HEADERS: Record<string, readonly HeaderName[]> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

/** Headers with their descriptions. */
export function describeHeaders(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, HEADERS[name]]));
}
