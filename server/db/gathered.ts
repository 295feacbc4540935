import type { Database } from "@/server/db/client";
import { run, type Statement } from "@/server/db/statement";
import { tracing } from "@/server/tracing";

/** A look-up of one row by its key, and the same for many keys in one statement. */
export interface LookUp<Key, Row extends object> {
  one: Statement<Row>;
  oneValues(key: Key): readonly unknown[];
  /** `place` is the key's, from 0. A key without a row has none here either. */
  many: Statement<Row & { place: number }>;
  manyValues(keys: readonly Key[]): readonly unknown[];
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
 * Look-ups that are asked for while another is under way go together in the next statement, so that a busy process costs PostgreSQL and
 * itself less for each (ADR 74). Nothing waits where nothing is under way, and never longer than `PATIENCE_MS`.
 */
class Gatherer<Key> {
  private waiting: Waiting<Key>[] = [];
  private underWay = 0;
  private impatience: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly lookUp: LookUp<Key, object>,
  ) {}

  ask(key: Key): Promise<object | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, resolve, reject });
      if (this.underWay < MOST_UNDER_WAY || this.waiting.length >= MOST_KEYS) this.send();
      else this.impatience ??= setTimeout(() => this.send(), PATIENCE_MS).unref();
    });
  }

  private send(): void {
    clearTimeout(this.impatience);
    this.impatience = undefined;
    const together = this.waiting;
    this.waiting = [];
    this.underWay += 1;
    void this.answer(together).finally(() => {
      this.underWay -= 1;
      if (this.waiting.length > 0 && this.underWay < MOST_UNDER_WAY) this.send();
    });
  }

  /** Fails for all when the statement fails. */
  private async answer(together: readonly Waiting<Key>[]): Promise<void> {
    try {
      const rows = await this.rowsOf(together.map(({ key }) => key));
      for (const [place, { resolve }] of together.entries()) resolve(rows.get(place));
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }

  private async rowsOf(keys: readonly Key[]): Promise<ReadonlyMap<number, object>> {
    const [first] = keys;
    const { one, oneValues, many, manyValues } = this.lookUp;
    if (keys.length === 1 && first !== undefined) {
      const [row] = await run(this.database.query, one, oneValues(first));
      return new Map(row ? [[0, row]] : []);
    }
    const rows = await run(this.database.query, many, manyValues(keys));
    return new Map(rows.map((row) => [row.place, row]));
  }
}

const gatherers = new WeakMap<Database, Map<unknown, Gatherer<unknown>>>();

/** The row of the key, if there is one. Where requests are traced each has a statement of its own, which is a span of it. */
export async function gathered<Key, Row extends object>(
  database: Database,
  lookUp: LookUp<Key, Row>,
  key: Key,
): Promise<Row | undefined> {
  if (tracing()) return (await run(database.query, lookUp.one, lookUp.oneValues(key)))[0];
  const known = gatherers.get(database) ?? new Map<unknown, Gatherer<unknown>>();
  gatherers.set(database, known);
  const gatherer = known.get(lookUp) ?? new Gatherer<unknown>(database, lookUp as unknown as LookUp<unknown, object>);
  known.set(lookUp, gatherer);
  return await (gatherer.ask(key) as Promise<Row | undefined>);
}
