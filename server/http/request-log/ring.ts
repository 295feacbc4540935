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
