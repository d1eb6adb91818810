import { describe, expect, it } from 'vitest';
import { formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { routes } from '../../src/routes/routes.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp } from '../helpers/small-app.ts';
import { BASE } from '../helpers/small-store.ts';

const app = ofEachTest(openSmallApp);

/** Every list that takes a parameter, on every tier that has it. */
function listsWith(parameter: string): string[] {
  return routes
    .filter((route) => parameter in route.query.shape && !route.path.includes('{id}'))
    .flatMap((route) =>
      route.tiers.map((tier) => (tier === 'public' ? `/api/v1/public${route.path}` : `/api/v1${route.path}`)),
    );
}

const ask = (path: string) => app.get(path, path.includes('/public/') ? {} : bearer(app.small.keys.all));

describe('paging parameters', () => {
  const lists = listsWith('per_page');
  const paged = listsWith('page');

  it('[8/1] are accepted by every list of both tiers', () => {
    expect(lists.sort()).toEqual(
      [
        ...['indices', 'announcements', 'rates', 'events', 'markets', 'filings'].flatMap((list) => [
          `/api/v1/${list}`,
          `/api/v1/public/${list}`,
        ]),
        // A feed goes on from a sequence number, not from a page.
        '/api/v1/filings/events',
      ].sort(),
    );
    expect([...paged, '/api/v1/filings/events'].sort()).toEqual(lists);
  });

  it.each(['1', '500'])('[8/1] per_page=%s is within the limits', async (value) => {
    for (const list of lists) expect((await ask(`${list}?per_page=${value}`)).status, list).toBe(200);
  });

  it.each(['0', '501', '-1', '1.5', '1e2', '', ' 3', '+3', '٣', 'ten', '9999999999999'])(
    '[8/1] per_page=%s is refused, naming it and what is allowed',
    async (value) => {
      for (const list of lists) {
        const { status, body } = await ask(`${list}?per_page=${encodeURIComponent(value)}`);
        expect(status, list).toBe(400);
        expect(body).toMatchObject({
          error: 'invalid_parameter',
          message: `per_page must be a whole number from 1 to 500, got ${JSON.stringify(value)}`,
          details: [{ param: 'per_page' }],
        });
      }
    },
  );

  it.each(['0', '-1', '1.5', 'x', '1000001'])('[8/1] page=%s is refused', async (value) => {
    for (const list of paged) expect((await ask(`${list}?page=${value}`)).status, list).toBe(400);
  });

  it('[8/1] allow the last possible page, which is empty and not an error', async () => {
    for (const list of paged)
      expect((await ask(`${list}?page=1000000&per_page=500`)).body, list).toMatchObject({ data: [] });
  });

  it('[8/1] are refused when given twice, even with the same value', async () => {
    for (const list of paged) {
      const { status, body } = await ask(`${list}?page=1&page=1`);
      expect(status, list).toBe(400);
      expect(body).toMatchObject({ error: 'invalid_parameter', details: [{ param: 'page' }] });
    }
  });
});

describe('other parameters', () => {
  it.each([
    '/indices?sort=price',
    '/indices?sort_dir=down',
    '/indices?window=2d',
    '/indices?window=',
    '/indices?exclude_derived=yes',
    '/rates?sort=window',
    '/markets?venue=kalshi',
    '/markets?sort=price',
    '/markets?expires_after=soon',
    '/events?sort=rank',
    `/markets?search=${'x'.repeat(201)}`,
    '/events?embed=all',
    '/events?venue=venue_d',
    `/rates?search=${'x'.repeat(201)}`,
  ])('[8/1] %s is refused', async (query) => {
    expect((await app.get(`/api/v1/public${query}`)).body).toMatchObject({ error: 'invalid_parameter' });
  });

  it('[8/1] accept an offset with its plus escaped or not, which arrives as a blank', async () => {
    const since = async (from: string) => {
      const { body } = await ask(`/api/v1/announcements?type=methodology_update&from=${from}`);
      return (body as { meta?: { total: number } }).meta?.total;
    };
    // One notice, of the instant BASE.
    const at = (hours: number) => formatInstant(BASE + hours * HOUR_MS).slice(0, -1);
    for (const plus of ['+', '%2B', '%20']) {
      expect(await since(`${at(2)}${plus}02:00`)).toBe(1);
      expect(await since(`${at(3)}.5${plus}0200`)).toBe(0);
      expect(await since(`${at(2).replace('T', '%20')}${plus}02`)).toBe(1);
    }
    // A day and a time of day, two hours after it.
    expect(await since(`${at(0).slice(0, 10)}%2002:00`)).toBe(0);
  });

  it('are refused rather than ignored when a route does not support them', async () => {
    for (const query of ['/events?expires_after=2026-01-01', '/events?expires_before=2026-01-01']) {
      const { status, body } = await app.get(`/api/v1/public${query}`);
      expect(status, query).toBe(400);
      expect(body).toMatchObject({ error: 'unsupported_parameter' });
    }
  });

  it('change nothing when they are unknown, whatever their names', async () => {
    const plain = await app.get('/api/v1/public/indices');
    for (const query of [
      'utm=1',
      '__proto__=1',
      'constructor=1&constructor=2',
      '%00=1',
      '=',
      '&&&',
      '%zz=%zz',
    ])
      expect((await app.get(`/api/v1/public/indices?${query}`)).text, query).toBe(plain.text);
  });
});
