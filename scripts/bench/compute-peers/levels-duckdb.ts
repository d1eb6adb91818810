/**
 * Command: the same levels by DuckDB, on one thread, out of the same books: bids and asks (market, t, bid, ask) and
 * holdings (basket, market, quantity) are read from a file of its own; a book counts when it has two sides that do not
 * cross and lie at most 20 cents apart, else the last good mark is held; marks are joined, multiplied and summed by basket
 * and t. `levels-duckdb.ts FOLDER HOURS prepare|measure`
 *
 * `measure` prints seconds of processor time of its whole process and the sum of all levels. Exits with 3 where
 * DuckDB is not installed: `npm install --no-save @duckdb/node-api` installs it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LEVELS = `WITH checked AS (
  SELECT market, t, CASE WHEN bid > 0 AND ask < 1 AND bid <= ask AND ask - bid <= 0.2 + 1e-9
    THEN (bid + ask) / 2 END AS mid FROM books),
marks AS (
  SELECT market, t, last_value(mid IGNORE NULLS) OVER (PARTITION BY market ORDER BY t) AS mark FROM checked),
levels AS (
  SELECT basket, t, sum(quantity * mark) AS level FROM held JOIN marks USING (market) GROUP BY basket, t)
SELECT sum(level) FROM levels`;

const [folder = '', hours = '', step = ''] = process.argv.slice(2);

// Not a dependency, because it has seventy megabytes that nothing else needs; hence a name that the compiler does not
// follow.
const duckdb = '@duckdb/node-api';
const { DuckDBInstance } = await import(duckdb).catch(() => process.exit(3));

function readNumbers(name: string): Float64Array {
  return new Float64Array(Uint8Array.from(readFileSync(join(folder, name))).buffer);
}

async function prepare(): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'peer.duckdb'));
  const connection = await instance.connect();
  await connection.run('CREATE TABLE books (market INTEGER, t INTEGER, bid DOUBLE, ask DOUBLE)');
  await connection.run('CREATE TABLE held (basket INTEGER, market INTEGER, quantity DOUBLE)');
  const books = await connection.createAppender('books');
  const [bids, asks] = [readNumbers('bids.f64'), readNumbers('asks.f64')];
  for (const [i, bid] of bids.entries()) {
    books.appendInteger(Math.floor(i / Number(hours)));
    books.appendInteger(i % Number(hours));
    books.appendDouble(bid);
    books.appendDouble(asks[i]);
    books.endRow();
  }
  books.closeSync();
  const held = await connection.createAppender('held');
  const baskets = readNumbers('baskets.f64');
  for (let at = 0, basket = 0; at < baskets.length; basket++) {
    const count = baskets[at] as number;
    for (let i = at + 1; i <= at + count; i++) {
      held.appendInteger(basket);
      held.appendInteger(baskets[i]);
      held.appendDouble(baskets[i + count]);
      held.endRow();
    }
    at += 1 + 2 * count;
  }
  held.closeSync();
  connection.closeSync();
  instance.closeSync();
}

async function measure(): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'peer.duckdb'), {
    access_mode: 'READ_ONLY',
    threads: '1',
  });
  const connection = await instance.connect();
  const read = await connection.runAndReadAll(LEVELS);
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${(user + system) / 1e6} ${read.getRows()[0][0]}`);
}

await (step === 'prepare' ? prepare : measure)();
