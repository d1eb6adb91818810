import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { findChangedPage, writeChecksums } from '../../src/store/page-checksums.ts';
import { insertRun, listRuns } from '../../src/store/runs.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { rounds } from '../helpers/rounds.ts';
import { openStoreFile } from '../helpers/store-file.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const PAGE = 8192;
const folder = temporaryFolder();
const file = join(folder, 'foremark.db');

/** What each command that records a run does at its end. */
function endRun(store: Store): void {
  store.close();
  writeChecksums(file);
}

const addRun = (store: Store, at: number) => store.write((writer) => insertRun(writer, 'run', at));

/** Changes a bit of the file. */
const flipped = (bytes: Buffer, at: number, bit = 0) => {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] as number) ^ (1 << bit);
  return changed;
};

describe('[F21] the checksums of the pages', () => {
  let whole: Buffer;
  let pages: number;
  beforeEach(() => {
    for (const end of ['', '-wal', '-shm', '.checksums']) rmSync(`${file}${end}`, { force: true });
    const store = openStoreFile(file);
    addRun(store, 1);
    endRun(store);
    whole = readFileSync(file);
    pages = whole.length / PAGE;
  });

  it('find each changed bit behind the header, and the first page that has one', () => {
    expect(findChangedPage(file)).toBe('none');
    const place = fc.tuple(fc.integer({ min: 100, max: whole.length - 1 }), fc.integer({ min: 0, max: 7 }));
    fc.assert(
      fc.property(place, ([at, bit]) => {
        writeFileSync(file, flipped(whole, at, bit));
        expect(findChangedPage(file)).toBe(Math.floor(at / PAGE) + 1);
      }),
      { numRuns: rounds(25), examples: [[[100, 0]], [[whole.length - 1, 7]]] },
    );
    writeFileSync(file, flipped(flipped(whole, 9 * PAGE), 5 * PAGE));
    expect(findChangedPage(file)).toBe(6);
  });

  it('find a file that was cut off, or has grown', () => {
    truncateSync(file, whole.length - PAGE);
    expect(findChangedPage(file)).toBe(pages);
    truncateSync(file, whole.length - 1);
    expect(findChangedPage(file)).toBe(pages);
    writeFileSync(file, Buffer.concat([whole, Buffer.alloc(1)]));
    expect(findChangedPage(file)).toBe(pages + 1);
  });

  it('tell nothing when they are damaged themselves, or missing, or there is no file', () => {
    const beside = `${file}.checksums`;
    const written = readFileSync(beside);
    for (const at of [0, 24, 100, written.length - 1]) {
      writeFileSync(beside, flipped(written, at));
      expect(findChangedPage(file)).toBe('unknown');
    }
    for (const length of [0, 3, 104, written.length - 4]) {
      writeFileSync(beside, written.subarray(0, length));
      expect(findChangedPage(file)).toBe('unknown');
    }
    rmSync(beside);
    expect(findChangedPage(file)).toBe('unknown');
    writeFileSync(beside, written);
    rmSync(file);
    expect(findChangedPage(file)).toBe('unknown');
  });

  it('tell nothing of a file that was written since, however little, until they are written again', () => {
    for (let at = 2; at < 5; at++) {
      const store = openStoreFile(file);
      addRun(store, at);
      store.close();
      expect(findChangedPage(file)).toBe('unknown');
    }
    writeChecksums(file);
    expect(findChangedPage(file)).toBe('none');
  });

  it('count only transactions that write', () => {
    const store = openStoreFile(file);
    store.write((writer) => listRuns(writer, 1));
    store.read((reader) => listRuns(reader, 1));
    store.close();
    expect(findChangedPage(file)).toBe('none');
    expect(readFileSync(file).equals(whole)).toBe(true);
  });

  it('take no copy of the store for a damaged file', async () => {
    const store = new Database(file);
    await store.backup(join(folder, 'backup.db'));
    store.exec(`VACUUM INTO '${join(folder, 'vacuumed.db')}'`);
    store.close();
    for (const copy of ['backup.db', 'vacuumed.db']) {
      copyFileSync(join(folder, copy), file);
      expect([copy, findChangedPage(file)]).toEqual([copy, 'unknown']);
    }
    writeFileSync(file, whole);
    expect(findChangedPage(file)).toBe('none');
  });

  it('hold while what a server writes waits in the log, and are not written then', () => {
    const server = openStore(file, { log_mebibytes: 64 });
    for (let at = 2; at < 800; at++) addRun(server.later(), at);
    expect(findChangedPage(file)).toBe('none');
    writeFileSync(file, flipped(whole, 5 * PAGE));
    expect(findChangedPage(file)).toBe(6);
    writeFileSync(file, whole);

    // A reader that has not ended keeps the log from being copied.
    const reader = new Database(file, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM runs').get();
    addRun(server, 800);
    writeChecksums(file);
    expect(findChangedPage(file)).toBe('unknown');
    reader.close();
    writeChecksums(file);
    expect(findChangedPage(file)).toBe('none');
    server.close();
    expect(findChangedPage(file)).toBe('none');
  });

  it('take no page for damaged that a power cut left while the log was copied', () => {
    const store = openStoreFile(file);
    addRun(store, 2);
    const log = readFileSync(`${file}-wal`);
    store.close();
    const copied = readFileSync(file);
    const written = Array.from({ length: pages }, (_, i) => i + 1).filter(
      (page) => !pageOf(copied, page).equals(pageOf(whole, page)),
    );
    expect(written[0]).toBe(1);
    expect(written.length).toBeGreaterThan(1);
    // All but the first had reached the disk.
    const torn = Buffer.from(whole);
    for (const page of written.slice(1)) pageOf(copied, page).copy(torn, (page - 1) * PAGE);
    writeFileSync(file, torn);
    writeFileSync(`${file}-wal`, log);
    expect(findChangedPage(file)).toBe('unknown');
    const other = Array.from({ length: pages }, (_, i) => i + 1).find(
      (page) => !written.includes(page),
    ) as number;
    writeFileSync(file, flipped(torn, other * PAGE - 1));
    expect(findChangedPage(file)).toBe(other);
    writeFileSync(file, torn);
    const opened = openStoreFile(file);
    expect(opened.read((reader) => listRuns(reader, 9)).map((run) => run.started_at)).toEqual([2, 1]);
    opened.close();
    expect(readFileSync(file).equals(copied)).toBe(true);
  });
});

const pageOf = (bytes: Buffer, page: number) => bytes.subarray((page - 1) * PAGE, page * PAGE);
