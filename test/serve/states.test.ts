import { describe, expect, it } from 'vitest';
import { exportRoutes, routes } from '../../src/routes/routes.ts';
import { setCatalogState } from '../../src/store/runs.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp } from '../helpers/small-app.ts';
import { NOW } from '../helpers/small-store.ts';

const app = ofEachTest(openSmallApp);

/** Every list with and without a search, with whether it is available. */
const LISTS = [
  '/api/v1/public/markets',
  '/api/v1/markets',
  '/api/v1/export/markets/csv',
  '/api/v1/public/events',
  '/api/v1/events',
  '/api/v1/export/events/csv',
].flatMap((path) => [path, `${path}?search=steady`]);

async function unavailable(): Promise<string[]> {
  const found: string[] = [];
  for (const path of LISTS) {
    const response = await app.app.request(path, { headers: bearer(app.small.keys.acme) });
    const { status, headers } = response;
    const text = await response.text();
    if (status === 200) continue;
    expect([status, JSON.parse(text)], path).toMatchObject([
      503,
      { error: 'service_unavailable', message: 'the catalog is rebuilding; retry in a few seconds' },
    ]);
    expect(headers.get('retry-after')).toBe('5');
    found.push(path);
  }
  return found;
}

describe('while the catalog rebuilds', () => {
  it('[3/2][4.1/3][4.2/3][7/1] market lists, with any search, and both exports answer 503', async () => {
    expect(await unavailable()).toEqual([]);
    app.small.store.write((writer) => setCatalogState(writer, 'rebuilding', NOW));
    expect(await unavailable()).toEqual(
      LISTS.filter(
        (path) => path.includes('/markets') || path.includes('search') || path.includes('/export/'),
      ),
    );
    app.small.store.write((writer) => setCatalogState(writer, 'serving', NOW));
  });
});

describe('while search is unavailable', () => {
  it('[4.2/3] searches and the events export answer 503, and lists go on', async () => {
    const { store } = app.small;
    const { rules } =
      store.read((reader) => reader.get<{ rules: number }>('SELECT rules FROM search_state')) ?? {};
    store.write((writer) => writer.run('UPDATE search_state SET rules = 0'));
    expect(await unavailable()).toEqual(
      LISTS.filter((path) => path.includes('search') || path.includes('/export/events')),
    );
    store.write((writer) => writer.run('UPDATE search_state SET rules = ?', rules ?? 0));
    expect(await unavailable()).toEqual([]);
  });

  it('only routes of the catalog ever need it', () => {
    const query = { search: 'x' };
    const needing = [...routes, ...exportRoutes].filter(
      (route) => route.needsCatalog || route.needsSearch?.(query),
    );
    expect(new Set(needing.map((route) => route.path))).toEqual(
      new Set(['/markets', '/events', '/export/markets/{ext}', '/export/events/{ext}']),
    );
  });
});
