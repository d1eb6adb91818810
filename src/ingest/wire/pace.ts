/** Lets callers through one by one, each at least an interval after the one before. */
export class Pace {
  readonly #intervalMs: number;
  readonly #sleep: (ms: number) => Promise<void>;
  #free: Promise<void> = Promise.resolve();

  /** @param sleep rejects when waiting is pointless; then the waiting turns reject too */
  constructor(perSecond: number, sleep: (ms: number) => Promise<void>) {
    this.#intervalMs = 1000 / perSecond;
    this.#sleep = sleep;
  }

  /**
   * Resolves when it is the caller's turn. Reads no clock: the next turn comes an interval after this one, times its
   * weight.
   */
  async turn(weight = 1): Promise<void> {
    // A timer cannot wait less than a millisecond, so a faster pace is not limited.
    if (this.#intervalMs < 1) return;
    const mine = this.#free;
    this.#free = mine.then(() => this.#sleep(this.#intervalMs * weight));
    // Perhaps nobody waits for it; a rejection must not count as unhandled.
    this.#free.catch(() => {});
    await mine;
  }
}
