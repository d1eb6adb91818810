/** A new store, written in the same way as ingest writes venues' pages. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openStore, type Store } from '../../src/store/store.ts';
import { timed } from './processor-time.ts';

/** Seconds that a part took, by the clock and of processor time. */
interface Took {
  wall: number;
  processor: number;
}

export interface BenchStore {
  store: Store;
  /** Times work until all that it wrote is in the file, so that each part is charged for its own pages only. */
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
