/**
 * A text that is read in passes: what one pass has understood is blanked, so that the next does not read the
 * year of a date as a number. Positions stay.
 */
export class Page {
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** What nobody has taken yet, blanks in the place of the rest. */
  get left(): string {
    return this.#text;
  }

  /**
   * Hands every match to `read`, with what stands before it, and blanks those that it takes.
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

  /** Blanks a stretch. */
  blank(start: number, end: number): void {
    this.#text = this.#text.slice(0, start) + ' '.repeat(end - start) + this.#text.slice(end);
  }
}
