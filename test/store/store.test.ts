import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { takeRunLock } from '../../src/store/run-lock.ts';
import { insertRun } from '../../src/store/runs.ts';
import { openStore, type Reader, type Writer } from '../../src/store/store.ts';
import { storeError } from '../../src/store/store-errors.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);
const source = (file: string) => join(import.meta.dirname, '../../src/store', file);

const versionOf = (file: string) => {
  const database = new Database(file, { readonly: true });
  const version = database.pragma('user_version', { simple: true });
  const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  database.close();
  return { version, tables };
};

it('SQLite is one in which two connections cannot damage the log: until 3.51.3 a reset of it could lose pages', () => {
  const database = new Database(':memory:');
  const version = database.prepare('SELECT sqlite_version()').pluck().get() as string;
  database.close();
  expect('3.51.3'.localeCompare(version, 'en', { numeric: true }), version).toBeLessThanOrEqual(0);
});

describe('work that is done once', () => {
  const count = (reader: Reader) =>
    reader.once('runs', () => reader.get<{ runs: number }>('SELECT count(*) AS runs FROM runs')?.runs);
  const addRun = (writer: Writer) => insertRun(writer, 'run', 0);

  it('is kept for a snapshot, and done again for the next', async () => {
    const store = openStore(path('once.db'));
    await store.snapshot(async (snapshot) => {
      expect(count(snapshot)).toBe(0);
      expect(store.read(count)).toBe(0);
      store.write(addRun);
      expect(store.read(count)).toBe(1);
      let asked = 0;
      store.read((reader) => {
        for (let i = 0; i < 3; i++) reader.once('asked', () => asked++);
      });
      for (let i = 0; i < 3; i++) snapshot.once('asked', () => asked++);
      expect(asked).toBe(2);
      expect(count(snapshot)).toBe(0);
    });
    store.close();
  });

  it('is never kept during a write, nor after a read inside one', () => {
    const store = openStore(':memory:');
    store.write((writer) => {
      expect(count(writer)).toBe(0);
      addRun(writer);
      expect(store.read(count)).toBe(1);
      addRun(writer);
      expect(count(writer)).toBe(2);
    });
    expect(() =>
      store.read((reader) => {
        count(reader);
        throw new Error('cut off');
      }),
    ).toThrow('cut off');
    store.write(addRun);
    expect(store.read(count)).toBe(3);
    store.close();
  });
});

it('each store in memory is empty at first, whatever others hold', () => {
  for (let i = 0; i < 3; i++) {
    const store = openStore(':memory:');
    const runs = store.write((writer) => {
      const before = writer.value('SELECT count(*) FROM runs');
      insertRun(writer, 'run', 0);
      return before;
    });
    expect(runs).toBe(0);
  }
});

