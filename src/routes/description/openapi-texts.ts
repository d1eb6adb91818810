/** The texts of the OpenAPI document. */

const DAY_ALONE = 'A date without a time is midnight UTC at its beginning';

/** What a parameter means; the same name means the same on every path. */
export const PARAMETERS: Record<string, string> = {
  page: 'Number of the page, from 1. A page past the end is empty.',
  per_page: 'Rows per page.',
  search:
    'Words to search for. Case, accents, plurals and punctuation make no difference. In filings punctuation counts, ' +
    'except the dots of abbreviations such as U.S.',
  sort:
    'Field to sort by. Rows without a value come last. For indices, change is the percent change over the window; for ' +
    'rates, the change in cents over seven days.',
  sort_dir:
    'Direction of the sort. The default is ascending for indices, for rates, and when sorting by title or ' +
    'organization; otherwise it is descending.',
  venue: 'Only rows of this venue.',
  platform: 'Only rows of this venue.',
  scope: 'constituents: only what a public index contains; all: everything that the key can read.',
  expires_after: 'Only markets that close at or after this instant.',
  expires_before: `Only markets that close at or before this instant. ${DAY_ALONE}.`,
  created_since: 'Only events added at or after this instant.',
  created_until: `Only events added at or before this instant. ${DAY_ALONE}.`,
  embed: 'markets: each event is returned with its markets.',
  methodology: 'Only rows with this methodology token.',
  window: 'Period that change_percent covers.',
  exclude_derived: 'Leaves out total-return indices.',
  days: 'Number of UTC days in the report; the last one is today.',
  type: 'Only notices of this type.',
  from: 'Only notices dated at or after this instant.',
  to: `Only notices dated at or before this instant. ${DAY_ALONE}.`,
  index: 'Only notices about this index; notices about all indices are left out.',
  start: 'Each rate is shown with its latest print at or after this instant. The default is seven days ago.',
  feed: 'Only filings of this list of the registry.',
  org: 'Only filings of this organization.',
  status: 'Only filings with this status.',
  last_seen_days: 'Only filings that no list of the registry has shown within this many days.',
  since_seq: 'Only changes after this sequence number: the last_seq of the answer before.',
  since: 'Only changes observed at or after this instant.',
  kind: 'Only changes of this kind.',
};

/** What a status means. */
export const ERRORS: Record<string, string> = {
  400: 'A parameter is invalid, not supported on this path, or given twice',
  401: 'The key is missing, unknown or revoked',
  403: 'The key does not have the scope that this path needs',
  404: 'There is no such id that you may read, or no document published by as_of is kept',
  429:
    'The request budget is spent, too many answers are unread, or too many exports are under way; wait for the seconds ' +
    'of Retry-After (10 by default) and retry',
  500: 'The server failed',
  503: 'The catalog is being rebuilt, a read took too long, or the archive cannot be read; retry in a few seconds',
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

const HEADERS = {
  ETag: {
    description: 'Validator of the answer; send it as If-None-Match to get 304 while nothing has changed',
    schema: TEXT,
  },
  'X-Request-Id': { description: 'Id of the request', schema: TEXT },
  'X-As-Of': { description: 'Instant that the answer describes (RFC 3339)', schema: TEXT },
  'X-Generation': {
    description: 'Number of the published generation that the answer comes from; only with as_of',
    schema: TEXT,
  },
  Link: {
    description: 'Neighbouring pages of a list, and the documentation of a deprecated parameter (RFC 8288)',
    schema: TEXT,
  },
  RateLimit: { description: 'What is left of the request budget', schema: TEXT },
  'RateLimit-Policy': { description: 'The request budget and its window', schema: TEXT },
  Deprecation: {
    description: 'Instant since which a parameter of the request is deprecated (RFC 9745)',
    schema: TEXT,
  },
  'Retry-After': { description: 'Seconds to wait before the next try', schema: { type: 'integer' } },
  'WWW-Authenticate': {
    description: 'How to send a key, and what is wrong with the one that was sent',
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

export function describeHeaders(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, HEADERS[name]]));
}
