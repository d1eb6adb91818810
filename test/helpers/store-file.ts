import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore, type Store } from '../../src/store/store.ts';
import { makeFolder } from './make-folder.ts';

/** The file of an empty store: made once per process, since copying it takes a twentieth of the time of the migrations. */
let empty: Buffer | undefined;

/** Opens the store in a file, as a program does; one that is missing is at first a copy of an empty store. */
export function openStoreFile(path: string): Store {
  empty ??= makeEmpty();
  if (!existsSync(path)) writeFileSync(path, empty);
  return openStore(path);
}

function makeEmpty(): Buffer {
  const folder = makeFolder();
  const path = join(folder, 'empty.db');
  try {
    openStore(path).close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
