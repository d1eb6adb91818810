/** The bytes of a long body of ASCII characters, appended piece by piece: text would be copied each time it is joined. */
export class AsciiBody {
  #bytes = Buffer.allocUnsafe(2 ** 20);
  #end = 0;

  add(text: string): void {
    if (this.#end + text.length > this.#bytes.length) {
      const bytes = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#end + text.length));
      this.#bytes.copy(bytes, 0, 0, this.#end);
      this.#bytes = bytes;
    }
    this.#end += this.#bytes.write(text, this.#end, 'latin1');
  }

  /** Appends texts with commas between them. */
  addList(texts: Iterable<string>): void {
    let isFirst = true;
    for (const text of texts) {
      if (!isFirst) this.add(',');
      this.add(text);
      isFirst = false;
    }
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }
}
