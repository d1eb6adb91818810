import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { relate } from '../../src/compute/relations/relate.ts';
import type { Config } from '../../src/model/config.ts';
import { DAY_MS } from '../../src/model/time.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { listNearRecords } from '../../src/store/relations/neighbours.ts';
import { adopt, market } from '../helpers/small-store.ts';
import { tables } from '../quality/methods.ts';
import { Raw, raw } from './fixture-venue.ts';
import { configFor, feedOf, NOW, runIngest, testEffects } from './run-ingest.ts';
import { venue as endpoint, store, withVenueAndStore } from './venue-and-store.ts';

const PATH = '/v1/embeddings';
const KEY = 'a key that nobody may see';

/** Two on rain in other words, two that share a word with the first and mean something else, one alone. */
const QUESTIONS = {
  'venue_a:WET': 'Will Boston get wet weather on Friday?',
  'venue_b:0x1': 'Will umbrellas be needed in Boston?',
  'venue_b:0x2': 'Will Boston elect a new council?',
  'venue_b:0x3': 'Will Boston open a casino on Friday?',
  'venue_b:0x4': 'Will a comet be seen?',
};

withVenueAndStore(() => {
  endpoint.on(PATH, (_query, body) => answerTo(body));
  put(QUESTIONS);
});

function put(questions: Record<string, string>): void {
  store.write((writer) => {
    for (const [market_id, question] of Object.entries(questions))
      upsertMarket(writer, market({ market_id, question }), 1);
  });
}

const asked = (body: string) => (JSON.parse(body) as { input: string[] }).input;

/** Vectors of four numbers in which rain is one direction, whatever it is called; the last text first. */
function answerTo(body: string) {
  const meaning = (text: string) =>
    /wet|umbrella/.test(text)
      ? [1, 0, 0, 0]
      : /council/.test(text)
        ? [0, 1, 0, 0]
        : /casino/.test(text)
          ? [0, 0, 1, 0]
          : [0, 0, 0, 1];
  return {
    object: 'list',
    data: asked(body)
      .map((text, index) => ({ object: 'embedding', index, embedding: meaning(text) }))
      .reverse(),
    model: 'small',
  };
}

function settings(more: object = {}): Config {
  const made = configFor(endpoint.origin);
  for (const venue of Object.values(made.venues)) venue.enabled = false;
  made.relations.embeddings = {
    base_url: `${endpoint.origin}/v1`,
    model: 'small',
    api_key: KEY,
    weight: 0.8,
    batch: 2,
    requests_per_second: 100_000,
    ...more,
  };
  return made;
}

const requests = () => endpoint.requests.filter((each) => each.path === PATH).map(({ body }) => body);

function nearest(used: Config): string[] {
  const { floors, embeddings } = used.relations;
  relate(store, { now: NOW, tables, floors, embeddings }, () => {});
  return store.read((reader) =>
    listNearRecords(reader, { sort: 'market', record_id: 'venue_a:WET' }, 'venue_b', 3).map(
      (each) => each.record_id,
    ),
  );
}

