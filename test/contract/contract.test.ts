import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { articleId } from '../../src/ingest/news/article-url.ts';
import { exportRoutes, routes } from '../../src/routes/routes.ts';
import { answerShape } from '../../src/routes/shapes/shapes.ts';
import { findIndexPrint, IndexRecord } from '../../src/store/prints/index-prints.ts';
import { findRatePrint, RateRecord } from '../../src/store/prints/rate-prints.ts';
import { setCatalogState } from '../../src/store/runs.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { openRelatedApp } from '../helpers/related-store.ts';
import { bearer, openSmallApp, rows } from '../helpers/small-app.ts';
import { IDS, NOW } from '../helpers/small-store.ts';
import { DOCUMENT, OPERATIONS, problemsOf } from './contract.ts';

const app = ofEachTest(openSmallApp);

/** Ids that there are, by resource. */
const KNOWN: Record<string, readonly string[]> = {
  markets: Object.values(IDS),
  indices: ['SMALL', 'GAUGE.K', 'QUIET', 'LATER'],
  rates: ['R.STEADY', 'R.MEAN', 'R.QUIET', 'R.DONE'],
  filings: ['100', '101', '102', '103', '104'],
};

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** Where a shape has fields that say nothing of themselves. */
function silentFields({ properties = {}, items }: Schema, at: string): string[] {
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description ? [] : [`${at}.${name}`]),
    ...silentFields(field, `${at}.${name}`),
  ]);
  return [...fields, ...(items ? silentFields(items, `${at}[]`) : [])];
}

