import { isAscii, isUtf8 } from 'node:buffer';
import { decodeText } from '../wire/html.ts';

/** An XML feed declares its encoding within these first bytes. */
const DECLARATION_BYTES = 200;
const DECLARATION = /^\s*<\?xml\s[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/;

/** How UTF-16 begins: with a byte order mark, or with two bytes for the first character of a feed. */
const LITTLE_ENDIAN = /^(?:\xff\xfe|<\0)/;
const BIG_ENDIAN = /^(?:\xfe\xff|\0<)/;

/**
 * Decodes a feed. Bytes beyond ASCII that are valid UTF-8 are hardly ever anything else, whatever is declared. Other
 * bytes are read in the encoding that the feed declares or else in the one that the server states; if that is UTF-8,
 * and none of them can be, in Windows-1252.
 */
export function decodeFeed(body: Uint8Array, charset?: string): string {
  const bytes = Buffer.from(body);
  const head = bytes.toString('latin1', 0, DECLARATION_BYTES);
  if (LITTLE_ENDIAN.test(head)) return new TextDecoder('utf-16le').decode(body);
  if (BIG_ENDIAN.test(head)) return new TextDecoder('utf-16be').decode(body);
  if (isUtf8(bytes) && !isAscii(bytes)) return decodeText(body);
  const declared = DECLARATION.exec(head)?.[1] ?? charset;
  // Some programs write UTF-8 and declare UTF-16, in which the declaration could not have been read.
  if (declared === undefined || /^utf-?(?:8|16)/i.test(declared)) return decodeBroken(body);
  try {
    return new TextDecoder(declared).decode(body);
  } catch {
    // No encoding has that name.
    return decodeBroken(body);
  }
}

// In a damaged feed of UTF-8 some characters can still be read.
function decodeBroken(body: Uint8Array): string {
  const text = decodeText(body);
  const beyondAscii = text.match(/[^\0-\x7f]/g) ?? [];
  if (beyondAscii.some((each) => each !== '\ufffd')) return text;
  return new TextDecoder('windows-1252').decode(body).replace(/^\xef\xbb\xbf/, '');
}
