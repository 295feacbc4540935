import { type Bucket, debtAfterCharge, debtAt, decide, type Take } from "@/server/http/rate-limit/buckets";
import type { Draw, Mode, Store } from "@/server/http/rate-limit/store";

const KEYS_PER_BUCKET = 100_000;
const SWEPT_PER_NEW_KEY = 2;

export interface MemoryStore extends Store {
  run(mode: Mode, draws: readonly Draw[]): Take;
  /** What is known from elsewhere: the buckets owe at least these debts now, in microseconds. */
  learn(draws: readonly Draw[], debts: readonly number[]): void;
  /** How many buckets are held: a full one need not be. */
  held(): number;
}

/** Keeps the buckets of this process. `monotonic` gives milliseconds. */
export function memoryStore(monotonic: () => number, keysPerBucket = KEYS_PER_BUCKET): MemoryStore {
  const tables = new Map<string, Table>();

  function tableOf(bucket: Bucket): Table {
    let table = tables.get(bucket.name);
    if (table === undefined) {
      table = { fullAt: new Map(), sweep: undefined };
      tables.set(bucket.name, table);
    }
    return table;
  }

  function keep({ bucket, key }: Draw, fullAt: number, now: number): void {
    const table = tableOf(bucket);
    if (!table.fullAt.has(key)) makeRoom(table, { now, keysPerBucket });
    table.fullAt.set(key, fullAt);
  }

  return {
    ready: () => Promise.resolve(),
    run(mode, draws) {
      const now = Math.floor(monotonic() * 1000);
      const debts = draws.map(({ bucket, key }) => debtAt(bucket, tableOf(bucket).fullAt.get(key), now));
      const take = decide(
        draws.map(({ bucket }) => bucket),
        debts,
      );
      if (mode === "charge" || (mode === "take" && take.allowed)) {
        draws.forEach((draw, i) => {
          keep(draw, now + debtAfterCharge(draw.bucket, debts[i] ?? 0), now);
        });
      }
      return take;
    },
    learn(draws, debts) {
      const now = Math.floor(monotonic() * 1000);
      draws.forEach((draw, i) => {
        const fullAt = now + (debts[i] ?? 0);
        if (fullAt > (tableOf(draw.bucket).fullAt.get(draw.key) ?? now)) keep(draw, fullAt, now);
      });
    },
    held() {
      return [...tables.values()].reduce((sum, table) => sum + table.fullAt.size, 0);
    },
    close() {
      tables.clear();
    },
  };
}

interface Table {
  /** When each bucket is full, in microseconds of the monotonic clock. */
  fullAt: Map<string, number>;
  sweep: IterableIterator<[string, number]> | undefined;
}

/** Looks at two keys for each new one, so that buckets that are full again go as fast as new ones come. At the cap the oldest key goes. */
function makeRoom(table: Table, { now, keysPerBucket }: { now: number; keysPerBucket: number }): void {
  for (let i = 0; i < SWEPT_PER_NEW_KEY; i += 1) {
    table.sweep ??= table.fullAt.entries();
    const next = table.sweep.next();
    if (next.done) table.sweep = undefined;
    else if (next.value[1] <= now) table.fullAt.delete(next.value[0]);
  }
  if (table.fullAt.size < keysPerBucket) return;
  const oldest = table.fullAt.keys().next();
  if (!oldest.done) table.fullAt.delete(oldest.value);
}