describe('the OpenAPI document', () => {
  it('describes every path that is served, and no other', () => {
    const served = app.app.routes
      .filter((each) => each.method === 'ALL')
      .map((each) => each.path.replace(/:(id|ext)/, '{$1}'));
    expect(new Set(Object.keys(DOCUMENT.paths))).toEqual(new Set(served));
    expect(served.length).toBe(routes.flatMap((each) => each.tiers).length + exportRoutes.length + 7);
  });

  it('names every parameter, with its meaning and limits', () => {
    for (const route of routes)
      for (const tier of route.tiers) {
        const path = `/api/v1${tier === 'public' ? '/public' : ''}${route.path}`;
        const described = OPERATIONS.find((each) => each.path === path)?.parameters ?? [];
        const names = described.filter((each) => each.in === 'query').map((each) => each.name);
        expect(names.filter((name) => name !== 'as_of')).toEqual(Object.keys(route.query.shape));
      }
    for (const { path, parameters } of OPERATIONS)
      for (const parameter of parameters as { name: string; description?: string; schema: object }[]) {
        expect(parameter.description, `${path} ${parameter.name}`).toMatch(/\w \w/);
        const { schema } = parameter;
        const limited = ['enum', 'maximum', 'maxLength', 'minLength', 'const'].some((each) => each in schema);
        expect(limited, `${path} ${parameter.name} ${JSON.stringify(schema)}`).toBe(true);
      }
  });

  it('describes every field of every answer', () => {
    const shapes = Object.entries(DOCUMENT.components.schemas);
    const silent = shapes.flatMap(([name, schema]) => silentFields(schema, name));
    expect(silent).toEqual([]);
  });

  it('[7/4] says of every related list that it may ask to be retried', async () => {
    let at = NOW;
    const slow = openRelatedApp({ similarityBudgetMs: 10, now: () => (at += 40) });
    const ids: Record<string, string> = {
      markets: 'venue_a:BTC150',
      indices: 'COINS',
      rates: 'MOON',
      news: 'n1',
    };
    const unavailable: string[] = [];
    for (const { path, tier, responses } of OPERATIONS) {
      if (tier === 'server' || !path.includes('{id}')) continue;
      const resource = path.split('/').at(tier === 'public' ? 4 : 3) ?? '';
      const { status } = await slow.get(path.replace('{id}', ids[resource] ?? '201'));
      if (status === 503) unavailable.push(path);
      expect(Object.keys(responses), path).toContain(String(status));
    }
    const related = /\/(related|similar|news|filings)$|\/filings\/\{id\}\/markets$/;
    expect(unavailable).toEqual(
      OPERATIONS.map((each) => each.path).filter((path) => related.test(path) && path.includes('{id}')),
    );
    slow.close();
  });

  it('names exactly the operations that need a scope', async () => {
    const refusedTo = async (key: string) => {
      const refused: string[] = [];
      for (const { path } of OPERATIONS) {
        const url = path.replace('{id}', 'UNKNOWN').replace('{ext}', 'json');
        const { status } = await app.app.request(url, { headers: bearer(key) });
        if (status === 403) refused.push(path);
      }
      return refused;
    };
    const refused = await refusedTo(app.small.keys.other);
    expect(refused).toContain('/api/v1/filings');
    expect(
      OPERATIONS.filter((each) => each.description?.includes('Needs the scope')).map((each) => each.path),
    ).toEqual(refused);
    const refusedToSome = new Set([...refused, ...(await refusedTo(app.small.keys.filingsOnly))]);
    expect(
      new Set(OPERATIONS.filter((each) => Object.hasOwn(each.responses, 403)).map((each) => each.path)),
    ).toEqual(refusedToSome);
    expect(refusedToSome).not.toContain('/api/v1/usage');
  });

  it('[1/3] states the delay, the windows and what is left out on the public tier', () => {
    const operation = (path: string) => JSON.stringify(DOCUMENT.paths[`/api/v1/public${path}`]);
    for (const path of ['/announcements', '/announcements/{id}'])
      expect(operation(path)).toContain('15 minutes after its date');
    for (const path of ['/filings', '/filings/filters', '/markets/{id}/filings', '/indices/{id}/filings'])
      expect(operation(path)).toContain('with a status date in the last 90 days');
    expect(operation('/events')).toContain('expires_after is refused: it is for markets only');
    const { Index, Rate } = DOCUMENT.components.schemas;
    for (const shape of [Index, Rate])
      expect(JSON.stringify(shape)).toMatch(/"latest_price":\{[^}]*once the last print is older than 7 days/);
  });

  it('names the headers of every answer, and no other', async () => {
    const CONDITIONAL = ['Deprecation', 'X-Generation'];
    const limited = openSmallApp(undefined, undefined, {
      keyBudget: { requests: 1000, window_ms: 10_000 },
      addressBudget: { requests: 1000, window_ms: 10_000, trusted_hops: 0 },
    });
    const names = [
      'ETag',
      'Link',
      'RateLimit',
      'RateLimit-Policy',
      'X-As-Of',
      'X-Request-Id',
      ...CONDITIONAL,
    ];
    for (const { path, tier, parameters, responses } of OPERATIONS) {
      if (tier === 'server') continue;
      const resource = path.split('/').find((part) => Object.hasOwn(KNOWN, part)) ?? '';
      const asks = (name: string) => parameters.some((each) => each.name === name);
      const id = encodeURIComponent(KNOWN[resource]?.[0] ?? '1');
      const url = path.replace('{id}', id).replace('{ext}', 'json') + (asks('page') ? '?page=1' : '');
      const { status, headers } = await limited.get(url, bearer(limited.small.keys.all));
      if (status === 404) continue;
      const described = Object.keys(responses[200]?.headers ?? {});
      const may = CONDITIONAL.filter((name) => described.includes(name));
      const sent = names.filter((name) => headers.has(name));
      expect([...sent, ...may].sort(), path).toEqual(
        // Of what is exported only a deprecated parameter has a link.
        described.filter((name) => name !== 'Link' || asks('page')).sort(),
      );
      expect(may, path).toEqual([
        ...(asks('end') ? ['Deprecation'] : []),
        ...(asks('as_of') ? ['X-Generation'] : []),
      ]);
    }
    limited.small.close();
    const { responses } = DOCUMENT.components;
    expect(Object.keys(responses.Error401?.headers ?? {})).toEqual(['WWW-Authenticate']);
    expect(Object.keys(responses.Error429?.headers ?? {})).toEqual([
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
    ]);
  });

  it('names 503 of lists and exports that need a catalog while it is rebuilt, with a key nowhere else', async () => {
    const lists = OPERATIONS.filter((each) => each.tier !== 'server' && !each.path.includes('{id}'));
    const described = lists.filter((each) => Object.hasOwn(each.responses, 503)).map((each) => each.path);
    app.small.store.write((writer) => setCatalogState(writer, 'rebuilding', NOW));
    const unavailable: string[] = [];
    for (const { path } of lists) {
      const url = `${path.replace('{ext}', 'csv')}?search=steady`;
      const { status } = await app.app.request(url, { headers: bearer(app.small.keys.all) });
      if (status === 503) unavailable.push(path);
    }
    expect(described).toEqual(expect.arrayContaining(unavailable));
    // The public ones name it for as_of too: the archive may not be readable.
    const withKey = (path: string) => !path.includes('/public/');
    expect(described.filter(withKey)).toEqual(unavailable.filter(withKey));
    expect(unavailable).toContain('/api/v1/export/events/{ext}');
  });

  it('names in each place only fields and words that can stand there', () => {
    type Named = Record<string, Schema & { enum?: string[]; required?: string[] }>;
    const { schemas } = DOCUMENT.components as { schemas: Record<string, Schema> };
    const rowOf = (name: string, field = 'data') =>
      (schemas[name]?.properties?.[field]?.items ?? {}) as Schema;
    const fieldsOf = ({ properties = {} }: Schema) => properties as Named;
    // A team index is made of markets and rates; the two of a pair are in their seat.
    const member = fieldsOf(rowOf('Index', 'sleeves')).members?.items ?? {};
    expect(Object.keys(fieldsOf(member))).not.toContain('index');
    expect(Object.keys(fieldsOf(fieldsOf(member).marks?.items ?? {})).sort()).toEqual([
      'active_from',
      'kind',
      'line',
      'mark_price',
      'market_id',
      'rate',
      'weight',
    ]);
    expect(Object.keys(fieldsOf(rowOf('MembershipEvents')))).not.toContain('index');
    // Only what is near an index, rate or market is found by way of a market.
    expect(Object.keys(fieldsOf(rowOf('NearNews')))).not.toContain('via_market_id');
    expect((rowOf('NewsViaMarkets') as Named[string]).required).toContain('via_market_id');
    expect((rowOf('NewsOfRate') as Named[string]).required).not.toContain('via_market_id');
    // Held, printed and stated are marks of constituents; their books have two sides, or none is fed.
    const ladder = ['mid', 'last', 'bid', 'ask', 'floor'];
    expect(fieldsOf(schemas.Market ?? {}).price_basis?.enum).toEqual([...ladder, 'settlement']);
    expect(fieldsOf(rowOf('Rate', 'sources')).basis?.enum).toEqual(ladder);
    expect(fieldsOf(rowOf('Constituents')).basis?.enum).toEqual([
      'mid',
      'last',
      'settlement',
      'held',
      'print',
      'stated',
    ]);
  });

  it('has examples that an answer could equal', () => {
    const example = (path: string) => OPERATIONS.find((each) => each.path === path)?.parameters[0]?.example;
    expect(example('/api/v1/news/{id}/filings')).toHaveLength(articleId('https://news.example/1').length);
    type Example = { examples?: unknown[] };
    const field = (name: string, ...at: string[]) =>
      at.reduce(
        (schema: Schema, part) => schema.properties?.[part] ?? {},
        DOCUMENT.components.schemas[name] ?? {},
      );
    expect((field('Rate', 'ticker') as Example).examples).toEqual([example('/api/v1/rates/{id}')]);
    expect((field('Index', 'ticker') as Example).examples).toEqual([example('/api/v1/indices/{id}')]);
    expect((field('Rate', 'methodology') as Example).examples).not.toContain('basket');
    expect(field('MemberRate', 'stats', 'high_365d')).toMatchObject({ minimum: 0, maximum: 100 });
  });

  it('[4.4/2] says that what a path does not name is ignored, as sort is of rates with a key', async () => {
    expect(DOCUMENT.info.description).toContain('Unknown parameters are ignored');
    const member = bearer(app.small.keys.acme);
    const plain = await app.get('/api/v1/rates', member);
    expect((await app.get('/api/v1/rates?search=none&sort=last&sort_dir=desc', member)).text).toBe(
      plain.text,
    );
  });

  it('[2.3/1] allows a capped total only in lists of markets, where one can occur', () => {
    const capped = Object.entries(DOCUMENT.components.schemas).filter(([, schema]) =>
      JSON.stringify(schema).includes('total_capped'),
    );
    expect(capped.map(([name]) => name)).toEqual(['MarketList']);
  });

  it('[8/1] states the default of each parameter', async () => {
    const told = new Set<string>();
    for (const { path, parameters } of OPERATIONS) {
      const resource = path.split('/').find((part) => Object.hasOwn(KNOWN, part)) ?? '';
      const url = path.replace('{id}', encodeURIComponent(KNOWN[resource]?.[0] ?? '1'));
      const ask = async (query: string) => {
        const { body } = await app.get(`${url}${query}`, bearer(app.small.keys.all));
        return path.endsWith('/usage') ? (body as { from: string }).from : body;
      };
      for (const { name, schema } of parameters) {
        if (schema.default === undefined) continue;
        told.add(name);
        expect(await ask(`?${name}=${schema.default}`), `${url} ${name}`).toEqual(await ask(''));
      }
      const asked = parameters.find((each) => each.name === 'per_page');
      if (asked && path !== '/api/v1/public/rates') expect(asked.schema, path).toHaveProperty('default');
    }
    expect([...told].sort()).toEqual(['days', 'exclude_derived', 'page', 'per_page', 'window']);
  });

  it('is clean under the recommended rules of Redocly', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      rules: { 'operation-4xx-response': 'error' },
    });
    const problems = await lintFromString({
      source: JSON.stringify(DOCUMENT),
      absoluteRef: '/openapi.json',
      config,
    });
    expect(problems.map((each) => `${each.ruleId}: ${each.message} ${each.location[0]?.pointer}`)).toEqual(
      [],
    );
  });

  it('is served, with a page that loads nothing from elsewhere and a summary', async () => {
    const document = await app.app.request('/api/v1/openapi.json');
    expect(await document.json()).toEqual(DOCUMENT);
    const page = await app.app.request('/docs');
    const text = await page.text();
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(text).not.toMatch(/<script|https?:\/\/|@import|url\(/);
    for (const { path } of OPERATIONS) expect(text).toContain(path);
    const summary = await (await app.app.request('/llms.txt')).text();
    for (const { path, tier } of OPERATIONS) if (tier !== 'server') expect(summary).toContain(`GET ${path}]`);
    expect(summary.match(/Needs the scope org:filings:read\./g)?.length).toBeGreaterThan(5);
    const twice = OPERATIONS.filter((each) => each.description?.startsWith(`${each.summary}`));
    expect(twice).toEqual([]);
  });
});

