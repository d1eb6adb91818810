import { rmSync } from 'node:fs';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { makeFolder } from './make-folder.ts';

/** A folder that is removed after the current test; outside of a test, after those of the file or group. */
export function temporaryFolder(folder = makeFolder()): string {
  const atEnd = TestRunner.getCurrentTest() ? onTestFinished : afterAll;
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
