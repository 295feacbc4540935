import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { clock } from "@/server/clock";
import { databaseFault } from "@/server/db/faults";
import { orderedUuid } from "@/server/db/ordered-hex";
import type { RequestLogEntry, RequestLogRow } from "@/server/http/request-log/entry";
import { type HeldRow, heldRow, lightened } from "@/server/http/request-log/held-row";
import { rings } from "@/server/http/request-log/rings";
import { requestLogRow } from "@/server/http/request-log/row";
import { sampling } from "@/server/http/request-log/sampling";
import { type TallyBatch, tally } from "@/server/http/request-log/tally";
import { inTime } from "@/server/in-time";
import { type Log, outageLog } from "@/server/log";

/** Rows that wait, of all applications together: of one alone seven eighths, which is ten thousand. */
const CAPACITY = 11_500;
/** Rows of requests without a credential that wait. */
const STRANGERS_CAPACITY = 1_000;
const BATCH = 250;
const INTERVAL = 500;
const LONGEST_BACKOFF = 5000;
const ROWS_PER_TURN = 25;
const MOST_HELD_BYTES = 8 * 1024 * 1024;
/** No application's id. */
const STRANGERS = "";

export interface RequestLogWriter {
  /** O(1), never throws. */
  add(entry: RequestLogEntry): void;
  /** At shutdown: writes what there is, trying again for at most so many milliseconds. True when nothing is left. */
  flush(deadlineMs: number): Promise<boolean>;
  /** Rows lost since the start, which are counted: there was no room, or the database refused the row itself. */
  dropped(): number;
}

export interface RequestLogWriterOptions {
  /** May be called again with rows that it has already stored (same ids): it ignores those. */
  write: (rows: RequestLogRow[]) => Promise<void>;
  /** Counts requests that have no row. May be called again with a batch that it has already counted. */
  count: (batch: TallyBatch) => Promise<void>;
  log: Log;
  /** The share of successful reads that get a row, from 0 to 1. */
  readShare: number;
  capacity?: number;
}

/**
 * Collects log entries and writes them in batches behind the responses. While nothing can be written the newest are kept, of each
 * application its share; what is not stored is counted.
 */
export function requestLogWriter({
  write,
  count,
  log,
  readShare,
  capacity = CAPACITY,
}: RequestLogWriterOptions): RequestLogWriter {
  const isStored = sampling(() => clock().monotonic(), readShare);
  const counts = tally();
  let dropped = 0;
  const lose = (row: RequestLogRow) => {
    dropped += 1;
    counts.add(row);
  };
  const waiting = rings<HeldRow>({
    capacity,
    mostWeight: MOST_HELD_BYTES,
    weightOf: ({ weight }) => weight,
    onLoss: ({ row }) => lose(row),
  });
  const outage = outageLog(log, {
    down: "The request log cannot be written: entries are kept in memory",
    up: "The request log is written again",
  });
  let batch: RequestLogRow[] = [];
  let counting: TallyBatch | null = null;
  let failures = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hurried = false;

  function schedule(): void {
    if (running) return;
    if (failures === 0 && isMuch() && !hurried) {
      hurried = true;
      setImmediate(run);
    } else if (timer === undefined) {
      timer = setTimeout(run, failures === 0 ? INTERVAL : backoff(failures)).unref();
    }
  }

  function isMuch(): boolean {
    return waiting.size >= BATCH || waiting.weight >= MOST_HELD_BYTES / 4;
  }

  function isEmpty(): boolean {
    return waiting.size + batch.length + counts.size === 0 && counting === null;
  }

  function run(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    hurried = false;
    running ??= drain().finally(() => {
      running = undefined;
      if (!isEmpty()) schedule();
    });
    return running;
  }

  async function drain(): Promise<void> {
    do {
      if (batch.length === 0) batch = await rowsOf(waiting.take(BATCH));
      counting ??= counts.take();
      if (batch.length === 0 && counting === null) return;
      try {
        if (batch.length > 0) (await writeSplitting(write, batch)).forEach(lose);
        batch = [];
        if (counting !== null) await count(counting);
        counting = null;
      } catch (error) {
        failures += 1;
        outage.failed(error);
        return;
      }
      failures = 0;
      outage.recovered({ lost: dropped, uncounted: counts.lost });
    } while (isMuch());
  }

  return {
    add(entry) {
      const id = orderedUuid(entry.at.getTime());
      if (isStored(entry, id)) {
        const owner = entry.isAuthenticated ? (entry.applicationId ?? STRANGERS) : STRANGERS;
        const held = heldRow(entry, id);
        const kept = waiting.hasRoom(owner, held.weight) ? held : lightened(held);
        waiting.add(owner, kept, owner === STRANGERS ? STRANGERS_CAPACITY : undefined);
      } else counts.add(entry);
      schedule();
    },
    async flush(deadlineMs) {
      const until = clock().monotonic() + deadlineMs;
      const left = () => Math.max(0, until - clock().monotonic());
      const isDone = () => isEmpty() && running === undefined;
      while (!isDone() && left() > 0) {
        await inTime(left(), run(), () => undefined);
        if (failures > 0) await sleep(Math.min(100, left()));
      }
      return isDone();
    },
    dropped: () => dropped,
  };
}

function backoff(failures: number): number {
  return Math.min(INTERVAL * 2 ** (failures - 1), LONGEST_BACKOFF);
}

/**
 * Writes rows and returns those that were omitted: a row that the database will never take is found by halving, so that
 * it does not hold up the rest.
 */
async function writeSplitting(
  write: (rows: RequestLogRow[]) => Promise<void>,
  rows: RequestLogRow[],
): Promise<RequestLogRow[]> {
  try {
    await write(rows);
    return [];
  } catch (error) {
    if (databaseFault(error) !== "invalid_value") throw error;
    if (rows.length === 1) return rows;
    const half = rows.length >> 1;
    return [...(await writeSplitting(write, rows.slice(0, half))), ...(await writeSplitting(write, rows.slice(half)))];
  }
}

/**
 * Builds the rows with a turn of the event loop between some of them, so that requests do not wait for a whole batch.
 */
async function rowsOf(held: HeldRow[]): Promise<RequestLogRow[]> {
  const rows: RequestLogRow[] = [];
  for (const [i, one] of held.entries()) {
    if (i > 0 && i % ROWS_PER_TURN === 0) await nextTurn();
    rows.push(requestLogRow(one));
  }
  return rows;
}
