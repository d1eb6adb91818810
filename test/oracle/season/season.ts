import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackfillWish } from '../../../src/compute/recalculation/backfill.ts';
import type { Instant } from '../../../src/model/units.ts';
import { type Answers, writeAnswers } from './write-answers.ts';

const oracle = join(import.meta.dirname, 'season.py');

/** Whether the independent program can be run on this machine; tests that need it are skipped otherwise. */
export const hasPython = spawnSync('python3', ['-c', 'import sqlite3, zoneinfo']).status === 0;
if (!hasPython) console.warn('skipped: python3 with sqlite3 and zoneinfo is needed for the oracle');

/** A store, the backfills that it was asked for beside its runs, and what it answered after earlier runs. */
export interface World {
  path: string;
  backfills?: (BackfillWish & { now: Instant })[];
  answered?: Answers[];
}

/** What the oracle found. */
interface Compared {
  /** How many numbers were compared. */
  compared: number;
  /** The counts of all kinds of them. */
  said: string;
  /** What it says of those that differ. */
  differences: string;
}

/**
 * Has the oracle calculate stores from their raw facts, and compares its numbers with the prints in them and with
 * what is answered of them.
 *
 * @param options all: it is a difference when a kind of number had nothing to compare
 */
export function compareStores(worlds: readonly (string | World)[], { all = false } = {}): Compared {
  const stores = worlds.map((each) => (typeof each === 'string' ? { path: each } : each));
  const folder = mkdtempSync(join(tmpdir(), 'foremark-answers-'));
  try {
    const answers = stores.map(({ path, backfills = [], answered = [] }, i) => {
      const file = join(folder, `${i}.json`);
      writeFileSync(file, JSON.stringify({ answered: [...answered, writeAnswers(path)], backfills }));
      return file;
    });
    const asked = [
      oracle,
      ...stores.map(({ path }) => path),
      '--answers',
      ...answers,
      ...(all ? ['--all'] : []),
    ];
    const { stdout, stderr } = spawnSync('python3', asked, { encoding: 'utf8' });
    const [, compared = '0'] = /^compared +([0-9,]+)/m.exec(stdout) ?? [];
    return { compared: Number(compared.replaceAll(',', '')), said: stdout, differences: stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
