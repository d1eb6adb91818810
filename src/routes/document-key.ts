import { hash } from 'node:crypto';
import { encodeCharacters, keyOfDocument, LONGEST_ID } from './id-encoding.ts';
import type { Route } from './route.ts';

/**
 * The key of a public document: its URL's path and `.json`, the id encoded.
 *
 * @example documentKey('/markets/{id}', 'venue_a:KXFED-26') // 'api/v1/public/markets/venue_a~3aKXFED-26.json'
 */
export function documentKey(path: Route['path'], id: string): string {
  return keyOfDocument(path, encodeId(id));
}

/** An id as one part of a key; if that would be too long, `~~` and the id's SHA-256. */
export function encodeId(id: string): string {
  const encoded = encodeCharacters(id);
  return encoded.length <= LONGEST_ID ? encoded : `~~${hash('sha256', Buffer.from(id, 'utf16le'))}`;
}