describe('migrations', () => {
  it('bring a fresh file to the newest schema, and leave it alone the second time', () => {
    openStore(path('fresh.db')).close();
    const first = versionOf(path('fresh.db'));
    openStore(path('fresh.db')).close();
    expect(versionOf(path('fresh.db'))).toEqual(first);
    expect(first.version).toBeGreaterThan(0);
  });

  it('refuse a store of a newer program, whatever the mode, and say what to do', () => {
    openStore(path('newer.db')).close();
    const database = new Database(path('newer.db'));
    database.pragma('user_version = 99');
    database.close();
    for (const readonly of [false, true])
      expect(() => openStore(path('newer.db'), { readonly })).toThrow(
        expect.objectContaining({
          code: 'store_unusable',
          message: expect.stringContaining('newer foremark'),
        }),
      );
  });

  it('are not run by a reader: an old file is refused, a missing one is not made', () => {
    new Database(path('old.db')).close();
    writeFileSync(path('old.db'), '');
    expect(() => openStore(path('old.db'), { readonly: true })).toThrow(/run ingest first/);
    expect(() => openStore(path('missing.db'), { readonly: true })).toThrow(/the file does not exist/);
    expect(() => openStore(path('missing/some.db'), { readonly: true })).toThrow(/the file does not exist/);
    expect(() => openStore(path('missing/some.db'))).toThrow(/its folder does not exist/);
    for (const readonly of [false, true])
      expect(() => openStore(dirname(path('some.db')), { readonly })).toThrow(/it is a folder; name a file/);
  });

  it('killed half way leave the old schema, from which the next start continues', () => {
    const file = path('killed.db');
    // The process ends itself between the last statement of a migration and the end of its transaction.
    const script = `
      import Database from 'better-sqlite3';
      const pragma = Database.prototype.pragma;
      Database.prototype.pragma = function (text, ...rest) {
        if (/user_version = /.test(text)) process.kill(process.pid, 'SIGKILL');
        return pragma.call(this, text, ...rest);
      };
      const { openStore } = await import(${JSON.stringify(source('store.ts'))});
      openStore(${JSON.stringify(file)});`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(child.signal, child.stderr).toBe('SIGKILL');
    expect(versionOf(file)).toEqual({ version: 0, tables: 0 });
    openStore(file).close();
    expect(versionOf(file).version).toBeGreaterThan(0);
  });

  it('let two programs that open a fresh file at once both find the newest schema', async () => {
    const file = path('race.db');
    const script = `const { openStore } = await import(${JSON.stringify(source('store.ts'))});
      openStore(${JSON.stringify(file)}).close();`;
    const children = [1, 2].map(() => spawn(process.execPath, ['--input-type=module', '-e', script]));
    const ends = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
    expect(ends).toEqual([0, 0]);
  });

  it('wait for another program that is creating the same file', async () => {
    const file = path('shared.db');
    const script = `import Database from 'better-sqlite3';
      const database = new Database(${JSON.stringify(file)});
      database.exec('CREATE TABLE before (a); BEGIN IMMEDIATE');
      process.stdout.write('held');
      process.stdin.once('data', () => setTimeout(() => database.exec('COMMIT'), 200));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
    await once(child.stdout, 'data');
    expect(() => openStore(file, { wait_ms: 10 })).toThrow(/another program is writing to it/);
    child.stdin.end('commit soon');
    openStore(file).close();
    await once(child, 'exit');
    expect(versionOf(file).version).toBeGreaterThan(0);
  });
});

describe('a store', () => {
  it('says when a file is not a database', () => {
    writeFileSync(path('text.db'), 'this is not a database, whatever its name says. '.repeat(200));
    expect(() => openStore(path('text.db'))).toThrow(/not a SQLite database/);
  });

  it('says that too many files are open, not that the store cannot be written', () => {
    const file = JSON.stringify(path('many.db'));
    const script = `
      import { openSync } from 'node:fs';
      const { openStore } = await import(${JSON.stringify(source('store.ts'))});
      const { takeRunLock } = await import(${JSON.stringify(source('run-lock.ts'))});
      openStore(${file}).close();
      try { for (;;) openSync('/dev/null'); } catch {}
      for (const work of [openStore, takeRunLock])
        try { work(${file}); } catch (thrown) { console.log(thrown.message); }`;
    const run = `ulimit -n 64 && exec "$0" --input-type=module -e "$1"`;
    const { stdout } = spawnSync('sh', ['-c', run, process.execPath, script], { encoding: 'utf8' });
    const said = (name: string) =>
      `store ${path(name)}: too many files are open; raise the limit (ulimit -n)\n`;
    expect(stdout).toBe(said('many.db') + said('many.db.lock'));
  });

  it('keeps all of a write or, when it throws, none', () => {
    const store = openStore(':memory:');
    const insert = "INSERT INTO market_names (market_id) VALUES ('venue_a:X')";
    expect(() =>
      store.write((writer) => {
        writer.run(insert);
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(store.read((reader) => reader.all('SELECT * FROM market_names'))).toEqual([]);
    store.write((writer) => writer.run(insert));
    expect(store.read((reader) => reader.all('SELECT * FROM market_names'))).toHaveLength(1);
  });

  it('waits for the disk at each write, except those that can be repeated', () => {
    const store = openStore(path('later.db'));
    const later = store.later();
    const level = (writer: Writer) => writer.value('SELECT synchronous FROM pragma_synchronous');
    const [FULL, NORMAL] = [2, 1];
    expect([store, later, later, store].map((each) => each.write(level))).toEqual([
      FULL,
      NORMAL,
      NORMAL,
      FULL,
    ]);
    expect(later.write(() => store.write(level))).toBe(NORMAL);
    expect(() =>
      later.write((writer) => {
        insertRun(writer, 'run', 0);
        throw new Error('cut off');
      }),
    ).toThrow('cut off');
    later.write((writer) => insertRun(writer, 'ingest', 0));
    expect(store.read((reader) => reader.column('SELECT command FROM runs'))).toEqual(['ingest']);
    store.close();
  });

  it('says that another program holds the store when a write cannot begin', () => {
    const file = path('held.db');
    openStore(file).close();
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const store = openStore(file, { wait_ms: 0 });
    expect(() => store.write(() => {})).toThrow(`store ${file}: another program is writing to it`);
    other.close();
    store.write((writer) => insertRun(writer, 'run', 0));
    store.close();
  });

  it('says that the file is damaged when a snapshot meets a damaged page', async () => {
    const file = path('damaged.db');
    const store = openStore(file);
    store.write((writer) => {
      for (let i = 0; i < 500; i++) insertRun(writer, 'run', i);
    });
    const root = store.read((reader) =>
      reader.value<number>("SELECT rootpage FROM sqlite_schema WHERE name = 'runs'"),
    );
    store.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, ((root as number) - 1) * 8192, (root as number) * 8192);
    writeFileSync(file, bytes);
    const damaged = openStore(file);
    await expect(damaged.snapshot(async (reader) => reader.all('SELECT * FROM runs'))).rejects.toMatchObject({
      code: 'store_unusable',
      message: `store ${file}: the file is damaged; restore it from a backup`,
    });
    damaged.close();
  });

  it('keeps the undo log of a statement in memory while writing', () => {
    const store = openStore(path('aside.db'));
    const inMemory = 2;
    expect(store.read((reader) => reader.value('SELECT * FROM pragma_temp_store'))).toBe(inMemory);
    store.close();
  });

  it('undoes a part that throws and keeps the rest of its write', () => {
    const store = openStore(':memory:');
    const insert = (id: string) => `INSERT INTO market_names (market_id) VALUES ('${id}')`;
    store.write((writer) => {
      writer.run(insert('venue_a:X'));
      const failing = () => {
        writer.run(insert('venue_a:Y'));
        throw new Error('stop');
      };
      expect(() => writer.part(failing)).toThrow('stop');
      writer.part(() => writer.run(insert('venue_a:Z')));
    });
    const names = store.read((reader) => reader.all('SELECT market_id FROM market_names ORDER BY 1'));
    expect(names).toEqual([{ market_id: 'venue_a:X' }, { market_id: 'venue_a:Z' }]);
  });

  it('keeps none of a write when the disk is full, whatever a part of it did with the error', () => {
    const store = openStore(':memory:');
    const insert = 'INSERT INTO payloads VALUES (?, 1, zeroblob(20000000))';
    expect(() =>
      store.write((writer) => {
        writer.all('PRAGMA max_page_count = 1000');
        writer.part(() => writer.run(insert, Buffer.from('a')));
      }),
    ).toThrow(expect.objectContaining({ code: 'store_unusable' }));
    expect(store.read((reader) => reader.all('SELECT digest FROM payloads'))).toEqual([]);
  });

  it('says that the disk is full where even reading finds no room', () => {
    const file = path('no-room.db');
    openStore(file).close();
    // A limit on the size of files stands in for the full disk.
    const reading = `
      const { openStore } = await import(${JSON.stringify(source('store.ts'))});
      openStore(${JSON.stringify(file)}, { readonly: true });`;
    const shell = ['-c', 'ulimit -f 8; exec "$0" --input-type=module -e "$1"', process.execPath, reading];
    expect(spawnSync('sh', shell, { encoding: 'utf8' }).stderr).toMatch(
      /ForemarkError: store .*no-room\.db: there is no room for .*: the disk is full/,
    );
  });

  it('says what is wrong where the file system cannot share memory, as network file systems cannot', () => {
    const refused = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMMAP' });
    expect(storeError('a.db', refused)).toMatchObject({
      code: 'store_unusable',
      message: expect.stringMatching(
        /^store a\.db: its file system cannot share .*; put it on a local disk$/,
      ),
    });
  });

  it('shows a snapshot as it was while writes go on', async () => {
    const store = openStore(path('snapshot.db'));
    const count = 'SELECT count(*) AS count FROM market_names';
    await store.snapshot(async (snapshot) => {
      expect(snapshot.get(count)).toEqual({ count: 0 });
      store.write((writer) => writer.run("INSERT INTO market_names (market_id) VALUES ('venue_a:X')"));
      expect(snapshot.get(count)).toEqual({ count: 0 });
    });
    expect(store.read((reader) => reader.get(count))).toEqual({ count: 1 });
    store.close();
  });

  it('gives back the room of a log that a reader made long, even while other readers stay', async () => {
    const file = path('log.db');
    const store = openStore(file);
    const server = openStore(file, { readonly: true });
    const insert = (name: string, bytes: number) =>
      store.write((writer) =>
        writer.run('INSERT INTO payloads VALUES (?, ?, zeroblob(?))', Buffer.from(name), bytes, bytes),
      );
    const long = await store.snapshot(async (snapshot) => {
      snapshot.all('SELECT * FROM payloads');
      for (let i = 0; i < 3; i++) insert(`long ${i}`, 96 * 2 ** 20);
      return statSync(`${file}-wal`).size;
    });
    for (let i = 0; i < 3; i++) insert(`short ${i}`, 1);
    expect(statSync(`${file}-wal`).size).toBeLessThan(long / 2);
    expect(server.read((reader) => reader.value('SELECT count(*) FROM payloads'))).toBe(6);
    store.close();
    server.close();
  });
});

describe('[C/1] the run lock', () => {
  const holder = (file: string) => `
    const { takeRunLock } = await import(${JSON.stringify(source('run-lock.ts'))});
    globalThis.unlock = takeRunLock(${JSON.stringify(file)});
    console.log('held');
    setInterval(() => {}, 1000);`;

  it('is held against another process, and is free again after kill -9', async () => {
    const file = path('locked.db');
    const child = spawn(process.execPath, ['--input-type=module', '-e', holder(file)]);
    await once(child.stdout, 'data');
    expect(() => takeRunLock(file)).toThrow(expect.objectContaining({ code: 'run_in_progress' }));
    child.kill('SIGKILL');
    await once(child, 'exit');
    takeRunLock(file)();
  });

  it('is given back, is one per store, and does not block a store in memory', () => {
    const free = takeRunLock(path('one.db'));
    expect(() => takeRunLock(path('one.db'))).toThrow(/another run/);
    takeRunLock(path('two.db'))();
    free();
    takeRunLock(path('one.db'))();
    takeRunLock(':memory:');
    takeRunLock(':memory:');
  });

  it('names its file when that cannot be opened or is damaged', () => {
    const [shut, file] = [path('shut-lock.db'), path('damaged-lock.db')];
    mkdirSync(`${shut}.lock`);
    expect(() => takeRunLock(shut)).toThrow(`store ${shut}.lock: the file cannot be opened`);
    writeFileSync(`${file}.lock`, 'what a power cut left '.repeat(100));
    expect(() => takeRunLock(file)).toThrow(`store ${file}.lock: the file is not a SQLite database`);
  });

  it('creates the folder of a store that does not exist yet', () => {
    takeRunLock(join(folder, 'new', 'folder', 'store.db'))();
    expect(existsSync(join(folder, 'new', 'folder'))).toBe(true);
  });
});
