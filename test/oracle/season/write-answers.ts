/** What the product answers of a store: of each index and rate all figures that it publishes. */
import { routes } from '../../../src/routes/routes.ts';
import { listIndexDefinitions, listRateDefinitions } from '../../../src/store/definitions/definitions.ts';
import { findLastRun } from '../../../src/store/prints/calculations.ts';
import { openStore, type Reader } from '../../../src/store/store.ts';

type Answered = Record<string, Record<string, unknown>>;

export interface Answers {
  /** The instant at which it was asked. */
  now: number;
  indices: Answered;
  rates: Answered;
  /** By window, what the list of indices says. */
  lists: Record<string, unknown>;
  /** What the lists of indices and rates said at earlier instants. */
  earlier: Record<string, unknown>[];
  /** By market, the indices that it is in. */
  memberships: Record<string, unknown>;
}

/** How many earlier instants are asked about, evenly through the life of what was calculated. */
const EARLIER = 24;
const ALL = { per_page: '500' };
const SITES = { venue_a: 'https://a.example', venue_b_global: 'https://b.example' };

interface Asked {
  tier?: 'public' | 'authenticated';
  id?: string;
  query?: Record<string, string>;
  organization?: string | undefined;
}

function answerOf(
  reader: Reader,
  now: number,
  path: string,
  { tier = 'authenticated', id = '', query = {}, organization = '' }: Asked,
): unknown {
  const route = routes.find((each) => each.path === path && each.tiers.includes(tier));
  const asker = { reader, now, tier, ...(tier === 'public' ? {} : { organization }) };
  return route?.answer({ ...asker, id, query: route.query.parse(query), sites: SITES });
}

export function writeAnswers(path: string): Answers {
  const store = openStore(path, { readonly: true });
  try {
    return store.read(answersOf);
  } finally {
    store.close();
  }
}

/** What is answered at the instant of the last run. */
export function answersOf(reader: Reader): Answers {
  const now = findLastRun(reader) ?? 0;
  const ask = (path: string, asked: Asked) => answerOf(reader, now, path, asked);
  const both = (path: string, asked: Asked) => ({
    public: ask(path, { ...asked, tier: 'public' }),
    authenticated: ask(path, asked),
  });
  const answers: Answers = { now, indices: {}, rates: {}, lists: {}, earlier: [], memberships: {} };
  let first = now;
  for (const { definition } of listIndexDefinitions(reader)) {
    const { ticker, organization, base_at, constituents } = definition;
    const index = { id: ticker, organization };
    answers.indices[ticker] = {
      detail: both('/indices/{id}', index),
      prices: ask('/indices/{id}/prices', index),
      correlation: both('/indices/{id}/correlation', index),
      constituents: ask('/indices/{id}/constituents', index),
      daily_values: ask('/indices/{id}/daily-values', index),
      membership_events: ask('/indices/{id}/membership-events', { ...index, query: ALL }),
    };
    for (const { market_id } of constituents)
      answers.memberships[market_id] ??= ask('/markets/{id}/indices', { id: market_id });
    first = Math.min(first, Date.parse(base_at));
  }
  for (const { definition } of listRateDefinitions(reader)) {
    const { ticker, organization, start_at } = definition;
    const rate = { id: ticker, organization };
    answers.rates[ticker] = { ...both('/rates/{id}', rate), prices: ask('/rates/{id}/prices', rate) };
    first = Math.min(first, Date.parse(start_at));
  }
  for (const window of ['1d', '7d', '30d', '90d'])
    answers.lists[window] = ask('/indices', { query: { ...ALL, window } });
  for (let i = 1; i <= EARLIER; i++) {
    const at = Math.round(first + ((now - first) * i) / EARLIER) - 1;
    answers.earlier.push({
      now: at,
      indices: answerOf(reader, at, '/indices', { query: ALL }),
      rates: answerOf(reader, at, '/rates', { tier: 'public', query: ALL }),
    });
  }
  return answers;
}
