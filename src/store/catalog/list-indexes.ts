import { openStore, type Writer } from '../store.ts';

/** The indexes that market lists are read by. A migration that changes one has to drop it `IF EXISTS`. */
const LIST_INDEXES = ['close', 'listing', 'volume'].flatMap((order) => [
  `markets_by_${order}`,
  `markets_of_venue_by_${order}`,
]);

/**
 * Takes the indexes of market lists away while there is no market: until a first catalog is whole nobody may list it. Each
 * row goes to another place in each of them, which of a quarter of a million markets takes three times what all the rest of
 * writing their rows does.
 */
export function dropListIndexes(writer: Writer): void {
  if (writer.get('SELECT 1 FROM markets LIMIT 1')) return;
  for (const name of LIST_INDEXES) writer.run(`DROP INDEX IF EXISTS ${name}`);
}

/** Makes those that are not there, as an empty store has them: a tenth of the time. */
export function makeListIndexes(writer: Writer): void {
  const there = new Set(writer.column("SELECT name FROM sqlite_schema WHERE type = 'index'"));
  const missing = LIST_INDEXES.filter((name) => !there.has(name));
  if (missing.length === 0) return;
  const empty = openStore(':memory:');
  // What is sorted grows with the catalog.
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
