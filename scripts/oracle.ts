/**
 * Command: runs the pipeline over the simulated world and has an independent program in Python recalculate every
 * print, close, correlation and stat from the raw facts. `npm run oracle [-- --store file]`: a store of one run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeAnswers } from '../test/oracle/season/write-answers.ts';

const { values } = parseArgs({ options: { store: { type: 'string' } } });
const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'foremark-oracle-'));
try {
  const store = values.store ?? join(folder, 'foremark.db');
  if (!existsSync(store)) {
    const demo = ['src/main.ts', 'demo', '--exit', '--folder', folder];
    const ended = spawnSync(process.execPath, demo, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    if (ended.status !== 0) throw new Error('the demo did not end well');
  }
  const answers = join(folder, 'answers.json');
  writeFileSync(answers, JSON.stringify(writeAnswers(store)));
  const oracle = [join(ROOT, 'test/oracle/season/season.py'), store, '--answers', answers];
  const { status, error } = spawnSync('python3', oracle, { stdio: 'inherit' });
  if (error) process.stderr.write('no python3 here: nothing was compared\n');
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
