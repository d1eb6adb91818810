import { parseString } from 'fast-csv';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../src/model/time.ts';
import type { ExportRoute } from '../../src/routes/route.ts';
import { exportRoutes } from '../../src/routes/routes.ts';
import { memberRateList } from '../../src/routes/shapes/rates.ts';
import { upsertMarkets } from '../../src/store/catalog/catalog.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp, type Row, rows } from '../helpers/small-app.ts';
import { BASE, IDS, market, NOW, put } from '../helpers/small-store.ts';

const FORMULA = 'venue_a:KXFORMULA';

const app = ofEachTest(openSmallApp);
beforeEach(() => {
  put(app.small.store, {
    market_id: FORMULA,
    question: '=HYPERLINK("https://evil.example")',
    description: 'two\nlines,\t"quoted"',
    closes_at: NOW + DAY_MS,
  });
});

async function fetchText(
  path: string,
  key = app.small.keys.acme,
): Promise<{ text: string; headers: Headers }> {
  const response = await app.app.request(`/api/v1/export${path}`, { headers: bearer(key) });
  expect(response.status, path).toBe(200);
  return { text: await response.text(), headers: response.headers };
}

function parse(text: string, delimiter = ','): Promise<Record<string, string>[]> {
  return new Promise((resolve, reject) => {
    const read: Record<string, string>[] = [];
    parseString(text, { headers: true, delimiter })
      .on('error', reject)
      .on('data', (row) => read.push(row))
      .on('end', () => resolve(read));
  });
}

