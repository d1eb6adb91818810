import { hash } from 'node:crypto';
import type { Route } from './route.ts';

/** The folder of all public documents. */
export const DOCUMENTS = 'api/v1/public';

/** The longest encoded id that stands in a key as it is; the usual limit of a file name is 255 bytes. */
const LONGEST = 180;

/**
 * The key of a public document: its URL's path and `.json`, the id encoded.
 *
 * @example documentKey('/markets/{id}', 'venue_a:KXFED-26') // 'api/v1/public/markets/venue_a~3aKXFED-26.json'
 */
export function documentKey(path: Route['path'], id: string): string {
  return `${DOCUMENTS}${path.replace('{id}', () => encodeId(id))}.json`;
}

/**
 * An id as one part of a key: letters, digits, hyphen, underscore and single inner dots stand for themselves,
 * every other byte is `~` and two hex digits (`~u` and four for half a surrogate pair, `~` alone for the empty
 * id). The dot of a `.json` is written so too, so that the folder of one id never
 * takes the name of another's document or of its variants. What would be longer is `~~` and
 * the id's SHA-256. Two ids never share an encoding, and none can name another folder.
 */
export function encodeId(id: string): string {
  if (id === '') return '~';
  const encoded = id.replace(
    /[^A-Za-z0-9_.-]|(?<=^|\.)\.|\.$|\.(?=[Jj][Ss][Oo][Nn](?![A-Za-z0-9]))/gu,
    (character) => {
      if (/^[\ud800-\udfff]$/.test(character)) return `~u${character.charCodeAt(0).toString(16)}`;
      return [...Buffer.from(character)].map((byte) => `~${byte.toString(16).padStart(2, '0')}`).join('');
    },
  );
  return encoded.length <= LONGEST ? encoded : `~~${hash('sha256', Buffer.from(id, 'utf16le'))}`;
}
