import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";

const LONGEST_WAIT_MS = 60_000;
/** While a pass holds a key other processes may not look for its work, so this one does. */
const LOOK_MS = 500;
/** The most subjects of a tally that are named. */
const MOST_SUBJECTS = 50;
const OTHERS = "others";

/** The keys whose work may be claimed, such as ids of applications. Null: all. */
export type Keys = readonly string[] | null;

/** What came of an item of work, as counts of a subject such as a host or a mailbox. It may be shown to anybody, so it has no texts. */
export interface Note {
  subject: string;
  counts: Readonly<Record<string, number>>;
}

/** The counts of notes, by subject. */
export type Tally = Record<string, Record<string, number>>;

export interface PassOptions {
  /** After so many milliseconds nothing more is claimed. */
  withinMs: number;
  /** How many milliseconds more may come after the last of the work. Omitted: none. */
  lingerMs?: number;
  /** Ends with the first note, while the work continues. */
  isOneNote?: boolean;
}

/** What came of a pass. */
export interface Passed {
  tally: Tally;
  /** There may be more to do: work is in progress, or the time was over. */
  isLeft: boolean;
}

export interface WorkLoop {
  /** Looks for work again, as far as passes allow. Returns whether one is in progress that allows all. */
  wake(): boolean;
  /**
   * Does the due work of a key, or with null all work that is due. Resolves when none is due or in progress, or when the
   * time is over; what is in progress then goes on, and is counted by the next pass of the key. Rejects when work cannot be claimed.
   */
  pass(key: string | null, options: PassOptions): Promise<Passed>;
  /** Ends the passes of all work as if their time were over. */
  endWholePasses(): void;
  /** Does all due work. Resolves when nothing is due or in progress, or after this many milliseconds while the work continues. */
  drain(withinMs?: number): Promise<void>;
  /** Claims nothing more, asks the work in progress to finish, and waits for it. */
  stop(): Promise<void>;
}

/** What an item of work is given. */
export interface Working {
  /** The work should finish soon. */
  isStopping(): boolean;
  /** Notes what came of a part of it. */
  note(note: Note): void;
}

export interface WorkLoopOptions<Item> {
  /**
   * Claims due work of these keys. `isFirst`: the loop has just begun. `inProgress`: how many items are being worked on. Null: nothing was
   * looked for, because no more can be worked on at once.
   */
  claim(state: { isFirst: boolean; inProgress: number; keys: Keys }): Promise<readonly Item[] | null>;
  /** Never throws. Resolves with what came of it. */
  work(item: Item, working: Working): Promise<Note | undefined>;
  /** The key that an item belongs to. Omitted: there are no keys. */
  keyOf?(item: Item): string;
  /** In how many milliseconds work is due. Null: never. */
  nextIn(): Promise<number | null>;
  /** The least wait for work that is due, in milliseconds: it cannot always be claimed, because another process may have it. */
  shortestWaitMs: number;
  /** Called when nothing is left to do, with the milliseconds until work is due, `shortestWaitMs` at least. */
  onIdle(nextInMs: number): void;
}

interface Pass extends Required<PassOptions> {
  key: string | null;
  /** Items in progress, those of earlier passes too. */
  inProgress: number;
  /** Nothing more was found since the last item began or ended. */
  isQuiet: boolean;
  lastAt: number;
  notes: Note[];
  linger?: NodeJS.Timeout;
  end(isLeft: boolean): void;
  fail(error: unknown): void;
}

