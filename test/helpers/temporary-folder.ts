import { rmSync } from 'node:fs';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { makeFolder } from './make-folder.ts';

/** A folder that goes when the test that asked for it has ended; outside of a test, when those of its file or group have. */
export function temporaryFolder(folder = makeFolder()): string {
  const atEnd = TestRunner.getCurrentTest() ? onTestFinished : afterAll;
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
