import type { EventField, JobEvent, JobFunction } from "@/server/jobs/job-function";

/** Says which runs may begin, as their functions declare it. */
export interface Flow {
  /** Begins the run of an event, now or when one that is in its way is over. */
  admit(one: JobFunction, event: JobEvent, run: () => Promise<void>): void;
}

interface Waiting {
  one: JobFunction;
  event: JobEvent;
  run: () => Promise<void>;
}

/** Creates the flow control of the functions of an engine. */
export function openFlow(): Flow {
  /** Runs by the slot that they hold. */
  const held = new Map<string, number>();
  let waiting: Waiting[] = [];

  const hold = (slots: readonly Slot[], by: 1 | -1) => {
    for (const { name } of slots) held.set(name, (held.get(name) ?? 0) + by);
  };
  const isFree = ({ name, limit }: Slot) => (held.get(name) ?? 0) < limit;
  const begin = ({ one, event, run }: Waiting) => {
    const slots = slotsOf(one, event);
    hold(slots, 1);
    void run().finally(() => {
      hold(slots, -1);
      const all = waiting;
      waiting = [];
      for (const other of all) admit(other.one, other.event, other.run);
    });
  };
  const admit: Flow["admit"] = (one, event, run) => {
    const slots = slotsOf(one, event);
    if (slots.every(isFree)) return begin({ one, event, run });
    const single = singleOf(one, event);
    // Beside an Inngest server an event that is skipped is announced again while its work is due. Here one more run looks for it.
    const isSkipped = single && waiting.some((other) => singleOf(other.one, other.event)?.name === single.name);
    if (!isSkipped) waiting.push({ one, event, run });
  };
  return { admit };
}

interface Slot {
  name: string;
  limit: number;
}

function slotsOf(one: JobFunction, event: JobEvent): Slot[] {
  const single = singleOf(one, event);
  const limits = (one.concurrency ?? []).map(({ key, limit }) => ({ name: `limit ${named(one, event, key)}`, limit }));
  return single ? [single, ...limits] : limits;
}

function singleOf(one: JobFunction, event: JobEvent): Slot | undefined {
  if (!one.singleton) return undefined;
  return { name: `single ${named(one, event, one.singleton.key)}`, limit: 1 };
}

function named({ id }: JobFunction, { data }: JobEvent, key: EventField | undefined): string {
  return key === undefined ? id : `${id} ${String(data?.[key.slice("event.data.".length)])}`;
}
