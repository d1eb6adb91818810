import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** A folder that goes when the test that asked for it has ended; outside of a test, when those of its file or group have. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foremark-test-'));
  const atEnd = TestRunner.getCurrentTest() ? onTestFinished : afterAll;
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
