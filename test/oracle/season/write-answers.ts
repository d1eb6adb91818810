/** What the product answers of a store: the correlations of its indices and the stats of its rates. */
import { routes } from '../../../src/routes/routes.ts';
import { listIndexDefinitions, listRateDefinitions } from '../../../src/store/definitions.ts';
import { listCalculations } from '../../../src/store/standings.ts';
import { openStore } from '../../../src/store/store.ts';

interface Answers {
  correlations: Record<string, object>;
  stats: Record<string, object>;
}

const SITES = { venue_a: 'https://a.example', venue_b: 'https://b.example' };

export function writeAnswers(path: string): Answers {
  const store = openStore(path, { readonly: true });
  try {
    return store.read((reader) => {
      const now = listCalculations(reader).at(-1) ?? 0;
      const answers: Answers = { correlations: {}, stats: {} };
      const ask = (path: string, tier: 'public' | 'authenticated', id: string) => {
        const route = routes.find((each) => each.path === path);
        return route?.answer({ reader, now, tier, id, query: route.query.parse({}), sites: SITES });
      };
      for (const { definition } of listIndexDefinitions(reader)) {
        const body = ask('/indices/{id}/correlation', 'public', definition.ticker);
        if (body) answers.correlations[definition.ticker] = body;
      }
      for (const { definition } of listRateDefinitions(reader)) {
        const body = ask('/rates/{id}', 'authenticated', definition.ticker);
        if (body && 'stats' in body && body.stats) answers.stats[definition.ticker] = body.stats;
      }
      return answers;
    });
  } finally {
    store.close();
  }
}