const lines = (text: string): Row[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('an export', () => {
  it('of rates has a column for each field of a row', () => {
    const { columns } = exportRoutes.find(({ path }) => path === '/export/rates/{ext}') as ExportRoute;
    expect([...columns].sort()).toEqual(Object.keys(memberRateList.shape.data.element.shape).sort());
  });

  it('[4.1/11] of markets has the rows of the list in every form', async () => {
    const listed = rows(await app.member('/markets?per_page=500'));
    const { text, headers } = await fetchText('/markets/json');
    expect(JSON.parse(text)).toEqual({ data: listed });
    expect(headers.get('cache-control')).toBe('private, no-store');
    const ndjson = await fetchText('/markets/ndjson');
    expect(lines(ndjson.text)).toEqual(listed);
    for (const [ext, delimiter] of [
      ['csv', ','],
      ['tsv', '\t'],
    ] as const) {
      const table = await parse((await fetchText(`/markets/${ext}`)).text, delimiter);
      expect(table.map((row) => row.market_id)).toEqual(listed.map((row) => row.market_id));
      expect(table.map((row) => row.latest_price)).toEqual(
        listed.map((row) => String(row.latest_price ?? '')),
      );
    }
  });

  it('is a file of its own name and media type in every form', async () => {
    const table = 'charset=utf-8; header=present';
    const types = {
      csv: `text/csv; ${table}`,
      tsv: `text/tab-separated-values; ${table}`,
      json: 'application/json',
      ndjson: 'application/x-ndjson',
    };
    for (const [ext, type] of Object.entries(types)) {
      const { headers } = await fetchText(`/markets/${ext}`);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('content-disposition')).toBe(`attachment; filename="markets.${ext}"`);
    }
  });

  it('of a form that there is not names those that there are', async () => {
    const { status, body } = await app.get('/api/v1/export/markets/xlsx', bearer(app.small.keys.acme));
    expect(status).toBe(404);
    expect(body.message).toBe('there is no export as "xlsx"; allowed are csv, tsv, json, ndjson');
  });

  it('never holds a cell that a spreadsheet would run, and keeps the text of such cells', async () => {
    const table = await parse((await fetchText('/markets/csv')).text);
    const row = table.find((each) => each.market_id === FORMULA);
    expect(row?.question).toBe('\'=HYPERLINK("https://evil.example")');
    expect(row?.description).toBe('two\nlines,\t"quoted"');
    expect(table.flatMap((each) => Object.values(each)).filter((cell) => /^[=+@\t\r]/.test(cell))).toEqual(
      [],
    );
  });

  it('takes the parameters of the list', async () => {
    const ids = async (query: string) =>
      lines((await fetchText(`/markets/ndjson?${query}`)).text).map((row) => row.market_id);
    expect(await ids('venue=venue_b&sort=volume')).toEqual(
      rows(await app.member('/markets?venue=venue_b&sort=volume')).map((row) => row.market_id),
    );
    expect(await ids('search=hyperlink')).toEqual([FORMULA]);
    expect(await ids('search=hyperlink&sort=closes')).toEqual([FORMULA]);
    expect(await ids(`expires_after=${new Date(NOW).toISOString()}`)).toEqual([FORMULA]);
    expect((await ids('scope=constituents')).length).toBeLessThan((await ids('scope=all')).length);
    expect((await app.get('/api/v1/export/markets/csv?sort=rank', bearer(app.small.keys.acme))).status).toBe(
      400,
    );
  });

  it('of a search has all matches, in the order of the list', async () => {
    const windy = Array.from({ length: 1200 }, (_, i) =>
      market({ market_id: `venue_a:WIND-${i}`, question: `Wind above ${i} knots?` }),
    );
    app.small.store.write((writer) => upsertMarkets(writer, windy, BASE, new Map()));
    for (const order of ['', '&sort=volume']) {
      const pages = await Promise.all(
        [1, 2, 3].map((page) => app.member(`/markets?search=wind&per_page=500&page=${page}${order}`)),
      );
      const { text } = await fetchText(`/markets/ndjson?search=wind${order}`);
      expect(lines(text)).toEqual(pages.flatMap((page) => rows(page)));
      expect(lines(text)).toHaveLength(1200);
    }
  });

  it('[4.2/1] of events has the rows of the list, with markets on request', async () => {
    const { text } = await fetchText('/events/json?embed=markets');
    expect(JSON.parse(text).data).toEqual(rows(await app.member('/events?embed=markets')));
    const since = new Date(BASE + DAY_MS).toISOString();
    const created = lines((await fetchText(`/events/ndjson?created_since=${since}`)).text);
    expect(created).toEqual(rows(await app.member(`/events?created_since=${since}`)));
    const table = await parse((await fetchText('/events/csv?embed=markets')).text);
    expect(JSON.parse(table[0]?.markets ?? '')).toEqual(rows(rows(JSON.parse(text))[0] ?? {}, 'markets'));
    const found = lines((await fetchText('/events/ndjson?search=nobody')).text);
    expect(found.map((row) => row.event_id)).toEqual(['venue_a:KXZERO']);
  });

  it('[4.4/2] of rates uses the look-back of the list, start included', async () => {
    app.clock.now = NOW + 8 * DAY_MS;
    for (const query of ['', `?start=${new Date(BASE).toISOString()}`]) {
      const listed = rows(await app.member(`/rates${query}`));
      const { text } = await fetchText(`/rates/json${query}`);
      expect(JSON.parse(text).data).toEqual(listed);
      const table = await parse((await fetchText(`/rates/csv${query}`)).text);
      expect(table.map((row) => row.latest_price)).toEqual(
        listed.map((row) => String(row.latest_price ?? '')),
      );
    }
    app.clock.now = NOW;
  });

  it('[5/2] needs a key, and holds nothing of another organization', async () => {
    expect((await app.get('/api/v1/export/rates/csv')).status).toBe(401);
    expect((await fetchText('/rates/csv')).text).toContain('Canary');
    expect((await fetchText('/rates/csv', app.small.keys.other)).text).not.toContain('Canary');
    for (const path of [
      '/api/v1/public/export/rates/csv',
      '/api/v1/export/rates/xlsx',
      '/api/v1/export/rates/csvx',
      '/api/v1/export/rates/csv/',
      '/api/v1/export/rates/csv/x/y',
      '/api/v1/export/rates/csv%2F',
      '/api/v1/export/rates/json%0A',
      '/api/v1/export/rates',
    ])
      expect((await app.get(path, bearer(app.small.keys.acme))).status, path).toBe(404);
  });

  it('answers HEAD with headers alone', async () => {
    const head = await app.get('/api/v1/export/markets/csv', bearer(app.small.keys.acme), 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toContain('text/csv');
  });

  it('ends its snapshot when the reader goes away', async () => {
    const response = await app.app.request('/api/v1/export/markets/json', {
      headers: bearer(app.small.keys.acme),
    });
    await response.body?.cancel();
    expect(rows(await app.member('/markets')).map((row) => row.market_id)).toContain(IDS.steady);
  });
});

it('[4.1/11] exports under way are limited per organization, since an unread one holds a snapshot of the store', async () => {
  const ask = (key: string) => app.app.request('/api/v1/export/markets/ndjson', { headers: bearer(key) });
  const { acme, other } = app.small.keys;
  const underWay = [await ask(acme), await ask(acme), await ask(acme), await ask(acme)];
  const refused = await ask(acme);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await refused.json()).toMatchObject({
    error: 'too_many_requests',
    message: 'at most 4 exports at a time; retry when one has ended',
  });
  expect((await ask(other)).status).toBe(200);
  await underWay[0]?.text();
  await underWay[1]?.body?.cancel();
  // An export frees its place when its stream closes, which may be a moment later.
  for (let i = 0; i < 2; i++) await vi.waitFor(async () => expect((await ask(acme)).status).toBe(200));
  expect((await ask(acme)).status).toBe(429);
});
