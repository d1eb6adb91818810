/**
 * The keys of public documents, for every reader of them. The browser is one, so nothing of Node is imported
 * here.
 */

/** The folder of all public documents. */
export const DOCUMENTS = 'api/v1/public';

/** The longest encoded id that is used in a key as it is; file names are usually limited to 255 bytes. */
export const LONGEST_ID = 180;

/**
 * The key of a document: its URL's path and `.json`.
 *
 * @param encodedId the id in its encoded form; '' for a path without {id}
 */
export function keyOfDocument(path: string, encodedId: string): string {
  return `${DOCUMENTS}${path.replace('{id}', () => encodedId)}.json`;
}

const byteOf = (byte: number) => `~${byte.toString(16).padStart(2, '0')}`;
const ASCII = Array.from({ length: 0x80 }, (_none, byte) => byteOf(byte));

/**
 * An id as one part of a key, of any length: letters, digits, hyphen, underscore and single inner dots are kept, every
 * other byte is `~` and two hex digits (`~u` and four for a lone surrogate, `~` alone for the empty id). The dot of `.json`
 * is encoded too, so that the folder of one id never has the name of another's document or its variants. No two ids share
 * an encoding, and none can name another folder.
 */
export function encodeCharacters(id: string): string {
  if (id === '') return '~';
  return id.replace(
    /[^A-Za-z0-9_.-]|(?<=^|\.)\.|\.$|\.(?=[Jj][Ss][Oo][Nn](?![A-Za-z0-9]))/gu,
    (character) => {
      const code = character.charCodeAt(0);
      if (code < 0x80) return ASCII[code] as string;
      if (/^[\ud800-\udfff]$/.test(character)) return `~u${code.toString(16)}`;
      return [...new TextEncoder().encode(character)].map(byteOf).join('');
    },
  );
}
