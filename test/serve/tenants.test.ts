import { beforeEach, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../contract/contract.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp } from '../helpers/small-app.ts';
import { adopt, BASE, IDS, INDICES, NOW, put, RATES } from '../helpers/small-store.ts';

/** Two organizations with an index and a rate of their own; every text of theirs is a canary. */
const OWNERS = ['acme', 'other'] as const;
const CANARY = { acme: /Canary|SECRET/, other: /Kestrel|FALCON/ };

const app = ofEachTest(openSmallApp);
beforeEach(() => {
  const kestrel = {
    ...(INDICES.find((each) => each.ticker === 'SECRET') as object),
    ticker: 'FALCON',
    name: 'Kestrel basket',
    organization: 'other',
  };
  const kestrelRate = {
    ...(RATES.find((each) => each.ticker === 'R.SECRET') as object),
    ticker: 'R.FALCON',
    name: 'Kestrel rate',
    organization: 'other',
  };
  put(app.small.store, { market_id: IDS.wild, event_id: 'venue_a:KXSTEADY' }, BASE);
  adopt(app.small.store, [...INDICES, kestrel], [...RATES, kestrelRate], NOW);
});

const EVERY_ID = [...Object.values(IDS), 'SMALL', 'SECRET', 'FALCON', 'R.SECRET', 'R.FALCON', '1', '2', '3'];

const QUERIES = [
  '',
  '?scope=constituents',
  '?search=canary',
  '?search=kestrel',
  '?search=basket',
  '?embed=markets',
];

/** Every path with every id, with and without what could widen it. */
function* everyUrl(): Generator<string> {
  for (const { path } of OPERATIONS) {
    const ids = path.includes('{id}')
      ? EVERY_ID
      : path.includes('{ext}')
        ? ['csv', 'tsv', 'json', 'ndjson']
        : [''];
    for (const id of ids)
      for (const query of path.includes('{id}') ? [''] : QUERIES)
        yield path.replace(/\{\w+\}/, encodeURIComponent(id)) + query;
  }
}

async function textOf(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const response = await app.app.request(url, { headers: { ...headers, 'X-Request-Id': 'same-for-all' } });
  return { status: response.status, text: await response.text() };
}

describe('what belongs to an organization', () => {
  it('[5/2][2.4/4] is in no answer to anybody else: every path, every id, both keys and none', async () => {
    let seen = 0;
    for (const url of everyUrl()) {
      if (
        url.startsWith('/docs') ||
        url.startsWith('/metrics') ||
        url.includes('openapi') ||
        url.includes('llms')
      )
        continue;
      for (const owner of OWNERS) {
        const reader = owner === 'acme' ? 'other' : 'acme';
        // An error repeats the requested id, which reveals nothing.
        const asked = decodeURIComponent(url);
        for (const headers of [bearer(app.small.keys[reader]), {}]) {
          const { status, text } = await textOf(url, headers);
          const said = status === 404 ? text.replace(/nothing is known under the id \\"[^"]*\\"/, '') : text;
          expect(said.match(CANARY[owner])?.[0], `${asked} to ${reader}`).toBeUndefined();
          if (CANARY[reader].test(said)) seen++;
        }
      }
    }
    // The canaries do appear for their owners; otherwise the test would prove nothing.
    expect(seen).toBeGreaterThan(20);
  });

  it('[7/3] is unknown to others in the same words as what never existed', async () => {
    for (const path of [
      '/indices/{id}',
      '/indices/{id}/prices',
      '/indices/{id}/constituents',
      '/rates/{id}',
      '/rates/{id}/prices',
    ])
      for (const base of ['/api/v1', '/api/v1/public']) {
        const hidden = path.startsWith('/rates') ? 'R.SECRET' : 'SECRET';
        const ask = (id: string) =>
          textOf(`${base}${path.replace('{id}', id)}`, bearer(app.small.keys.other));
        const [real, unreal] = [await ask(hidden), await ask('NOWHERE')];
        expect(real.status).toBe(404);
        expect(real.text.replace(hidden, 'NOWHERE')).toBe(unreal.text);
      }
  });

  it('[2.9/1] does not count among the indices of a market for others', async () => {
    const path = `/markets/${encodeURIComponent(IDS.wild)}/indices`;
    expect(await app.anyone(path)).toEqual({ data: [] });
    const names = async (key: string) =>
      ((await app.member(path, key)).data as { ticker: string }[]).map((row) => row.ticker);
    expect(await names(app.small.keys.acme)).toEqual(['SECRET']);
    expect(await names(app.small.keys.other)).toEqual(['FALCON']);
  });
});
