/** Makes a column of numbers; what stands in it at first is not told. */
export type MakeColumn = (length: number) => Float64Array;

/** A column of its own. */
export const ownColumn: MakeColumn = (length) => new Float64Array(length);

const SLAB_BYTES = 2 ** 20;

/**
 * Room for columns that are wanted together and no longer, as those of a window are. Columns that are dropped one by one
 * wait for V8 to look through all that has grown old, which it does once they take some 64 MB.
 */
export class ColumnRoom {
  readonly #slabs: ArrayBuffer[] = [];
  /** The place of the slab that is being filled, and how far it is. */
  #slab = 0;
  #end = 0;

  /** A column that stands until {@link clear}. */
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

  /** Gives all columns back: what is written into the next ones stands in them too. */
  clear(): void {
    this.#slab = 0;
    this.#end = 0;
  }
}
