import { setTimeout as wait } from "node:timers/promises";

/** What is due cannot always be claimed: another process may be at it. */
const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

export interface WorkLoop {
  /** Begins to do what is due and waits as `drain` does; where that goes on already, says that there is more and returns. */
  nudge(withinMs?: number): Promise<void>;
  /** Does what is due. Resolves when nothing is due or under way any more, or after so many milliseconds, while it goes on. */
  drain(withinMs?: number): Promise<void>;
  /** Claims nothing more, tells what is under way to come to an end, and waits for it. */
  stop(): Promise<void>;
}

export interface WorkLoopOptions<Item> {
  claim(): Promise<readonly Item[]>;
  /** Never throws. `isStopping`: it should come to an end soon. */
  work(item: Item, isStopping: () => boolean): Promise<void>;
  /** In how many milliseconds something is due; null: nothing ever. */
  nextIn(): Promise<number | null>;
  /** Told, whenever nothing is left to do, in how many milliseconds there will be. */
  onIdle(nextInMs: number): void;
}

/** Claims work that is due and does each piece beside the others, in one loop, however often it is asked to. */
export function workLoop<Item>({ claim, work, nextIn, onIdle }: WorkLoopOptions<Item>): WorkLoop {
  const underWay = new Set<Promise<void>>();
  let running: Promise<void> | null = null;
  let isLooping = false;
  let isDirty = false;
  let isStopping = false;
  let poke = () => {};

  const start = (item: Item) => {
    const run = work(item, () => isStopping).finally(() => {
      underWay.delete(run);
      isDirty = true;
      poke();
    });
    underWay.add(run);
  };

  const pokedWithin = async (ms: number | null) => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      poke = resolve;
      if (ms !== null) timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  };

  /** Ends in the same turn as its last look at `isDirty`: a drain that comes later begins a new one. */
  const loop = async () => {
    isLooping = true;
    try {
      while (!isStopping) {
        isDirty = false;
        const claimed = await claim();
        for (const item of claimed) start(item);
        if (claimed.length > 0 || isDirty) continue;
        const soonest = await nextIn();
        const nextInMs = soonest === null ? null : Math.min(Math.max(soonest, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
        if (isDirty) continue;
        if (underWay.size === 0) return nextInMs === null ? undefined : onIdle(nextInMs);
        await pokedWithin(nextInMs);
      }
    } finally {
      isLooping = false;
    }
  };

  const drain = async (withinMs = 20_000) => {
    isDirty = true;
    poke();
    if (!isLooping) running = loop();
    const late = new AbortController();
    const timer = wait(withinMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([running, timer]).finally(() => late.abort());
  };

  const nudge = async (withinMs?: number) => {
    if (!isLooping) return await drain(withinMs);
    isDirty = true;
    poke();
  };

  const stop = async () => {
    isStopping = true;
    poke();
    await running?.catch(() => undefined);
    await Promise.all(underWay);
  };
  return { nudge, drain, stop };
}
