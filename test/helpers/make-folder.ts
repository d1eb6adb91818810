import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory, so that no test waits for a disk. In a container it may be small. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 30;

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES;
}

const place = hasRoom() ? MEMORY : tmpdir();

/** Makes a new folder, in memory if there is room. */
export function makeFolder(): string {
  return mkdtempSync(join(place, 'foremark-test-'));
}
