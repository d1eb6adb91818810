import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp, rows, rowWith } from '../helpers/small-app.ts';
import { openSmallWorkspace } from '../helpers/small-workspace.ts';

const workspace = ofEachTest(openSmallWorkspace);

describe('keys', () => {
  it('[5/2] are shown once, listed without their secret, and out of use once revoked', async () => {
    const made = await workspace.run('keys', 'create', '--organization', 'desk');
    expect(made.err).toContain('cannot be shown again');
    const key = made.out.trim();
    const { app } = openSmallApp(workspace.small);
    const status = async () => (await app.request('/api/v1/indices', { headers: bearer(key) })).status;
    expect(await status()).toBe(200);
    const listed = rowWith(rows({ data: await workspace.json('keys', 'list') }), 'organization', 'desk');
    expect(listed).toEqual({
      key_id: key.slice(9, 17),
      organization: 'desk',
      scopes: ['markets:read'],
      created_at: '2026-04-15T12:00:00Z',
      revoked_at: null,
    });
    const line = async () => {
      const { out } = await workspace.run('keys', 'list');
      expect(out).not.toContain(key);
      return out.split('\n').find((each) => each.startsWith(key.slice(9, 17)));
    };
    const head = `${key.slice(9, 17)}  desk  markets:read  made 2026-04-15T12:00:00Z`;
    expect(await line()).toBe(`${head}  in use`);
    expect(readFileSync(workspace.small.path).includes(key.slice(18))).toBe(false);
    const id = String(listed.key_id);
    expect(await workspace.json('keys', 'revoke', id)).toEqual({ key_id: id, revoked: true });
    expect(await status()).toBe(401);
    expect(await line()).toBe(`${head}  revoked 2026-04-15T12:00:00Z`);
    expect(
      rowWith(rows({ data: await workspace.json('keys', 'list') }), 'organization', 'desk').revoked_at,
    ).toBe('2026-04-15T12:00:00Z');
    expect(await workspace.run('keys', 'revoke', id)).toMatchObject({
      code: 2,
      err: expect.stringContaining(id),
    });
  });
});
