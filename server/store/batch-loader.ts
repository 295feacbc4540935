import type { Query } from "@/server/db/client";
import { run, type Statement } from "@/server/db/statement";
import { tracing } from "@/server/tracing";

/** A look-up of one key, which returns a row or none, and a statement that does the same for many keys. */
export interface BatchLookup<Key, Row extends object> {
  alone(query: Query, key: Key): Promise<Row | undefined>;
  /** `place` is the key's position, from 0. A key without a row has none here either. */
  many: Statement<Row & { place: number }>;
  manyValues(keys: readonly Key[]): readonly unknown[];
  /** Keys with the same result are never batched together. */
  apart?(key: Key): string;
  /** A key that fails or has no row in a batch is retried alone. `many` may then skip rows that it would have to wait for. */
  isTriedAlone?: boolean;
}

interface Waiting<Key> {
  key: Key;
  resolve(row: object | undefined): void;
  reject(error: unknown): void;
}

/** More concurrent statements would cost each other what batching gains. */
const MOST_UNDER_WAY = 1;
const MOST_KEYS = 64;
/** A statement that takes longer than this does not hold up the next. */
const PATIENCE_MS = 10;

/**
 * Batches the keys that arrive during one statement into the next, so that in a busy process each costs PostgreSQL and
 * the process less (ADR 74). Without a statement in progress a key does not wait.
 */
class BatchLoader<Key> {
  private waiting: Waiting<Key>[] = [];
  private underWay = 0;
  private impatience: NodeJS.Timeout | undefined;

  constructor(
    private readonly query: Query,
    private readonly lookup: BatchLookup<Key, object>,
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
    const { apart } = this.lookup;
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
    const { many, manyValues, isTriedAlone } = this.lookup;
    const missing: Waiting<Key>[] = [];
    try {
      const rows = await run(this.query, many, manyValues(together.map(({ key }) => key)));
      const rowsByPlace = new Map(rows.map((row) => [row.place, row]));
      for (const [place, one] of together.entries()) {
        if (isTriedAlone && !rowsByPlace.has(place)) missing.push(one);
        else one.resolve(rowsByPlace.get(place));
      }
    } catch (error) {
      if (isTriedAlone) missing.push(...together);
      else for (const { reject } of together) reject(error);
    }
    for (const one of missing) void this.alone(one);
  }

  private async alone({ key, resolve, reject }: Waiting<Key>): Promise<void> {
    try {
      resolve(await this.lookup.alone(this.query, key));
    } catch (error) {
      reject(error);
    }
  }
}

const loaders = new WeakMap<Query, Map<unknown, BatchLoader<unknown>>>();

/**
 * Loads the row of a key, if there is one. In traced processes each request has a statement of its own, for the
 * statement's span.
 */
export async function loadBatched<Key, Row extends object>(
  query: Query,
  lookup: BatchLookup<Key, Row>,
  key: Key,
): Promise<Row | undefined> {
  if (tracing()) return await lookup.alone(query, key);
  const known = loaders.get(query) ?? new Map<unknown, BatchLoader<unknown>>();
  loaders.set(query, known);
  const loader =
    known.get(lookup) ?? new BatchLoader<unknown>(query, lookup as unknown as BatchLookup<unknown, object>);
  known.set(lookup, loader);
  return (await loader.ask(key)) as Row | undefined;
}
