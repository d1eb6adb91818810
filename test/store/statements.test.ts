import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OPERATIONS } from '../contract/contract.ts';
import { bearer, openSmallApp, type SmallApp } from '../helpers/small-app.ts';
import { configFor, feedOf, runIngest } from '../ingest/run-ingest.ts';
import { answerAsTwoVenues } from '../ingest/two-venues.ts';
import { store, venue, withVenueAndStore } from '../ingest/venue-and-store.ts';
import { gammaEvent, gammaMarket, kalshiEvent, kalshiMarket } from '../ingest/wire-fixtures.ts';

withVenueAndStore(() => answerAsTwoVenues(venue));

/** Every statement that SQLite was given; a connection keeps those that it was given before. */
let statements: Set<string>;
beforeEach(() => {
  statements = new Set();
  for (const method of ['prepare', 'exec'] as const) {
    const real = Database.prototype[method] as (sql: string) => never;
    vi.spyOn(Database.prototype, method).mockImplementation(function (this: Database.Database, sql: string) {
      statements.add(sql);
      return real.call(this, sql);
    });
  }
});
afterEach(() => vi.restoreAllMocks());

/** Texts that would show in a statement, alone and where they could end a text, a name or a comment in one. */
const forms = (word: string) => [
  word,
  `${word}' OR ''='`,
  `"${word}`,
  `${word}; --`,
  `[${word}]`,
  `\`${word}*/`,
];

/** Asks every path for a text, in each of its parameters by itself and as its id. */
async function askFor({ app, small }: SmallApp, word: string): Promise<void> {
  const headers = bearer(small.keys.all);
  let answered = 0;
  for (const { path, parameters } of OPERATIONS)
    for (const { name, in: place } of parameters)
      for (const text of forms(word)) {
        const value = encodeURIComponent(text);
        const id = place === 'path' && name === 'id' ? value : 'SMALL';
        const where = path.replace('{id}', id).replace('{ext}', place === 'path' ? value : 'csv');
        const answer = await app.request(place === 'query' ? `${where}?${name}=${value}` : where, {
          headers,
        });
        await answer.text();
        expect(answer.status, `${where} ${name} ${text}`).toBeLessThan(500);
        if (answer.status === 200) answered++;
      }
  // Searches, and the filters whose values are not listed.
  expect(answered).toBeGreaterThan(50);
}

it('no text of a request becomes part of a statement: another text needs no other statement', async () => {
  const app = openSmallApp();
  await askFor(app, 'kestrel');
  expect([...statements].filter((sql) => /kestrel/i.test(sql))).toEqual([]);
  expect(statements.size).toBeGreaterThan(20);
  const known = new Set(statements);
  await askFor(app, 'plover');
  expect([...statements].filter((sql) => !known.has(sql))).toEqual([]);
  app.small.close();
});

it('no text of a venue becomes part of a statement', async () => {
  const texts = forms('plover').map((text) => ({ text, id: text.replaceAll(' ', '') }));
  venue.on('/kalshi/events', () => ({
    events: texts.map(({ text, id }) =>
      kalshiEvent([kalshiMarket(`KX-${id}`, { title: text, yes_sub_title: text, rules_primary: text })], {
        event_ticker: `E-${id}`,
        series_ticker: id,
        category: text,
      }),
    ),
    cursor: '',
  }));
  venue.on('/gamma/events/keyset', () => ({
    events: texts.map(({ text }, i) =>
      gammaEvent([gammaMarket(i + 1, { question: text, slug: text, description: text })], {
        id: String(i + 1),
        slug: text,
        title: text,
      }),
    ),
  }));
  const report = await runIngest(store, configFor(venue.origin));
  for (const feed of ['venue_a/events', 'venue_b_global/events'])
    expect(feedOf(report, feed)).toMatchObject({ condition: 'good', rows_left_out: 0 });
  const known = store.read((reader) => reader.column<string>('SELECT market_id FROM markets'));
  expect(known.filter((id) => id.includes('plover'))).toHaveLength(texts.length);
  expect([...statements].filter((sql) => /plover/i.test(sql))).toEqual([]);
  expect(statements.size).toBeGreaterThan(50);
});
