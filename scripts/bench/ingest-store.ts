/** A new store that is written as venues' pages are. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openStore, type Store } from '../../src/store/store.ts';
import { timed } from './processor-time.ts';

/** What a part took, in seconds of the clock and of processor time. */
interface Took {
  wall: number;
  processor: number;
}

export interface BenchStore {
  store: Store;
  /** Times work until all that it wrote is in the file: each part pays for its own pages, and for no other's. */
  time(work: () => void): Took;
  close(): void;
}

/** @param folder where its file is made */
export function openNew(folder: string): BenchStore {
  const file = join(folder, `store-${process.hrtime.bigint()}.db`);
  const store = openStore(file).later();
  const log = new Database(file);
  return {
    store,
    time(work) {
      const started = performance.now();
      const { took } = timed(() => {
        work();
        log.pragma('wal_checkpoint(TRUNCATE)');
      });
      return { wall: (performance.now() - started) / 1000, processor: took };
    },
    close() {
      log.close();
      store.close();
    },
  };
}
