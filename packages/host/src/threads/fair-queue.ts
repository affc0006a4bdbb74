/**
 * Waiting items by owner. Owners take turns, each with its oldest item, so that an owner with many items holds up only
 * itself.
 */
export class FairQueue<Item> {
  /** In the order of turns; an owner without items is not in it. */
  readonly #ofOwner = new Map<string, Item[]>();
  #size = 0;

  /** The number of waiting items. */
  get size(): number {
    return this.#size;
  }

  /** Returns the number of an owner's waiting items. */
  sizeOf(owner: string): number {
    return this.#ofOwner.get(owner)?.length ?? 0;
  }

  /** Adds an item behind those of its owner. */
  push(owner: string, item: Item): void {
    const items = this.#ofOwner.get(owner);
    this.#size += 1;
    if (items === undefined) this.#ofOwner.set(owner, [item]);
    else items.push(item);
  }

  /** Removes and returns the item whose turn it is; undefined if nothing waits. */
  shift(): Item | undefined {
    const [next] = this.#ofOwner;
    if (next === undefined) return undefined;
    const [owner, items] = next;
    const item = items.shift();
    this.#size -= 1;
    // The owner's next turn comes behind those of all others.
    this.#ofOwner.delete(owner);
    if (items.length > 0) this.#ofOwner.set(owner, items);
    return item;
  }

  /** Removes an item that no longer waits. Returns false if it is not in the queue. */
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