/** Claims due work and runs the items concurrently, in one loop, as long as a pass allows it. */
export function workLoop<Item>(options: WorkLoopOptions<Item>): WorkLoop {
  const { claim, work, keyOf = () => "", nextIn, shortestWaitMs, onIdle } = options;
  const underWay = new Map<Promise<void>, string>();
  const passes = new Set<Pass>();
  let running: Promise<void> | null = null;
  let isLooping = false;
  let isDirty = false;
  let isStopping = false;
  let poke = () => {};

  const passesOf = (key: string) => [...passes].filter((pass) => pass.key === null || pass.key === key);
  const openKeys = (): Keys => {
    const keys = [...passes].map(({ key }) => key);
    return keys.includes(null) ? null : keys.filter((key) => key !== null);
  };

  const start = (item: Item) => {
    const key = keyOf(item);
    for (const pass of passesOf(key)) noteBegun(pass);
    const note = (note: Note) => {
      for (const pass of passesOf(key)) addNote(pass, note);
    };
    const run = work(item, { isStopping: () => isStopping, note }).then((last) => {
      underWay.delete(run);
      for (const pass of passesOf(key)) noteEnded(pass);
      if (last) note(last);
      isDirty = true;
      poke();
    });
    underWay.set(run, key);
  };

  const pokedWithin = async (ms: number | null) => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      poke = resolve;
      if (ms !== null) timer = setTimeout(resolve, Math.min(Math.max(ms, shortestWaitMs), LONGEST_WAIT_MS));
    });
    clearTimeout(timer);
  };

  /** Ends in the same tick as its last check of `isDirty`, so that a later pass starts a new loop. */
  const loop = async () => {
    isLooping = true;
    try {
      for (let isFirst = true; !isStopping; isFirst = false) {
        isDirty = false;
        const asked = [...passes];
        const keys = openKeys();
        const claimed = keys?.length === 0 ? null : await claim({ isFirst, inProgress: underWay.size, keys });
        for (const item of claimed ?? []) start(item);
        if ((claimed && claimed.length > 0) || isDirty) continue;
        const nextInMs = keys?.length === 0 ? null : await nextIn();
        if (isDirty) continue;
        if (claimed) for (const pass of asked) noteQuiet(pass);
        if (underWay.size === 0 && passes.size === 0)
          return nextInMs === null ? undefined : onIdle(Math.max(nextInMs, shortestWaitMs));
        await pokedWithin(lookAgainIn(passes, nextInMs));
      }
    } catch (error) {
      for (const pass of passes) pass.fail(error);
      throw error;
    } finally {
      isLooping = false;
    }
  };

  const wake = () => {
    isDirty = true;
    poke();
    if (!isLooping && !isStopping && passes.size > 0) {
      running = loop();
      running.catch(() => undefined); // the passes were told
    }
    return openKeys() === null;
  };

  const pass: WorkLoop["pass"] = (key, { withinMs, lingerMs = 0, isOneNote = false }) => {
    if (isStopping) return Promise.resolve({ tally: {}, isLeft: true });
    return new Promise((resolve, reject) => {
      const timer = withinMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => one.end(true), withinMs);
      const close = () => {
        passes.delete(one);
        clearTimeout(timer);
        clearTimeout(one.linger);
      };
      const one: Pass = {
        ...{ key, withinMs, lingerMs, isOneNote, isQuiet: false, lastAt: clock().monotonic(), notes: [] },
        inProgress: [...underWay.values()].filter((other) => key === null || key === other).length,
        end(isLeft) {
          close();
          resolve({ tally: tallyOf(one.notes), isLeft });
        },
        fail(error) {
          close();
          reject(error);
        },
      };
      passes.add(one);
      wake();
    });
  };

  const drain = async (withinMs = 20_000) => {
    const passed = pass(null, { withinMs: Number.POSITIVE_INFINITY });
    const late = new AbortController();
    const timer = wait(withinMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([passed, timer]).finally(() => late.abort());
    passed.catch(() => undefined); // after the time nobody waits for it
  };

  const endWholePasses = () => {
    for (const pass of passes) if (pass.key === null) pass.end(true);
  };

  const stop = async () => {
    isStopping = true;
    poke();
    for (const pass of passes) pass.end(true);
    await running?.catch(() => undefined);
    await Promise.all(underWay.keys());
  };
  return { wake, pass, endWholePasses, drain, stop };
}

function noteBegun(pass: Pass): void {
  pass.inProgress += 1;
  pass.isQuiet = false;
  pass.lastAt = clock().monotonic();
}

function noteEnded(pass: Pass): void {
  pass.inProgress -= 1;
  pass.isQuiet = false;
  pass.lastAt = clock().monotonic();
}

function addNote(pass: Pass, note: Note): void {
  pass.notes.push(note);
  if (pass.isOneNote) pass.end(pass.inProgress > 0);
}

/**
 * Returns in how many milliseconds work is looked for again. When it is due for any key says nothing of the keys of passes,
 * and whoever lingers may be the only one to look.
 */
function lookAgainIn(passes: ReadonlySet<Pass>, nextInMs: number | null): number | null {
  if (passes.size === 0) return nextInMs;
  const all = [...passes];
  if (all.every(({ key }) => key !== null)) return LOOK_MS;
  return all.some(({ lingerMs }) => lingerMs > 0) ? Math.min(nextInMs ?? LOOK_MS, LOOK_MS) : nextInMs;
}

/** Notes that nothing more was found for a pass. Ends it, unless more may come. */
function noteQuiet(pass: Pass): void {
  pass.isQuiet = true;
  endIfOver(pass);
}

function endIfOver(pass: Pass): void {
  if (!pass.isQuiet || pass.inProgress > 0) return;
  const leftMs = pass.notes.length === 0 ? 0 : pass.lastAt + pass.lingerMs - clock().monotonic();
  if (leftMs <= 0) {
    pass.end(false);
    return;
  }
  clearTimeout(pass.linger);
  pass.linger = setTimeout(() => endIfOver(pass), leftMs);
}

function tallyOf(notes: readonly Note[]): Tally {
  const tally: Tally = {};
  for (const { subject, counts } of notes) addTo(tally, subject, counts);
  return tally;
}

/** Adds counts to those of their subject. The first fifty subjects are named. */
export function addTo(tally: Tally, subject: string, counts: Note["counts"]): void {
  const isNamed = subject in tally || Object.keys(tally).length < MOST_SUBJECTS;
  const name = isNamed ? subject : OTHERS;
  const known = tally[name] ?? {};
  for (const [what, count] of Object.entries(counts)) known[what] = (known[what] ?? 0) + count;
  tally[name] = known;
}
