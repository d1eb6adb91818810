import { openStore, type Writer } from '../store.ts';

/** The indexes of the market lists. A migration that changes one has to drop it `IF EXISTS`. */
const LIST_INDEXES = ['close', 'listing', 'volume'].flatMap((order) => [
  `markets_by_${order}`,
  `markets_of_venue_by_${order}`,
]);

/**
 * Drops the indexes of the market lists if there are no markets yet: nothing is listed until the first catalog is
 * complete. Maintaining them while a quarter of a million markets are inserted takes three times as long as the rest of
 * the insert, because each row goes to a random place in each index.
 */
export function dropListIndexes(writer: Writer): void {
  if (writer.get('SELECT 1 FROM markets LIMIT 1')) return;
  for (const name of LIST_INDEXES) writer.run(`DROP INDEX IF EXISTS ${name}`);
}

/**
 * Creates the missing indexes, with the SQL of an empty store's schema. This takes a tenth of the time of maintaining
 * them during the inserts.
 */
export function makeListIndexes(writer: Writer): void {
  const there = new Set(writer.column("SELECT name FROM sqlite_schema WHERE type = 'index'"));
  const missing = LIST_INDEXES.filter((name) => !there.has(name));
  if (missing.length === 0) return;
  const empty = openStore(':memory:');
  // The sort grows with the catalog, so it goes to a file.
  writer.run('PRAGMA temp_store = FILE');
  try {
    for (const name of missing) {
      const sql = 'SELECT sql FROM sqlite_schema WHERE name = ?';
      writer.run(empty.read((reader) => reader.value<string>(sql, name)) as string);
    }
  } finally {
    writer.run('PRAGMA temp_store = MEMORY');
    empty.close();
  }
}
