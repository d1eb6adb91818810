import { decodeText } from '../wire/html.ts';

/** Where a feed says what it is written in. */
const DECLARATION_BYTES = 200;
const DECLARATION = /^\s*<\?xml\s[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/;

/** A feed's text, by its own word on how it is written; what says nothing, or what nobody knows, is UTF-8. */
export function decodeFeed(body: Uint8Array): string {
  const head = Buffer.from(body.subarray(0, DECLARATION_BYTES)).toString('latin1');
  if (head.startsWith('\xff\xfe')) return new TextDecoder('utf-16le').decode(body);
  if (head.startsWith('\xfe\xff')) return new TextDecoder('utf-16be').decode(body);
  const declared = DECLARATION.exec(head)?.[1];
  if (declared === undefined) return decodeText(body);
  try {
    return new TextDecoder(declared).decode(body);
  } catch {
    // No encoding has that name.
    return decodeText(body);
  }
}
