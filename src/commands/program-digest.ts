import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from './package-root.ts';

const CODE = /\.(ts|js|sql)$/;

/**
 * A digest of the program: its files, the package versions it names, and the Node.js that runs it. A different program
 * may give different answers for the same rows.
 */
export function programDigest(folder = dirname(import.meta.dirname), root = packageRoot()): string {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const names = all.filter((name) => CODE.test(name)).sort();
  const paths = [join(root, 'package.json'), ...names.map((name) => join(folder, name))];
  const digests = paths.map((path) => hash('sha256', readFileSync(path)));
  return hash('sha256', JSON.stringify([process.version, names, digests]));
}
