import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the program is made of. */
const CODE = /\.(ts|js|sql)$/;

/**
 * Says which program this is, by all of its files and the Node.js that runs them: another one may answer otherwise
 * from the same rows.
 */
export function programDigest(): string {
  const folder = dirname(import.meta.dirname);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => CODE.test(name));
  const files = names.sort().map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]);
  return hash('sha256', JSON.stringify([process.version, files]));
}
