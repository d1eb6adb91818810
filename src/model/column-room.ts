/** Allocates a column of numbers. Its initial content is undefined. */
export type MakeColumn = (length: number) => Float64Array;

/** Allocates columns. */
export interface Columns {
  readonly column: MakeColumn;
  /** Allocates a column of small codes, all 0. */
  readonly codes: (length: number) => Uint8Array;
}

/** Allocates separate arrays. */
export const ownColumns: Columns = {
  column: (length) => new Float64Array(length),
  codes: (length) => new Uint8Array(length),
};

const SLAB_BYTES = 2 ** 20;

/**
 * Allocates columns that are released together, such as those of a window, from reusable memory. Separate arrays would
 * be freed only when V8 collects its old generation, once they take some 64 MB.
 */
export class ColumnRoom implements Columns {
  readonly #slabs: ArrayBuffer[] = [];
  /** Position of the slab being filled, and the number of bytes used in it. */
  #slab = 0;
  #end = 0;

  /** Allocates a column that is valid until {@link clear}. Large ones are separate arrays. */
  readonly column: MakeColumn = (length) => {
    const from = this.#take(length * Float64Array.BYTES_PER_ELEMENT);
    return from ? new Float64Array(from.slab, from.start, length) : ownColumns.column(length);
  };

  readonly codes = (length: number): Uint8Array => {
    const from = this.#take(length);
    return from ? new Uint8Array(from.slab, from.start, length).fill(0) : ownColumns.codes(length);
  };

  /** Allocates places in other columns, as {@link column} does. */
  readonly places = (length: number): Uint32Array => {
    const from = this.#take(length * Uint32Array.BYTES_PER_ELEMENT);
    return from ? new Uint32Array(from.slab, from.start, length) : new Uint32Array(length);
  };

  /** Releases all columns. Columns allocated later will overwrite them. */
  clear(): void {
    this.#slab = 0;
    this.#end = 0;
  }

  /** Takes some bytes at the start of a double; undefined if they are more than a slab has. */
  #take(length: number): { slab: ArrayBuffer; start: number } | undefined {
    const bytes = Math.ceil(length / Float64Array.BYTES_PER_ELEMENT) * Float64Array.BYTES_PER_ELEMENT;
    if (bytes > SLAB_BYTES) return undefined;
    if (this.#end + bytes > SLAB_BYTES) {
      this.#slab++;
      this.#end = 0;
    }
    const slab = this.#slabs[this.#slab] ?? new ArrayBuffer(SLAB_BYTES);
    this.#slabs[this.#slab] = slab;
    const start = this.#end;
    this.#end += bytes;
    return { slab, start };
  }
}
