import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const oracle = join(import.meta.dirname, 'season.py');

/** Whether the independent program can be run on this machine; tests that need it are skipped otherwise. */
export const hasPython = spawnSync('python3', ['-c', 'import sqlite3, zoneinfo']).status === 0;
if (!hasPython) console.warn('skipped: python3 with sqlite3 and zoneinfo is needed for the oracle');

/**
 * Has the oracle calculate stores, each of one run, from their raw facts.
 *
 * @returns how many numbers were compared, and what it says of those that differ
 */
export function compareStores(paths: readonly string[]): { compared: number; differences: string } {
  const { stdout, stderr } = spawnSync('python3', [oracle, ...paths], { encoding: 'utf8' });
  const [, compared = '0'] = /^compared +([0-9,]+)/m.exec(stdout) ?? [];
  return { compared: Number(compared.replaceAll(',', '')), differences: stderr };
}
