import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApiKey, digestOfKey, keyIdOf } from '../../src/model/api-key.ts';
import { findApiKey, insertApiKey, listApiKeys, revokeApiKey } from '../../src/store/api-keys.ts';
import { openStore } from '../../src/store/store.ts';

describe('[5/2] API keys', () => {
  it('a mistyped key is recognized by its checksum before any lookup', () => {
    const { key, key_id } = createApiKey();
    expect(key).toMatch(/^fmk_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{36}$/);
    expect(keyIdOf(key)).toBe(key_id);
    const place = fc.integer({ min: 'fmk_live_'.length, max: key.length - 1 });
    fc.assert(
      fc.property(place, fc.constantFrom(...'0123456789ABCXYZabcxyz_- '), (i, letter) => {
        const typed = key.slice(0, i) + letter + key.slice(i + 1);
        expect(keyIdOf(typed)).toBe(typed === key ? key_id : undefined);
      }),
    );
    for (const text of [
      '',
      'fmk_live_',
      ` ${key}`,
      `${key} `,
      key.slice(0, -1),
      `${key}0`,
      key.toUpperCase(),
    ])
      expect(keyIdOf(text)).toBeUndefined();
  });

  it('a key is found until it is revoked; an unknown one never', () => {
    const store = openStore(':memory:');
    const key = store.write((writer) => insertApiKey(writer, 'acme', ['markets:read'], 5));
    const find = (text: string) => store.read((reader) => findApiKey(reader, text));
    expect(find(key)).toEqual({
      key_id: keyIdOf(key),
      organization: 'acme',
      scopes: ['markets:read'],
      created_at: 5,
      revoked_at: null,
    });
    expect(find(createApiKey().key)).toBeUndefined();
    expect(find('')).toBeUndefined();
    const revoke = () => store.write((writer) => revokeApiKey(writer, keyIdOf(key) ?? '', 9));
    expect([revoke(), revoke()]).toEqual([true, false]);
    expect(find(key)).toBeUndefined();
    expect(store.read((reader) => listApiKeys(reader))).toMatchObject([{ revoked_at: 9 }]);
  });

  it('only a digest is kept: the secret is nowhere in the store', () => {
    const store = openStore(':memory:');
    const key = store.write((writer) =>
      insertApiKey(writer, 'acme', ['markets:read', 'org:filings:read'], 5),
    );
    const [row] = store.read((reader) => reader.all<Record<string, unknown>>('SELECT * FROM api_keys'));
    expect(row?.digest).toEqual(digestOfKey(key));
    expect(JSON.stringify(Object.values(row ?? {}).map(String))).not.toContain(key.split('_')[3]);
  });
});
