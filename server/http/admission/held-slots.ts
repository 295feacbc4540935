import type { QueueSlot, Timing } from "@/server/http/admission/queue";

export interface HeldSlots {
  /** Notes that a slot is held from now on. `overdue` is called before it is taken away. */
  begin(slot: QueueSlot, overdue: () => void): void;
  /** Gives whether it was held until now. */
  end(slot: QueueSlot): boolean;
  /** For how long the oldest has been held, in milliseconds. */
  longest(): number;
}

/** Takes a slot from whoever holds it longer than `most` milliseconds: what goes on there so long must not stop everybody else. */
export function heldSlots(most: number, { monotonic, after }: Timing): HeldSlots {
  // In the order of their coming: the oldest is the first.
  const held = new Map<QueueSlot, { since: number; overdue(): void }>();
  let isWatching = false;

  function watch(): void {
    const [oldest] = held.values();
    if (isWatching || !oldest) return;
    isWatching = true;
    after(Math.max(1, oldest.since + most - monotonic()), () => {
      isWatching = false;
      for (const [slot, { since, overdue }] of held) {
        if (monotonic() - since < most) break;
        overdue();
        slot.leave();
      }
      watch();
    });
  }

  return {
    begin(slot, overdue) {
      held.set(slot, { since: monotonic(), overdue });
      watch();
    },
    end: (slot) => held.delete(slot),
    longest() {
      const [oldest] = held.values();
      return oldest ? monotonic() - oldest.since : 0;
    },
  };
}
