import { crc32 } from 'node:zlib';
import { ForemarkError } from '../../model/errors.ts';
import type { ClockedKind, Reader, RowKind, Value } from '../store.ts';

const CLOCKED: ReadonlySet<RowKind> = new Set<ClockedKind>(['day', 'membership', 'clock']);

type Values = Parameters<Reader['all']> extends [string, ...infer Rest] ? Rest : never;

/** The checksum by which a row is remembered. Two rows with one checksum cost an answer too many, never one too few. */
export function rowChecksum(kind: RowKind, id: string | number): number {
  return crc32(`${kind} ${id}`);
}

/**
 * A reader that remembers the rows an answer is made from, and reads nothing else: what is asked of it outside of
 * {@link Reader.reading} is refused, so that no answer can depend on what nobody watches.
 */
export class TrackedReader implements Reader {
  readonly #reader: Reader;
  readonly #rows = new Set<number>();
  readonly #kinds: RowKind[] = [];

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Checksums of the rows that were read since this was asked last, in the order in which they were first read. */
  takeRows(): Uint32Array {
    const rows = Uint32Array.from(this.#rows);
    this.#rows.clear();
    return rows;
  }

  /** Whether what is being read is told also as time passes. */
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
    throw new ForemarkError('internal_error', 'a document was answered from what nobody watches', {
      detail: what,
    });
  }
}
