import { crc32 } from 'node:zlib';
import { ForemarkError } from '../../model/errors.ts';
import type { ClockedKind, Reader, RowKind, Value, Values } from '../store.ts';

const CLOCKED: ReadonlySet<RowKind> = new Set<ClockedKind>(['day', 'membership', 'clock']);

/** The checksum that stands for a row. A collision may cause an answer to be remade needlessly, but hides no change. */
export function rowChecksum(kind: RowKind, id: string | number): number {
  return crc32(`${kind} ${id}`);
}

/**
 * A reader that records the rows an answer is made from. It refuses reads outside of {@link Reader.reading}, so that no
 * answer can depend on data whose changes are not tracked.
 */
export class TrackedReader implements Reader {
  readonly #reader: Reader;
  readonly #rows = new Set<number>();
  readonly #kinds: RowKind[] = [];

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Checksums of the rows read since the last call, in the order in which they were first read. */
  takeRows(): Uint32Array {
    const rows = Uint32Array.from(this.#rows);
    this.#rows.clear();
    return rows;
  }

  /** Whether the current read is of a kind that also changes as time passes. */
  get mayReadClock(): boolean {
    const kind = this.#kinds.at(-1);
    return kind !== undefined && CLOCKED.has(kind);
  }

  reading<T>(kind: RowKind, id: string | number, work: () => T): T {
    this.#rows.add(rowChecksum(kind, id));
    this.#kinds.push(kind);
    try {
      return work();
    } finally {
      this.#kinds.pop();
    }
  }

  all<Row>(sql: string, ...values: Values): Row[] {
    return this.#watched(sql).all(sql, ...values);
  }

  get<Row>(sql: string, ...values: Values): Row | undefined {
    return this.#watched(sql).get(sql, ...values);
  }

  iterate<Row>(sql: string, ...values: Values): IterableIterator<Row> {
    return this.#watched(sql).iterate(sql, ...values);
  }

  value<T extends Value>(sql: string, ...values: Values): T | undefined {
    return this.#watched(sql).value(sql, ...values);
  }

  column<T extends Value>(sql: string, ...values: Values): T[] {
    return this.#watched(sql).column(sql, ...values);
  }

  once<T>(name: string, work: () => T): T {
    return this.#watched(name).once(name, work);
  }

  untilWritten<T>(name: string, work: () => T): T {
    return this.#watched(name).untilWritten(name, work);
  }

  #watched(what: string): Reader {
    if (this.#kinds.length > 0) return this.#reader;
    throw new ForemarkError('internal_error', 'a document was made from rows whose changes are not tracked', {
      detail: what,
    });
  }
}
