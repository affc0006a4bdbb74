/** What waits, by owner. Owners take turns, each with the oldest of its own, so that one who asks a lot holds up only itself. */
export class FairQueue<Item> {
  /** In the order of their turns; an owner without items is not in it. */
  readonly #ofOwner = new Map<string, Item[]>();
  #size = 0;

  /** How many items wait. */
  get size(): number {
    return this.#size;
  }

  /** How many items of an owner wait. */
  sizeOf(owner: string): number {
    return this.#ofOwner.get(owner)?.length ?? 0;
  }

  push(owner: string, item: Item): void {
    const items = this.#ofOwner.get(owner);
    this.#size += 1;
    if (items === undefined) this.#ofOwner.set(owner, [item]);
    else items.push(item);
  }

  /** Takes out the item whose turn it is; undefined where nothing waits. */
  shift(): Item | undefined {
    const [next] = this.#ofOwner;
    if (next === undefined) return undefined;
    const [owner, items] = next;
    const item = items.shift();
    this.#size -= 1;
    // Its next turn comes behind those of all others.
    this.#ofOwner.delete(owner);
    if (items.length > 0) this.#ofOwner.set(owner, items);
    return item;
  }

  /** Takes out an item that no longer waits. Returns false for one that is not there. */
  remove(owner: string, item: Item): boolean {
    const items = this.#ofOwner.get(owner) ?? [];
    const index = items.indexOf(item);
    if (index < 0) return false;
    items.splice(index, 1);
    this.#size -= 1;
    if (items.length === 0) this.#ofOwner.delete(owner);
    return true;
  }
}
