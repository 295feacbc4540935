export interface Ring<T> {
  /** Adds one; a full ring loses its oldest. */
  add(item: T): void;
  /** Takes out at most `count`, oldest first. */
  take(count: number): T[];
  readonly size: number;
  /** How many have been lost since the start. */
  readonly dropped: number;
}

/** `onLeave` hears of every item that is taken or lost. */
export function ring<T>(capacity: number, onLeave: (item: T) => void = () => undefined): Ring<T> {
  const slots: (T | undefined)[] = [];
  let head = 0;
  let size = 0;
  let dropped = 0;

  function shift(): T | undefined {
    const item = slots[head];
    slots[head] = undefined;
    head = (head + 1) % capacity;
    size -= 1;
    if (item !== undefined) onLeave(item);
    return item;
  }

  return {
    add(item) {
      if (size === capacity) {
        shift();
        dropped += 1;
      }
      slots[(head + size) % capacity] = item;
      size += 1;
    },
    take(count) {
      const taken: T[] = [];
      while (size > 0 && taken.length < count) {
        const item = shift();
        if (item !== undefined) taken.push(item);
      }
      return taken;
    },
    get size() {
      return size;
    },
    get dropped() {
      return dropped;
    },
  };
}
