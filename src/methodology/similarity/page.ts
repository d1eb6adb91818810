/**
 * A text that is read in several passes. What one pass has understood is blanked, so that the next does not, for
 * example, read the year of a date as a number. Positions do not change.
 */
export class Page {
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The text not read yet, with blanks in place of the rest. */
  get left(): string {
    return this.#text;
  }

  /**
   * Passes every match to `read`, with up to 24 characters before it, and blanks the match if `read` returns true.
   *
   * @param pattern global
   */
  take(pattern: RegExp, read: (parts: (string | undefined)[], preceding: string) => boolean): void {
    for (const match of this.#text.matchAll(pattern)) {
      const [whole, ...parts] = match;
      const start = match.index;
      if (read(parts, this.#text.slice(Math.max(0, start - 24), start)))
        this.blank(start, start + whole.length);
    }
  }

  /** Blanks a range of characters. */
  blank(start: number, end: number): void {
    this.#text = this.#text.slice(0, start) + ' '.repeat(end - start) + this.#text.slice(end);
  }
}
