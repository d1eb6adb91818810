/** What waits, by who asked for it: askers take turns, so that one who asks for much keeps nobody else waiting for all of it. */
export class Turns<Item> {
  readonly #byAsker = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(asker: string, item: Item): void {
    const items = this.#byAsker.get(asker);
    if (items) items.push(item);
    else this.#byAsker.set(asker, [item]);
    this.#size++;
  }

  /** Takes out the first of the asker whose turn it is, who then comes last. */
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

  /** Takes out one that waits no longer. */
  remove(asker: string, item: Item): void {
    const items = this.#byAsker.get(asker) ?? [];
    const at = items.indexOf(item);
    if (at < 0) return;
    items.splice(at, 1);
    if (items.length === 0) this.#byAsker.delete(asker);
    this.#size--;
  }

  /** Takes out the last of who has most, to make room; undefined where nobody has more than the asker. */
  makeRoom(asker: string): Item | undefined {
    let most = this.#byAsker.get(asker) ?? [];
    for (const items of this.#byAsker.values()) if (items.length > most.length) most = items;
    // Whoever has more than another has two at least: the list does not become empty.
    if (most.length < 2 || most === this.#byAsker.get(asker)) return undefined;
    this.#size--;
    return most.pop();
  }

  /** Takes out all. */
  clear(): Item[] {
    const all = [...this.#byAsker.values()].flat();
    this.#byAsker.clear();
    this.#size = 0;
    return all;
  }
}
