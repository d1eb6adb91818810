import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';

/**
 * Beside a store, `<store>.checksums` holds the CRC-32 of each page of its file as the last run left them: SQLite checks
 * how a page is built, but not what it holds. They say nothing about a file that was written since, which its header
 * tells, because each transaction counts itself there (`application_id`).
 *
 * These functions read the file itself. The process must not be connected to it: closing any descriptor of a file
 * releases all the locks that the process holds on it.
 */
interface Checksums {
  /** The first bytes of the file. */
  header: Buffer;
  pages: Uint32Array;
}

/** Up to this size, in bytes, a file has checksums. Reading it takes up to a second. */
const LARGEST = 2 ** 30;

const HEADER_BYTES = 100;

/** Read at once: a multiple of each possible page size. */
const PART_BYTES = 2 ** 22;

/**
 * Compares a store's file with its checksums.
 *
 * @returns the number of the first page that changed without a transaction, from 1; `none`; or `unknown` where the file
 *   was written since, or has no checksums
 */
export function findChangedPage(path: string): number | 'none' | 'unknown' {
  try {
    return firstChanged(path);
  } catch {
    // SQLite, which reads the file next, explains why it cannot be read.
    return 'unknown';
  }
}

function firstChanged(path: string): number | 'none' | 'unknown' {
  const left = readChecksums(path);
  const found = left && checksumsOf(path, (header) => header.equals(left.header));
  if (!found) return 'unknown';
  const changed: number[] = [];
  for (let i = 0; i < Math.max(found.pages.length, left.pages.length); i++)
    if (found.pages[i] !== left.pages[i]) changed.push(i + 1);
  if (changed.length === 0) return 'none';
  // A power cut while the log is copied into the file may leave some of its pages there; all are copied once more.
  const logged = pagesInLog(path);
  return changed.find((page) => !logged.has(page)) ?? 'unknown';
}

/**
 * Writes the checksums of a store's file, for the next command. There are none where that is not possible: on a full
 * disk, or while what a server wrote waits in the log.
 */
export function writeChecksums(path: string): void {
  try {
    const connection = new Database(path, { fileMustExist: true, timeout: 200 });
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.close();
    const checksums = checksumsOf(path, () => pagesInLog(path).size === 0);
    if (!checksums) return;
    const content = Buffer.concat([checksums.header, Buffer.from(checksums.pages.buffer)]);
    writeFileSync(fileOf(path), Buffer.concat([content, checksumOf(content)]));
  } catch {
    // For instance a full disk.
  }
}

/** For a file that may be replaced by another one before its checksums are written again. */
export function removeChecksums(path: string): void {
  rmSync(fileOf(path), { force: true });
}

const fileOf = (path: string) => `${path}.checksums`;

const checksumOf = (content: Buffer) => Buffer.from(Uint32Array.of(crc32(content)).buffer);

/** What {@link writeChecksums} wrote; undefined where there is nothing, or where that changed itself. */
function readChecksums(path: string): Checksums | undefined {
  if (!existsSync(fileOf(path))) return undefined;
  const bytes = readFileSync(fileOf(path));
  const content = bytes.subarray(0, -4);
  if (!checksumOf(content).equals(bytes.subarray(-4))) return undefined;
  const pages = Uint8Array.from(content.subarray(HEADER_BYTES));
  return { header: content.subarray(0, HEADER_BYTES), pages: new Uint32Array(pages.buffer) };
}

/**
 * Reads a store's file if its header, read first, is as wanted. The log is copied into the file in the order of the
 * pages, and every transaction writes the first: a header that stays the same tells that nothing was copied meanwhile.
 *
 * @returns undefined where the header is not wanted or changes, and for a file that is too large
 */
function checksumsOf(path: string, isWanted: (header: Buffer) => boolean): Checksums | undefined {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const header = readPart(file, 0, HEADER_BYTES);
    if (size > LARGEST || !isWanted(header)) return undefined;
    const pages = pageChecksums(file, size, pageSizeOf(header));
    return readPart(file, 0, HEADER_BYTES).equals(header) ? { header, pages } : undefined;
  } finally {
    closeSync(file);
  }
}

function pageChecksums(file: number, size: number, page: number): Uint32Array {
  const checksums = new Uint32Array(Math.ceil(size / page));
  const part = Buffer.allocUnsafe(PART_BYTES);
  let i = 0;
  for (let at = 0; at < size; at += PART_BYTES) {
    const bytes = readSync(file, part, 0, PART_BYTES, at);
    for (let begin = 0; begin < bytes; begin += page)
      checksums[i++] = crc32(part.subarray(begin, Math.min(begin + page, bytes)));
  }
  return checksums;
}

/** The pages in the write-ahead log. Its format: https://sqlite.org/fileformat2.html#walformat */
function pagesInLog(path: string): Set<number> {
  const pages = new Set<number>();
  if (!existsSync(`${path}-wal`)) return pages;
  const log = openSync(`${path}-wal`, 'r');
  try {
    const header = readPart(log, 0, 32);
    for (let at = 32; header.length === 32; at += 24 + header.readUInt32BE(8)) {
      const frame = readPart(log, at, 24);
      if (frame.length < 24) break;
      pages.add(frame.readUInt32BE(0));
    }
    return pages;
  } finally {
    closeSync(log);
  }
}

/** The largest size, 65,536, does not fit into the field and stands there as 1. */
function pageSizeOf(header: Buffer): number {
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

/** Shorter at the end of the file. */
function readPart(file: number, at: number, bytes: number): Buffer {
  const part = Buffer.alloc(bytes);
  return part.subarray(0, readSync(file, part, 0, bytes, at));
}
