/** Lets callers through one after the other, each at least an interval after the one before. */
export class Pace {
  readonly #intervalMs: number;
  readonly #sleep: (ms: number) => Promise<void>;
  #free: Promise<void> = Promise.resolve();

  /** @param sleep rejects when there is no use in waiting any more: then no turn comes */
  constructor(perSecond: number, sleep: (ms: number) => Promise<void>) {
    this.#intervalMs = 1000 / perSecond;
    this.#sleep = sleep;
  }

  /**
   * Resolves when it is the caller's turn. Reads no clock: the next turn opens an interval after this one, or
   * as many of them as the turn weighs.
   */
  async turn(weight = 1): Promise<void> {
    // A timer cannot wait less than a millisecond; a faster pace is no pace.
    if (this.#intervalMs < 1) return;
    const mine = this.#free;
    this.#free = mine.then(() => this.#sleep(this.#intervalMs * weight));
    // Nobody may be waiting for it.
    this.#free.catch(() => {});
    await mine;
  }
}
