export type Scored = [text: number, score: number];

/** Whether a text comes before another of the same score. */
export type TieOrder = (text: number, other: number) => boolean;

/** The highest score first. */
export function byScore(isBefore: TieOrder): (a: Scored, b: Scored) => number {
  return (a, b) => b[1] - a[1] || (isBefore(a[0], b[0]) ? -1 : 1);
}

/** Keeps the texts with the highest scores, in a heap with the lowest on top. */
export class Best {
  readonly #most: number;
  readonly #isBefore: TieOrder;
  readonly #texts: number[] = [];
  readonly #scores: number[] = [];

  constructor(most: number, isBefore: TieOrder) {
    this.#most = most;
    this.#isBefore = isBefore;
  }

  /** The lowest score kept; minus infinity while there is room. */
  least(): number {
    return this.#texts.length < this.#most ? Number.NEGATIVE_INFINITY : (this.#scores[0] as number);
  }

  texts(): readonly number[] {
    return this.#texts;
  }

  ranked(): Scored[] {
    return this.#texts
      .map((text, i): Scored => [text, this.#scores[i] as number])
      .sort(byScore(this.#isBefore));
  }

  offer(text: number, score: number): void {
    if (this.#texts.length < this.#most) {
      let i = this.#texts.push(text) - 1;
      this.#scores.push(score);
      while (i > 0) {
        const parent = (i - 1) >> 1;
        if (!this.#below(i, parent)) break;
        this.#swap(i, parent);
        i = parent;
      }
    } else if (
      score > (this.#scores[0] as number) ||
      (score === this.#scores[0] && this.#isBefore(text, this.#texts[0] as number))
    ) {
      this.#texts[0] = text;
      this.#scores[0] = score;
      this.#sink();
    }
  }

  #sink(): void {
    for (let i = 0; ; ) {
      let low = i;
      for (const child of [2 * i + 1, 2 * i + 2])
        if (child < this.#texts.length && this.#below(child, low)) low = child;
      if (low === i) return;
      this.#swap(i, low);
      i = low;
    }
  }

  #below(a: number, b: number): boolean {
    const difference = (this.#scores[a] as number) - (this.#scores[b] as number);
    return (
      difference < 0 ||
      (difference === 0 && this.#isBefore(this.#texts[b] as number, this.#texts[a] as number))
    );
  }

  #swap(a: number, b: number): void {
    const text = this.#texts[a] as number;
    const score = this.#scores[a] as number;
    this.#texts[a] = this.#texts[b] as number;
    this.#scores[a] = this.#scores[b] as number;
    this.#texts[b] = text;
    this.#scores[b] = score;
  }
}
