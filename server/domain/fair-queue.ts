/**
 * Items that wait for their turn, each for an owner: turns rotate among owners with items waiting, and nobody can fill
 * the queue.
 */
export interface FairQueue<Item> {
  /**
   * Adds an item to its owner's queue. If all are full, drops and returns the newest item of the owner with the most,
   * which is the new item itself when nobody has more waiting.
   */
  push(owner: string, item: Item): Item | undefined;
  /** Removes the oldest item of the owner whose turn it is. */
  shift(): Item | undefined;
  readonly size: number;
}

export function fairQueue<Item>(most: number): FairQueue<Item> {
  // In the order of turns: an owner moves to the end after its turn.
  const waiting = new Map<string, Item[]>();
  let size = 0;

  const dropNewestOf = (owner: string): Item | undefined => {
    const items = waiting.get(owner) ?? [];
    const dropped = items.pop();
    if (items.length === 0) waiting.delete(owner);
    size -= 1;
    return dropped;
  };

  return {
    push(owner, item) {
      const own = waiting.get(owner);
      if (own) own.push(item);
      else waiting.set(owner, [item]);
      size += 1;
      if (size <= most) return undefined;
      let greediest = owner;
      for (const [other, items] of waiting) {
        if (items.length > (waiting.get(greediest)?.length ?? 0)) greediest = other;
      }
      return dropNewestOf(greediest);
    },
    shift() {
      const [next] = waiting;
      if (!next) return undefined;
      const [owner, items] = next;
      const item = items.shift();
      waiting.delete(owner);
      if (items.length > 0) waiting.set(owner, items);
      size -= 1;
      return item;
    },
    get size() {
      return size;
    },
  };
}