describe('every answer', () => {
  it('[1/2] has the documented shape, for every id and on both tiers', async () => {
    const problems: string[] = [];
    for (const operation of OPERATIONS) {
      const resource = operation.path.split('/').find((part) => Object.hasOwn(KNOWN, part)) ?? '';
      const ids = operation.path.includes('{id}') ? [...(KNOWN[resource] ?? []), 'UNKNOWN'] : [''];
      for (const id of ids) {
        const url = operation.path.replace('{id}', encodeURIComponent(id)).replace('{ext}', 'json');
        for (const headers of [{}, bearer(app.small.keys.acme), bearer(app.small.keys.all)] as Record<
          string,
          string
        >[])
          problems.push(...(await problemsOf(app.app, operation, url, headers)));
      }
    }
    expect(problems).toEqual([]);
  });

  it('has the documented shape where a print was restated', async () => {
    const { store } = app.small;
    const [index, rate] = store.read((reader) => [
      findIndexPrint(reader, 'SMALL', NOW),
      findRatePrint(reader, 'R.STEADY', NOW),
    ]);
    if (!index || !rate) throw new Error('no print');
    const made = { recorded_at: NOW, reason: 'backfill' as const };
    store.write((writer) => {
      new IndexRecord(writer, 'SMALL').restate(
        { ...index, value: index.level },
        { ...index, level: 1 },
        { ...index, ...made },
      );
      new RateRecord(writer, 'R.STEADY').restate(
        { ...rate, value: rate.price },
        { ...rate, price: 0.01 },
        { ...rate, ...made },
      );
    });
    for (const [url, restated] of [
      ['/indices/SMALL/prices', { level: 1, revision: 1 }],
      ['/rates/R.STEADY/prices', { price: 1, revision: 1 }],
    ] as const) {
      expect(rows(await app.anyone(url)).at(-1)).toMatchObject(restated);
      const path = `/api/v1/public${url}`;
      const operation = OPERATIONS.find((each) => each.path === path.replace(/SMALL|R.STEADY/, '{id}'));
      expect(operation && (await problemsOf(app.app, operation, path, {}))).toEqual([]);
    }
  });

  it('of an export has rows of the shape of the list', async () => {
    for (const name of ['markets', 'events', 'rates']) {
      const shape = answerShape(`/${name}`, 'authenticated').shape;
      const response = await app.get(`/api/v1/export/${name}/json`, bearer(app.small.keys.acme));
      const listed = await app.member(`/${name}`);
      expect(shape.safeParse({ ...listed, data: rows(response.body) }).error?.issues ?? []).toEqual([]);
    }
  });
});
