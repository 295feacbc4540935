import type { Query } from "@/server/db/client";
import { run, type Statement } from "@/server/db/statement";
import { tracing } from "@/server/tracing";

/** What gives a row or none for one key, and a statement that does the same for many. */
export interface Gathering<Key, Row extends object> {
  alone(query: Query, key: Key): Promise<Row | undefined>;
  /** `place` is the key's, from 0. A key without a row has none here either. */
  many: Statement<Row & { place: number }>;
  manyValues(keys: readonly Key[]): readonly unknown[];
  /** Keys that have this in common never go together. */
  apart?(key: Key): string;
  /** What fails or has no row among others is tried by itself. Then `many` may leave out what it would have to wait for. */
  isTriedAlone?: boolean;
}

interface Waiting<Key> {
  key: Key;
  resolve(row: object | undefined): void;
  reject(error: unknown): void;
}

/** More statements under way at once take from each other what they gain together. */
const MOST_UNDER_WAY = 1;
const MOST_KEYS = 64;
/** A statement that takes longer than this keeps nobody waiting. */
const PATIENCE_MS = 10;

/**
 * What is asked for while another is under way goes together in the next statement, so that a busy process costs PostgreSQL and itself less
 * for each (ADR 74). Nothing waits where nothing is under way.
 */
class Gatherer<Key> {
  private waiting: Waiting<Key>[] = [];
  private underWay = 0;
  private impatience: NodeJS.Timeout | undefined;

  constructor(
    private readonly query: Query,
    private readonly gathering: Gathering<Key, object>,
  ) {}

  ask(key: Key): Promise<object | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, resolve, reject });
      if (this.underWay < MOST_UNDER_WAY || this.waiting.length >= MOST_KEYS) this.send();
      else this.waitNoLonger();
    });
  }

  private waitNoLonger(): void {
    this.impatience ??= setTimeout(() => this.send(), PATIENCE_MS).unref();
  }

  private send(): void {
    clearTimeout(this.impatience);
    this.impatience = undefined;
    const together = this.taken();
    if (this.waiting.length > 0) this.waitNoLonger();
    this.underWay += 1;
    void this.answer(together).finally(() => {
      this.underWay -= 1;
      if (this.waiting.length > 0 && this.underWay < MOST_UNDER_WAY) this.send();
    });
  }

  private taken(): readonly Waiting<Key>[] {
    const { apart } = this.gathering;
    const all = this.waiting;
    this.waiting = [];
    if (!apart || all.length === 1) return all;
    const known = new Set<string>();
    return all.filter((one) => {
      const isTaken = known.size < known.add(apart(one.key)).size;
      if (!isTaken) this.waiting.push(one);
      return isTaken;
    });
  }

  private async answer(together: readonly Waiting<Key>[]): Promise<void> {
    const [first] = together;
    if (together.length === 1 && first) return await this.alone(first);
    const { many, manyValues, isTriedAlone } = this.gathering;
    const missing: Waiting<Key>[] = [];
    try {
      const rows = await run(this.query, many, manyValues(together.map(({ key }) => key)));
      const found = new Map(rows.map((row) => [row.place, row]));
      for (const [place, one] of together.entries()) {
        if (isTriedAlone && !found.has(place)) missing.push(one);
        else one.resolve(found.get(place));
      }
    } catch (error) {
      if (isTriedAlone) missing.push(...together);
      else for (const { reject } of together) reject(error);
    }
    for (const one of missing) void this.alone(one);
  }

  private async alone({ key, resolve, reject }: Waiting<Key>): Promise<void> {
    try {
      resolve(await this.gathering.alone(this.query, key));
    } catch (error) {
      reject(error);
    }
  }
}

const gatherers = new WeakMap<Query, Map<unknown, Gatherer<unknown>>>();

/** The row of the key, if there is one. Where requests are traced each has a statement of its own, which is a span of it. */
export async function gathered<Key, Row extends object>(
  query: Query,
  gathering: Gathering<Key, Row>,
  key: Key,
): Promise<Row | undefined> {
  if (tracing()) return await gathering.alone(query, key);
  const known = gatherers.get(query) ?? new Map<unknown, Gatherer<unknown>>();
  gatherers.set(query, known);
  const gatherer =
    known.get(gathering) ?? new Gatherer<unknown>(query, gathering as unknown as Gathering<unknown, object>);
  known.set(gathering, gatherer);
  return (await gatherer.ask(key)) as Row | undefined;
}
