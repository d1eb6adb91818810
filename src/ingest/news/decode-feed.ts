import { isUtf8 } from 'node:buffer';
import { decodeText } from '../wire/html.ts';

/** An XML feed declares its encoding within these first bytes. */
const DECLARATION_BYTES = 200;
const DECLARATION = /^\s*<\?xml\s[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/;

/**
 * Decodes a feed by its byte order mark or the encoding that it declares. Without either it is read as UTF-8 or, if its
 * bytes are not valid UTF-8, in the encoding that the server states.
 */
export function decodeFeed(body: Uint8Array, charset?: string): string {
  const head = Buffer.from(body.subarray(0, DECLARATION_BYTES)).toString('latin1');
  if (head.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(body);
  if (head.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(body);
  const declared = DECLARATION.exec(head)?.[1] ?? (isUtf8(Buffer.from(body)) ? undefined : charset);
  if (declared === undefined) return decodeText(body);
  try {
    return new TextDecoder(declared).decode(body);
  } catch {
    // No encoding has that name.
    return decodeText(body);
  }
}
