import { getOrInsert } from '../../model/memoized.ts';

/** A queue in which askers take turns: one with many items does not keep the others waiting for all of them. */
export class FairQueue<Item> {
  readonly #byAsker = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(asker: string, item: Item): void {
    getOrInsert(this.#byAsker, asker, () => []).push(item);
    this.#size++;
  }

  /** Takes the next item of the asker whose turn it is; that asker then goes last. */
  next(): Item | undefined {
    const [first] = this.#byAsker;
    if (!first) return undefined;
    const [asker, items] = first;
    const item = items.shift();
    this.#byAsker.delete(asker);
    if (items.length > 0) this.#byAsker.set(asker, items);
    this.#size--;
    return item;
  }

  /** Removes an item that was given up. */
  remove(asker: string, item: Item): void {
    const items = this.#byAsker.get(asker) ?? [];
    const at = items.indexOf(item);
    if (at < 0) return;
    items.splice(at, 1);
    if (items.length === 0) this.#byAsker.delete(asker);
    this.#size--;
  }

  /** Removes the newest item of the asker with the most, to make room; undefined if nobody has more than `asker`. */
  makeRoom(asker: string): Item | undefined {
    let most = this.#byAsker.get(asker) ?? [];
    for (const items of this.#byAsker.values()) if (items.length > most.length) most = items;
    // With more than another, an asker has at least two: the list is not emptied.
    if (most.length < 2 || most === this.#byAsker.get(asker)) return undefined;
    this.#size--;
    return most.pop();
  }

  clear(): Item[] {
    const all = [...this.#byAsker.values()].flat();
    this.#byAsker.clear();
    this.#size = 0;
    return all;
  }
}
