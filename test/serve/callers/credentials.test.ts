import { describe, expect, it } from 'vitest';
import { routes } from '../../../src/routes/routes.ts';
import { ofEachTest } from '../../helpers/of-each-test.ts';
import { bearer, openSmallApp } from '../../helpers/small-app.ts';
import { ID_OF } from '../../helpers/small-store.ts';

const app = ofEachTest(openSmallApp);

const OWN = '/api/v1/indices/SMALL';

describe('a key', () => {
  it('[5/2] opens every authenticated route, and without one each is closed', async () => {
    const own = routes.filter((route) => route.tiers.includes('authenticated'));
    for (const { path } of own) {
      const url = `/api/v1${path.replace('{id}', ID_OF[path.split('/')[1] ?? ''] ?? '')}`;
      expect((await app.get(url, bearer(app.small.keys.all))).status, url).toBe(200);
      expect((await app.get(url)).status, url).toBe(401);
    }
  });

  it('[5/2] is accepted as a bearer token or as X-API-Key, or as both when they agree', async () => {
    const { acme, other } = app.small.keys;
    const accepted = [
      bearer(acme),
      { 'X-API-Key': acme },
      { authorization: `bearer   ${acme}` },
      { ...bearer(acme), 'X-API-Key': acme },
    ];
    for (const headers of accepted) expect((await app.get(OWN, headers)).status).toBe(200);
    const both = await app.get(OWN, { ...bearer(acme), 'X-API-Key': other });
    expect(both.status).toBe(400);
    expect(both.body).toMatchObject({ error: 'invalid_parameter', details: [{ param: 'X-API-Key' }] });
  });

  it('[5/2] is refused when it is missing, malformed, mistyped, unknown or revoked, each with WWW-Authenticate', async () => {
    const { acme, revoked } = app.small.keys;
    const mistyped = `${acme.slice(0, -1)}${acme.endsWith('0') ? '1' : '0'}`;
    const refused: Record<string, string>[] = [
      {},
      { Authorization: 'Basic abc' },
      { Authorization: 'Bearer' },
      { Authorization: acme },
      { Authorization: `Basic ${acme}` },
      { Authorization: `Bearer ${acme} more` },
      { Authorization: 'Basic abc', 'X-API-Key': acme },
      bearer('fmk_live_'),
      bearer(mistyped),
      bearer(revoked),
      { 'X-API-Key': revoked },
      { 'X-API-Key': '' },
    ];
    for (const headers of refused) {
      const answer = await app.get(OWN, headers);
      expect(answer.status, JSON.stringify(headers)).toBe(401);
      expect(answer.body.error).toBe('unauthorized');
      const isKey =
        /^Bearer \S+$/.test(headers.Authorization ?? '') || Object.keys(headers).join() === 'X-API-Key';
      const wrong = isKey ? ', error="invalid_token"' : '';
      expect(answer.headers.get('www-authenticate')).toBe(`Bearer realm="foremark"${wrong}`);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('[5/2] is refused in the query, even beside a good one, and never repeated in the answer', async () => {
    const { acme } = app.small.keys;
    for (const headers of [{}, bearer(acme)]) {
      const answer = await app.get(`${OWN}?api_key=${acme}`, headers);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: 'invalid_parameter', details: [{ param: 'api_key' }] });
      expect(answer.text).not.toContain(acme);
    }
  });

  it('[5/2] without the scope of a route is told so', async () => {
    const answer = await app.get(OWN, bearer(app.small.keys.filingsOnly));
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({
      error: 'insufficient_scope',
      message: 'the key does not have the scope markets:read',
    });
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="foremark", error="insufficient_scope", scope="markets:read"',
    );
  });

  it('[5/1] is ignored on public routes: good, bad or in the query, the answer is the same', async () => {
    const url = '/api/v1/public/indices/SMALL';
    const plain = await app.get(url);
    for (const headers of [
      bearer(app.small.keys.acme),
      bearer('nonsense'),
      { 'X-API-Key': app.small.keys.revoked },
    ])
      expect((await app.get(url, headers)).text).toBe(plain.text);
    expect((await app.get(`${url}?api_key=x`)).text).toBe(plain.text);
  });

  it("[5/2][7/3] gets the same answer for another organization's index as for one that does not exist", async () => {
    const { other } = app.small.keys;
    const askAs = async (ticker: string, headers: Record<string, string>, tier: string) => {
      const answer = await app.get(`/api/v1${tier}/indices/${ticker}`, {
        ...headers,
        'X-Request-Id': 'same-request',
      });
      return { status: answer.status, text: answer.text.replace(ticker, 'ID') };
    };
    for (const [headers, tier] of [
      [bearer(other), ''],
      [{}, '/public'],
    ] as const) {
      const hidden = await askAs('SECRET', headers, tier);
      expect(hidden.status).toBe(404);
      expect(hidden).toEqual(await askAs('NOBODY', headers, tier));
    }
  });
});
