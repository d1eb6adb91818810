import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const SCOPES = ['markets:read', 'org:filings:read'] as const;
export type Scope = (typeof SCOPES)[number];

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^fmk_live_([0-9A-Za-z]{8})_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Creates a key: a public id, a secret of 178 bits, and a checksum by which mistyped keys are recognised. */
export function createApiKey(): { key_id: string; key: string } {
  const draw = (length: number) => Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');
  const key_id = draw(8);
  const secret = draw(30);
  return { key_id, key: `fmk_live_${key_id}_${secret}${checksum(`${key_id}_${secret}`)}` };
}

/** The public id of a key; undefined when the text is not a key or was mistyped. */
export function keyIdOf(key: string): string | undefined {
  const [, id, secret, sum] = KEY.exec(key) ?? [];
  return id !== undefined && checksum(`${id}_${secret}`) === sum ? id : undefined;
}

/** The digest that is stored instead of a key. A secret of 178 bits does not need a slow hash. */
export function digestOfKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

// CRC-32 in six base-62 digits.
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < 6; i++) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
