import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { clock } from "@/server/clock";
import { ring } from "@/server/http/request-log/ring";
import {
  type HeldEntry,
  held,
  heldBytes,
  type RequestLogEntry,
  type RequestLogRow,
  requestLogRow,
} from "@/server/http/request-log/row";
import { errorCode, type Log, outageLog } from "@/server/log";

const CAPACITY = 10_000;
const BATCH = 250;
const INTERVAL = 500;
const LONGEST_BACKOFF = 5000;
const ROWS_PER_TURN = 25;
const MOST_HELD_BYTES = 16 * 1024 * 1024;

export interface RequestLogWriter {
  /** O(1), never throws. */
  add(entry: RequestLogEntry): void;
  /** At shutdown: writes what there is, trying again for at most so many milliseconds. True when nothing is left. */
  flush(deadlineMs: number): Promise<boolean>;
  /** Rows lost since the start: the ring was full, or the database refused the row itself. */
  dropped(): number;
}

export interface RequestLogWriterOptions {
  /** May be called again with rows that it has already stored (same ids): it ignores those. */
  write: (rows: RequestLogRow[]) => Promise<void>;
  log: Log;
  capacity?: number;
}

/** Collects log entries and writes them in batches behind the answers. While nothing can be written the newest `capacity` are kept. */
export function requestLogWriter({ write, log, capacity = CAPACITY }: RequestLogWriterOptions): RequestLogWriter {
  let bytes = 0;
  const waiting = ring<HeldEntry>(capacity, (entry) => {
    bytes -= heldBytes(entry);
  });
  const outage = outageLog(log, {
    down: "The request log cannot be written: entries are kept in memory",
    up: "The request log is written again",
  });
  let batch: RequestLogRow[] = [];
  let refused = 0;
  let failures = 0;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hurried = false;

  function schedule(): void {
    if (running) return;
    if (failures === 0 && waiting.size >= BATCH && !hurried) {
      hurried = true;
      setImmediate(run);
    } else if (timer === undefined) {
      timer = setTimeout(run, failures === 0 ? INTERVAL : backoff(failures)).unref();
    }
  }

  function run(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    hurried = false;
    running ??= drain().finally(() => {
      running = undefined;
      if (waiting.size + batch.length > 0) schedule();
    });
    return running;
  }

  async function drain(): Promise<void> {
    do {
      if (batch.length === 0) batch = await rowsOf(waiting.take(BATCH));
      if (batch.length === 0) return;
      try {
        refused += await writeSplitting(write, batch);
      } catch (error) {
        failures += 1;
        outage.failed(error);
        return;
      }
      batch = [];
      failures = 0;
      outage.recovered({ lost: waiting.dropped + refused });
    } while (waiting.size >= BATCH);
  }

  async function rowsOf(entries: HeldEntry[]): Promise<RequestLogRow[]> {
    const rows: RequestLogRow[] = [];
    for (const [i, entry] of entries.entries()) {
      if (i > 0 && i % ROWS_PER_TURN === 0) await nextTurn();
      try {
        rows.push(requestLogRow(entry));
      } catch {
        refused += 1;
      }
    }
    return rows;
  }

  return {
    add(entry) {
      const room = bytes < MOST_HELD_BYTES;
      const kept: HeldEntry = {
        ...entry,
        requestBody: held(entry.requestBody, { room, side: "request", path: entry.path }),
        responseBody: held(entry.responseBody, { room, side: "answer", path: entry.path }),
      };
      bytes += heldBytes(kept);
      waiting.add(kept);
      schedule();
    },
    async flush(deadlineMs) {
      const until = clock().monotonic() + deadlineMs;
      const left = () => Math.max(0, until - clock().monotonic());
      const isDone = () => waiting.size + batch.length === 0 && running === undefined;
      while (!isDone() && left() > 0) {
        await atMost(left(), run());
        if (failures > 0) await sleep(Math.min(100, left()));
      }
      return isDone();
    },
    dropped: () => waiting.dropped + refused,
  };
}

/** Leaves no timer behind that would keep the process alive. */
async function atMost(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function backoff(failures: number): number {
  return Math.min(INTERVAL * 2 ** (failures - 1), LONGEST_BACKOFF);
}

/** One row that the database will never take must not hold up the rest: it is found by halving and left out. Gives how many were. */
async function writeSplitting(write: (rows: RequestLogRow[]) => Promise<void>, rows: RequestLogRow[]): Promise<number> {
  try {
    await write(rows);
    return 0;
  } catch (error) {
    // SQLSTATE class 22: the data, not the database.
    if (!errorCode(error).startsWith("22")) throw error;
    if (rows.length === 1) return 1;
    const half = rows.length >> 1;
    return (await writeSplitting(write, rows.slice(0, half))) + (await writeSplitting(write, rows.slice(half)));
  }
}
