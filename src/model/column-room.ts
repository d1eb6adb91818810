/** Allocates a column of numbers. Its initial content is undefined. */
export type MakeColumn = (length: number) => Float64Array;

/** Allocates a separate array. */
export const ownColumn: MakeColumn = (length) => new Float64Array(length);

const SLAB_BYTES = 2 ** 20;

/**
 * Allocates columns that are released together, such as those of a window, from reusable memory. Separate arrays would
 * be freed only when V8 collects its old generation, once they take some 64 MB.
 */
export class ColumnRoom {
  readonly #slabs: ArrayBuffer[] = [];
  /** Position of the slab being filled, and the number of bytes used in it. */
  #slab = 0;
  #end = 0;

  /** Allocates a column that is valid until {@link clear}. Large ones are separate arrays. */
  readonly column: MakeColumn = (length) => {
    const bytes = length * Float64Array.BYTES_PER_ELEMENT;
    if (bytes > SLAB_BYTES) return ownColumn(length);
    if (this.#end + bytes > SLAB_BYTES) {
      this.#slab++;
      this.#end = 0;
    }
    const slab = this.#slabs[this.#slab] ?? new ArrayBuffer(SLAB_BYTES);
    this.#slabs[this.#slab] = slab;
    const column = new Float64Array(slab, this.#end, length);
    this.#end += bytes;
    return column;
  };

  /** Releases all columns. Columns allocated later will overwrite them. */
  clear(): void {
    this.#slab = 0;
    this.#end = 0;
  }
}
