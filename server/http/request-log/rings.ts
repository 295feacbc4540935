/** So many times what is left free may one owner hold: alone seven eighths of everything, two 7/15 each, and there is always room for another. */
const SHARE = 7;

export interface RingsOptions<T> {
  /** Items, of all owners together. */
  capacity: number;
  /** The same for the sum of their weights. */
  mostWeight: number;
  weightOf(item: T): number;
  /** Hears of every item that finds no room, or had to make room for a newer one of the same owner. */
  onLoss(item: T): void;
}

export interface Rings<T> {
  /** Whether so much more weight of an owner fits. */
  hasRoom(owner: string, weight: number): boolean;
  /** Adds one. An owner whose share is full (or who holds `most`) loses their own oldest, never another's. */
  add(owner: string, item: T, most?: number): void;
  /** Takes out at most `count`: of each owner the oldest first, of several a share of each. */
  take(count: number): T[];
  readonly size: number;
  readonly weight: number;
}

/** Makes a ring for each owner, over one bounded store. */
export function rings<T>({ capacity, mostWeight, weightOf, onLoss }: RingsOptions<T>): Rings<T> {
  const owners = new Map<string, Owned<T>>();
  let size = 0;
  let weight = 0;

  function ownedBy(owner: string): Owned<T> {
    const known = owners.get(owner);
    if (known) return known;
    const owned: Owned<T> = { weight: 0, items: new Ring<T>(capacity, (item) => left(owned, item)) };
    owners.set(owner, owned);
    return owned;
  }

  function left(owned: Owned<T>, item: T): void {
    size -= 1;
    weight -= weightOf(item);
    owned.weight -= weightOf(item);
  }

  function isFull({ items }: Owned<T>, most: number): boolean {
    return items.size >= Math.min(most, SHARE * (capacity - size));
  }

  return {
    hasRoom(owner, more) {
      return (owners.get(owner)?.weight ?? 0) + more <= SHARE * (mostWeight - weight - more);
    },
    add(owner, item, most = capacity) {
      const owned = ownedBy(owner);
      // Two for one: an owner that alone held much gives way to others as fast as they come.
      for (let i = 0; i < 2 && isFull(owned, most); i += 1) owned.items.take(1).forEach(onLoss);
      if (isFull(owned, most)) {
        if (owned.items.size === 0) owners.delete(owner);
        onLoss(item);
        return;
      }
      owned.items.add(item);
      owned.weight += weightOf(item);
      size += 1;
      weight += weightOf(item);
    },
    take(count) {
      const taken: T[] = [];
      while (size > 0 && taken.length < count) {
        const share = Math.max(1, Math.floor((count - taken.length) / owners.size));
        for (const [owner, { items }] of [...owners]) {
          taken.push(...items.take(Math.min(share, count - taken.length)));
          const owned = owners.get(owner);
          owners.delete(owner);
          if (owned && items.size > 0) owners.set(owner, owned); // the last to be asked next time
          if (taken.length === count) break;
        }
      }
      return taken;
    },
    get size() {
      return size;
    },
    get weight() {
      return weight;
    },
  };
}

interface Owned<T> {
  items: Ring<T>;
  weight: number;
}

/** What is kept in the order in which it came, up to so many. A class: V8 makes a shape for each object literal with a getter (ADR 81). */
export class Ring<T> {
  private readonly slots: (T | undefined)[] = [];
  private head = 0;
  private held = 0;
  private lost = 0;

  /** `onLeave` hears of every item that is taken or lost. */
  constructor(
    private readonly capacity: number,
    private readonly onLeave: (item: T) => void = () => undefined,
  ) {}

  /** Adds one; a full ring loses its oldest. */
  add(item: T): void {
    if (this.held === this.capacity) {
      this.shift();
      this.lost += 1;
    }
    this.slots[(this.head + this.held) % this.capacity] = item;
    this.held += 1;
  }

  /** Takes out at most `count`, oldest first. */
  take(count: number): T[] {
    const taken: T[] = [];
    while (this.held > 0 && taken.length < count) {
      const item = this.shift();
      if (item !== undefined) taken.push(item);
    }
    return taken;
  }

  get size(): number {
    return this.held;
  }

  /** How many have been lost since the start. */
  get dropped(): number {
    return this.lost;
  }

  private shift(): T | undefined {
    const item = this.slots[this.head];
    this.slots[this.head] = undefined;
    this.head = (this.head + 1) % this.capacity;
    this.held -= 1;
    if (item !== undefined) this.onLeave(item);
    return item;
  }
}
