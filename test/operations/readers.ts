/** What the server beside everything is asked for. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Operation } from './operation.ts';

const MEMBER_PATHS = [
  'indices',
  'indices/SIMMACRO/constituents',
  'rates/SIM.FED.NEXT.HOLD',
  'markets?search=cut&sort=volume',
  'markets/venue_a%3ASIMFED-26DEC-H0/candles',
  'markets/venue_a%3ASIMFED-26DEC-H0/similar',
  'usage',
  'export/markets/csv',
  'export/rates/ndjson',
];

/** A key reads until it is revoked. */
export const keys: fc.Arbitrary<Operation> = fc.constantFrom('desk', 'other').map((organization) => ({
  name: `a key of ${organization} is made, used and revoked`,
  async act(place) {
    const made = await place.must(['--json', 'keys', 'create', '--organization', organization]);
    const { key } = JSON.parse(made.out) as { key: string };
    const ask = (path = 'rates') => place.server?.ask(`/api/v1/${path}`, { authorization: `Bearer ${key}` });
    for (const path of MEMBER_PATHS) assert.notEqual((await ask(path))?.status, 401, 'a new key is known');
    await place.must(['keys', 'revoke', key.split('_')[2]?.slice(0, 8) ?? '']);
    assert.equal((await ask())?.status ?? 401, 401, 'a revoked key is refused');
  },
}));

export const serving: fc.Arbitrary<Operation> = fc.constant({
  name: 'serve is started again',
  async act(place) {
    await place.stopServer();
    await place.startServer();
  },
});