describe('an embeddings endpoint', () => {
  it('is not called without settings', async () => {
    const without = settings();
    delete without.relations.embeddings;
    const report = await runIngest(store, without);
    expect([report.feeds, endpoint.requests]).toEqual([[], []]);
  });

  it('is sent each text once, in batches, and later only new ones', async () => {
    const report = await runIngest(store, settings({ dimensions: 4 }));
    expect(feedOf(report, 'embeddings')).toMatchObject({ condition: 'good', requests: 3, rows_read: 5 });
    expect(requests().map((body) => asked(body).length)).toEqual([2, 2, 1]);
    expect(JSON.parse(requests()[0] ?? '')).toMatchObject({
      model: 'small',
      dimensions: 4,
      encoding_format: 'float',
    });
    put({ 'venue_b:0x5': 'Will it hail?' });
    await runIngest(store, settings({ dimensions: 4 }));
    expect(requests().slice(3).flatMap(asked)).toEqual(['Will it hail?']);
  });

  it('is sent only what changed, and once a week all texts are checked', async () => {
    const used = settings({ batch: 10 });
    const vectors = () => store.read((reader) => reader.all('SELECT digest FROM text_embeddings').length);
    await runIngest(store, used);
    nearest(used);
    put({ 'venue_b:0x4': 'Will a comet be heard?' });
    store.write((writer) => writer.run('DELETE FROM text_embeddings WHERE rowid = 1'));
    await runIngest(store, used, { now: NOW + 6 * DAY_MS });
    expect(asked(requests()[1] ?? '')).toEqual(['Will a comet be heard?']);
    expect(vectors()).toBe(5);
    await runIngest(store, used, { now: NOW + 7 * DAY_MS });
    expect(requests()).toHaveLength(3);
    expect(asked(requests()[2] ?? '')).toHaveLength(1);
    expect(vectors()).toBe(5);
  });

  it('is sent all texts without a vector after a run that could not ask, whatever was compared since', async () => {
    const used = settings({ batch: 10 });
    const { embeddings: _asked, ...words } = used.relations;
    const without = { ...used, relations: words };
    await runIngest(store, used);
    put({ 'venue_b:0x5': 'Will it hail?' });
    await runIngest(store, without);
    nearest(used);
    await runIngest(store, used);
    expect(asked(requests()[1] ?? '')).toEqual(['Will it hail?']);
  });

  it('is sent the names of public rates, and nothing that belongs to an organization', async () => {
    const named = (ticker: string, name: string, whose: object) => ({
      ticker,
      name,
      methodology: 'event_contract',
      start_at: new Date(NOW).toISOString(),
      interval_minutes: 60,
      sources: [{ market_id: 'venue_a:WET' }],
      ...whose,
    });
    const rates = [
      named('R.OPEN', 'Rain in Boston', { visibility: 'public' }),
      named('R.OURS', 'Our own view of rain', { visibility: 'organization', organization: 'acme' }),
    ];
    adopt(store, [], rates, NOW);
    await runIngest(store, settings());
    const sent = requests().flatMap(asked);
    expect(sent).toContain('Rain in Boston');
    expect(sent.join()).not.toMatch(/our own/i);
  });

  it('brings together texts of one meaning that share few words', async () => {
    const used = settings();
    const { embeddings: _asked, ...words } = used.relations;
    const without = { ...used, relations: words };
    expect(nearest(without)[0]).toBe('venue_b:0x3');
    await runIngest(store, used);
    expect(nearest(used)[0]).toBe('venue_b:0x1');
    expect(nearest(without)[0]).toBe('venue_b:0x3');
  });

  it.each([1e40, 1e-46])('brings them together at any scale of numbers, such as %s', async (size) => {
    const used = settings();
    endpoint.on(PATH, (_query, body) => {
      const data = answerTo(body).data.map(({ index, embedding }) => ({
        index,
        embedding: embedding.map((each) => each * size),
      }));
      return { data };
    });
    await runIngest(store, used);
    expect(nearest(used)[0]).toBe('venue_b:0x1');
  });

  it('affects a text from the run that brought its vector', async () => {
    const used = settings();
    endpoint.on(PATH, () => raw('{"error":{"message":"overloaded"}}', 503));
    const failed = await runIngest(store, used);
    expect(feedOf(failed, 'embeddings')).toMatchObject({ condition: 'failed', rows_read: 0 });
    expect(nearest(used)[0]).toBe('venue_b:0x3');
    endpoint.on(PATH, (_query, body) => answerTo(body));
    await runIngest(store, used);
    expect(nearest(used)[0]).toBe('venue_b:0x1');
  });

  it('is retried after a temporary refusal, and alone sees its key', async () => {
    const keys: (string | undefined)[] = [];
    let tries = 0;
    endpoint.on(
      PATH,
      (_query, body) =>
        new Raw((response, request: IncomingMessage) => {
          keys.push(request.headers.authorization);
          const refused = tries++ === 0;
          raw(refused ? '{}' : JSON.stringify(answerTo(body)), refused ? 429 : 200).handle(response, request);
        }),
    );
    const effects = testEffects();
    const report = await runIngest(store, settings(), { effects });
    expect(feedOf(report, 'embeddings')).toMatchObject({ condition: 'good', requests: 4 });
    expect(effects.slept.some((ms) => ms >= 1000)).toBe(true);
    expect(new Set(keys)).toEqual(new Set([`Bearer ${KEY}`]));
  });

  it('that echoes its key in a refusal does not get it into a report', async () => {
    const message = `${'x'.repeat(190)} ${KEY}`;
    endpoint.on(PATH, () => raw(JSON.stringify({ error: { message } }), 401));
    const feed = feedOf(await runIngest(store, settings()), 'embeddings');
    expect([feed.condition, feed.message]).toEqual(['failed', expect.stringContaining('answered 401 "xxx')]);
    expect(feed.message).not.toContain(KEY.slice(0, 3));
    endpoint.on(PATH, () => raw(JSON.stringify({ error: `no key ${KEY} here` }), 401));
    expect(feedOf(await runIngest(store, settings()), 'embeddings').message).toContain('"no key … here"');
  });

  it.each([
    ['no list', () => ({ data: 'none' }), 'is no list of embeddings'],
    [
      'one too few',
      (body: string) => ({ data: answerTo(body).data.slice(1) }),
      'one embedding for each of 2',
    ],
    [
      'another length',
      () => ({ data: [0, 1].map((index) => ({ index, embedding: index === 0 ? [1, 2] : [1] })) }),
      'embeddings of 2 numbers',
    ],
    [
      'zeros',
      () => ({ data: [0, 1].map((index) => ({ index, embedding: [0, 0] })) }),
      'an embedding of zeros',
    ],
  ])('that answers %s is rejected, and the rest of the run stands', async (_what, answer, message) => {
    endpoint.on(PATH, (_query, body) => answer(body));
    const report = await runIngest(store, settings());
    const feed = feedOf(report, 'embeddings');
    expect(feed.condition).toBe('failed');
    expect(feed.message).toContain(message);
    expect(JSON.stringify(report)).not.toContain(KEY);
    expect(nearest(settings())[0]).toBe('venue_b:0x3');
  });
});
