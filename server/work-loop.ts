import { setTimeout as wait } from "node:timers/promises";

const LONGEST_WAIT_MS = 60_000;

export interface WorkLoop {
  /** As `nudge`, and waits for nothing. When it cannot be done, the sweep finds the work and says why. */
  wake(): void;
  /** Starts due work and waits as `drain` does. If the loop is already running, it only marks that there is more and returns. */
  nudge(withinMs?: number): Promise<void>;
  /** Does the due work. Resolves when nothing is due or in progress, or after this many milliseconds while the work continues. */
  drain(withinMs?: number): Promise<void>;
  /** Claims nothing more, asks the work in progress to finish, and waits for it. */
  stop(): Promise<void>;
}

export interface WorkLoopOptions<Item> {
  /** `isFirst`: the loop has just begun. `inProgress`: how many items are being worked on. */
  claim(state: { isFirst: boolean; inProgress: number }): Promise<readonly Item[]>;
  /** Never throws. `isStopping`: the work should finish soon. */
  work(item: Item, isStopping: () => boolean): Promise<void>;
  /** In how many milliseconds work is due. Null: never. */
  nextIn(): Promise<number | null>;
  /** The least wait for work that is due, in milliseconds: it cannot always be claimed, because another process may have it. */
  shortestWaitMs: number;
  /** Called when nothing is left to do, with the milliseconds until work is due, `shortestWaitMs` at least. */
  onIdle(nextInMs: number): void;
}

/** Claims due work and runs the items concurrently, in one loop, however often it is nudged. */
export function workLoop<Item>({ claim, work, nextIn, shortestWaitMs, onIdle }: WorkLoopOptions<Item>): WorkLoop {
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
      if (ms !== null) timer = setTimeout(resolve, Math.min(Math.max(ms, shortestWaitMs), LONGEST_WAIT_MS));
    });
    clearTimeout(timer);
  };

  /** Ends in the same tick as its last check of `isDirty`, so that a later drain starts a new loop. */
  const loop = async () => {
    isLooping = true;
    try {
      for (let isFirst = true; !isStopping; isFirst = false) {
        isDirty = false;
        const claimed = await claim({ isFirst, inProgress: underWay.size });
        for (const item of claimed) start(item);
        if (claimed.length > 0 || isDirty) continue;
        const nextInMs = await nextIn();
        if (isDirty) continue;
        if (underWay.size === 0) return nextInMs === null ? undefined : onIdle(Math.max(nextInMs, shortestWaitMs));
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

  const wake = () => void nudge(0).catch(() => undefined);

  const stop = async () => {
    isStopping = true;
    poke();
    await running?.catch(() => undefined);
    await Promise.all(underWay);
  };
  return { wake, nudge, drain, stop };
}
