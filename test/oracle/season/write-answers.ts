/** What the product answers of a store: of each index and rate all figures that it publishes. */
import { routes } from '../../../src/routes/routes.ts';
import { listIndexDefinitions, listRateDefinitions } from '../../../src/store/definitions.ts';
import { listCalculations } from '../../../src/store/standings.ts';
import { openStore } from '../../../src/store/store.ts';

type Answered = Record<string, Record<string, unknown>>;

interface Answers {
  indices: Answered;
  rates: Answered;
  /** By window, what the list of indices says. */
  lists: Record<string, unknown>;
  /** By market, the indices that it is in. */
  memberships: Record<string, unknown>;
}

const SITES = { venue_a: 'https://a.example', venue_b: 'https://b.example' };

export function writeAnswers(path: string): Answers {
  const store = openStore(path, { readonly: true });
  try {
    return store.read((reader) => {
      const now = listCalculations(reader).at(-1) ?? 0;
      const ask = (
        path: string,
        tier: 'public' | 'authenticated',
        id = '',
        query = {},
        organization = '',
      ) => {
        const route = routes.find((each) => each.path === path && each.tiers.includes(tier));
        const asker = { reader, now, tier, ...(tier === 'public' ? {} : { organization }) };
        return route?.answer({ ...asker, id, query: route.query.parse(query), sites: SITES });
      };
      const answers: Answers = { indices: {}, rates: {}, lists: {}, memberships: {} };
      for (const { definition } of listIndexDefinitions(reader)) {
        const { ticker, organization } = definition;
        const member = (path: string, query = {}) => ask(path, 'authenticated', ticker, query, organization);
        const both = (path: string) => ({ public: ask(path, 'public', ticker), authenticated: member(path) });
        answers.indices[ticker] = {
          detail: both('/indices/{id}'),
          correlation: both('/indices/{id}/correlation'),
          constituents: member('/indices/{id}/constituents'),
          daily_values: member('/indices/{id}/daily-values'),
          membership_events: member('/indices/{id}/membership-events', { per_page: '500' }),
        };
        for (const { market_id } of definition.constituents)
          answers.memberships[market_id] ??= ask('/markets/{id}/indices', 'authenticated', market_id);
      }
      for (const { definition } of listRateDefinitions(reader)) {
        const { ticker, organization } = definition;
        answers.rates[ticker] = {
          public: ask('/rates/{id}', 'public', ticker),
          authenticated: ask('/rates/{id}', 'authenticated', ticker, {}, organization),
        };
      }
      for (const window of ['1d', '7d', '30d', '90d'])
        answers.lists[window] = ask('/indices', 'authenticated', '', { window, per_page: '500' });
      return answers;
    });
  } finally {
    store.close();
  }
}
