import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findMarket } from '../../../src/store/catalog/catalog.ts';
import { listMatches } from '../../../src/store/catalog/search.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { put } from '../../helpers/small-store.ts';

type Shown = Pick<Parameters<typeof put>[1], 'question' | 'description' | 'slug' | 'volume'>;

let store: Store;
beforeEach(() => {
  store = openStore(':memory:');
});
afterEach(() => store.close());

/** Puts in markets by their native ids. The same id comes first in a tie. */
function putAll(markets: Readonly<Record<string, Shown>>): void {
  store.write(() => {
    for (const [id, shown] of Object.entries(markets)) put(store, { market_id: `venue_a:${id}`, ...shown });
  });
}

function search(text: string, limit = 10): string[] {
  return store.read((reader) => {
    const found: string[] = [];
    const ids = new Map(
      [...'ABCDEFGH'].map((id) => [findMarket(reader, `venue_a:${id}`)?.market_key, id] as const),
    );
    for (let has_next = true; has_next; ) {
      const page = listMatches(reader, 'market', { text, filter: {} }, { limit, offset: found.length });
      found.push(...page.keys.map((key) => ids.get(key) ?? '?'));
      ({ has_next } = page);
    }
    return found;
  });
}

describe('[4.1/1] a search ranks', () => {
  it('first the titles with most of the words, the rest of which are in their descriptions', () => {
    putAll({
      A: { question: 'Rain over hills', description: 'measured in Oslo at noon' },
      B: { question: 'Rain over Oslo', description: 'measured at noon' },
      C: { question: 'Noon in Oslo', description: 'whether rain falls' },
      D: { question: 'Noon rain Oslo' },
    });
    // B and C have two of the words, in both of them apart.
    expect(search('rain oslo noon')).toEqual(['D', 'B', 'C', 'A']);
  });

  it('words side by side, in the order of the query, above the same words apart', () => {
    putAll({
      A: { question: 'Deal before trade in May' },
      B: { question: 'May before trade deal in' },
      C: { question: 'Deal trade before in May' },
    });
    expect(search('trade deal')).toEqual(['B', 'A', 'C']);
    expect(search('deal trade')).toEqual(['C', 'A', 'B']);
  });

  it('more words side by side above fewer, also where the middle one is hyphenated', () => {
    putAll({
      A: { question: 'Fall to the covid-19 cases' },
      B: { question: 'The fall covid19 cases to' },
      C: { question: 'The covid-19 cases to fall' },
    });
    expect(search('fall covid-19 cases')[0]).toBe('B');
  });

  it('a hyphenated word that a title has as one like its parts', () => {
    putAll({
      A: { question: 'Cases in May', description: 'of covid-19' },
      B: { question: 'Covid19 in May', description: 'all cases' },
    });
    expect(search('cases covid-19')).toEqual(['B', 'A']);
  });

  it('the shorter of two titles with the same words first', () => {
    putAll({ A: { question: 'Rain over the hills of Oslo' }, B: { question: 'Rain in Oslo' } });
    expect(search('rain oslo')).toEqual(['B', 'A']);
  });

  it('the more traded of two titles first, but no title above one that says much more of the query', () => {
    putAll({
      A: { question: 'Rain in Oslo', volume: 10 },
      B: { question: 'Rain in Oslo', volume: 1_000_000 },
      C: { question: 'Rain in the far north of Norway or in Oslo or elsewhere', volume: 1e9 },
      D: { question: 'Rain in Oslo', volume: 100_000 },
    });
    expect(search('rain in oslo')).toEqual(['B', 'D', 'A', 'C']);
  });

  it('what is equal by id, on whatever pages it stands', () => {
    putAll(Object.fromEntries([...'GCAFBED'].map((id) => [id, { question: 'Rain in Oslo' }])));
    putAll({ H: { question: 'Rain' } });
    for (const limit of [1, 2, 3, 5, 10]) expect(search('rain', limit).join(''), `${limit}`).toBe('HABCDEFG');
  });
});
