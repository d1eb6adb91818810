import { timingSafeEqual } from 'node:crypto';
import { createApiKey, digestOfKey, keyIdOf, type Scope } from '../model/api-key.ts';
import type { Instant } from '../model/units.ts';
import type { Reader, Writer } from './store.ts';

/** A stored key: everything but the secret. */
export interface ApiKeyRow {
  key_id: string;
  organization: string;
  scopes: Scope[];
  created_at: Instant;
  revoked_at: Instant | null;
}

interface StoredRow extends Omit<ApiKeyRow, 'scopes'> {
  scopes: string;
  digest: Buffer;
}

/** Creates a key for an organization. @returns the key; only its digest is stored, so it cannot be shown again */
export function insertApiKey(
  writer: Writer,
  organization: string,
  scopes: readonly Scope[],
  now: Instant,
): string {
  const { key_id, key } = createApiKey();
  writer.run(
    'INSERT INTO api_keys (key_id, digest, organization, scopes, created_at) VALUES (?, ?, ?, ?, ?)',
    key_id,
    digestOfKey(key),
    organization,
    scopes.join(' '),
    now,
  );
  return key;
}

/** Revokes a key. @returns false when there is no such key, or it was already revoked */
export function revokeApiKey(writer: Writer, keyId: string, now: Instant): boolean {
  const sql = 'UPDATE api_keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL';
  return writer.run(sql, now, keyId).changes > 0;
}

/** All keys, oldest first. */
export function listApiKeys(reader: Reader): ApiKeyRow[] {
  return reader.all<StoredRow>('SELECT * FROM api_keys ORDER BY created_at, key_id').map(rowOf);
}

const NOBODY = Buffer.alloc(32);

/** The row of a key; undefined when the key is unknown, mistyped or revoked. */
export function findApiKey(reader: Reader, key: string): ApiKeyRow | undefined {
  const row = reader.get<StoredRow>('SELECT * FROM api_keys WHERE key_id = ?', keyIdOf(key) ?? '');
  // Takes the same time whether or not the id is known.
  const matches = timingSafeEqual(row?.digest ?? NOBODY, digestOfKey(key));
  return row && matches && row.revoked_at === null ? rowOf(row) : undefined;
}

function rowOf({ key_id, organization, scopes, created_at, revoked_at }: StoredRow): ApiKeyRow {
  return { key_id, organization, scopes: scopes.split(' ') as Scope[], created_at, revoked_at };
}
