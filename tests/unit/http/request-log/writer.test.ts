import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RequestLogEntry, RequestLogRow } from "@/server/http/request-log/row";
import { requestLogWriter } from "@/server/http/request-log/writer";

const PATIENT = { timeout: 20_000 };

const CANARY = "canary-quoll";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
});

afterEach(() => {
  vi.useRealTimers();
});

function entry(requestId: string, more: Partial<RequestLogEntry> = {}): RequestLogEntry {
  return {
    requestId,
    at: new Date("2026-11-21T10:00:00Z"),
    method: "POST",
    path: "/v1/calendars/cal_1/events",
    search: "",
    status: 202,
    durationMs: 3.5,
    applicationId: "app",
    accountId: "acc",
    address: "203.0.113.1",
    requestHeaders: new Headers(),
    requestBody: null,
    responseHeaders: new Headers(),
    responseBody: null,
    plan: "standard",
    ...more,
  };
}

/** A database that stores, ignoring ids it has, and that can be told to fail. */
function database(capacity?: number) {
  const rows = new Map<string, RequestLogRow>();
  const state = { failure: undefined as unknown, calls: 0, atOnce: 0, mostAtOnce: 0, sizes: [] as number[] };
  const lines: unknown[][] = [];
  const writer = requestLogWriter({
    capacity,
    log: (...line) => lines.push(line),
    async write(batch) {
      state.calls += 1;
      state.sizes.push(batch.length);
      state.atOnce += 1;
      state.mostAtOnce = Math.max(state.mostAtOnce, state.atOnce);
      await Promise.resolve();
      state.atOnce -= 1;
      const failure = typeof state.failure === "function" ? state.failure(batch) : state.failure;
      if (failure) throw failure;
      for (const row of batch) rows.set(row.id, row);
    },
  });
  const stored = () => [...rows.values()].map((row) => row.requestId);
  return { writer, state, lines, rows, stored };
}

function addMany(writer: { add(entry: RequestLogEntry): void }, count: number, from = 0): string[] {
  const ids = Array.from({ length: count }, (_, i) => `req_${from + i}`);
  for (const id of ids) writer.add(entry(id));
  return ids;
}

async function untilStored(db: { stored(): string[] }, count: number): Promise<void> {
  await vi.waitFor(() => expect(db.stored()).toHaveLength(count), PATIENT);
}

const down = Object.assign(new Error(`cannot connect with ${CANARY}`), { code: "ECONNREFUSED" });

describe("the request log", () => {
  it("is written half a second after the first entry, in one batch", async () => {
    const db = database();
    const ids = addMany(db.writer, 3);
    await vi.advanceTimersByTimeAsync(499);
    expect(db.state.calls).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await untilStored(db, 3);
    expect(db.stored()).toEqual(ids);
    expect(db.state.calls).toBe(1);
  });

  it("is written at once when 250 entries wait, one batch at a time", async () => {
    const db = database();
    const ids = addMany(db.writer, 1000);
    await vi.waitFor(() => expect(db.state.sizes).toEqual([250, 250, 250, 250]), PATIENT);
    await untilStored(db, 1000);
    expect(db.stored()).toEqual(ids);
    expect(db.state.mostAtOnce).toBe(1);
  });

  it("is never written inside the request that adds to it", () => {
    const db = database();
    addMany(db.writer, 260);
    expect(db.state.calls).toBe(0);
  });

  it("loses nothing while the database is down, and says so once", async () => {
    const db = database();
    db.state.failure = down;
    const ids = addMany(db.writer, 700);
    await vi.waitFor(() => expect(db.state.calls).toBeGreaterThan(0), PATIENT);
    for (let i = 0; i < 10; i += 1) await vi.advanceTimersByTimeAsync(5000);
    expect(db.state.calls).toBeGreaterThan(5);
    expect(db.state.calls).toBeLessThan(20);
    db.state.failure = undefined;
    await vi.advanceTimersByTimeAsync(5500);
    await vi.waitFor(() => vi.advanceTimersByTimeAsync(500).then(() => expect(db.stored()).toHaveLength(700)), PATIENT);
    expect(db.stored()).toEqual(ids);
    expect(db.lines).toEqual([
      ["warn", expect.any(String), { error: "ECONNREFUSED" }],
      ["info", expect.any(String), { lost: 0 }],
    ]);
    expect(JSON.stringify(db.lines)).not.toContain(CANARY);
  });

  it("loses the oldest when it is full, and counts them", async () => {
    const db = database(1000);
    addMany(db.writer, 1600);
    expect(db.writer.dropped()).toBe(600);
    expect(await flushed(db.writer)).toBe(true);
    expect(db.stored()).toHaveLength(1000);
    expect(db.stored()[0]).toBe("req_600");
  });

  it("holds at most 16 MiB of bodies that wait, and of the rest their size", async () => {
    const db = database();
    db.state.failure = down;
    const body = { value: { event_id: "evt" }, bytes: 16_000 };
    for (let i = 0; i < 2000; i += 1) db.writer.add(entry(`req_${i}`, { requestBody: body }));
    db.state.failure = undefined;
    expect(await flushed(db.writer)).toBe(true);
    const kept = [...db.rows.values()].filter((row) => JSON.stringify(row.requestBody).includes("event_id"));
    expect(kept).toHaveLength(Math.ceil((16 * 1024 * 1024) / 16_000));
    expect([...db.rows.values()].at(-1)?.requestBody).toEqual({ truncated: true, bytes: 16_000 });
    db.writer.add(entry("later", { requestBody: body }));
    expect(await flushed(db.writer)).toBe(true);
    expect([...db.rows.values()].at(-1)?.requestBody).toEqual({ event_id: "evt" });
  });

  it("leaves out only the row that the database refuses", async () => {
    const db = database();
    db.state.failure = (batch: RequestLogRow[]) =>
      batch.some((row) => row.requestId === "req_77") && Object.assign(new Error(), { code: "22P05" });
    addMany(db.writer, 100);
    await vi.advanceTimersByTimeAsync(500);
    await untilStored(db, 99);
    expect(db.stored()).not.toContain("req_77");
    expect(db.writer.dropped()).toBe(1);
    expect(db.lines).toEqual([]);
  });

  it("sends a batch again under the same ids, so that rows stored before the failure are not doubled", async () => {
    const db = database();
    let failed = false;
    db.state.failure = (batch: RequestLogRow[]) => {
      if (failed) return undefined;
      failed = true;
      for (const row of batch) db.rows.set(row.id, row);
      return down;
    };
    addMany(db.writer, 10);
    await vi.advanceTimersByTimeAsync(1500);
    await vi.waitFor(() => expect(db.state.calls).toBe(2), PATIENT);
    expect(db.stored()).toHaveLength(10);
  });
});

async function flushed(writer: { flush(deadlineMs: number): Promise<boolean> }, deadlineMs = 20_000): Promise<boolean> {
  vi.useRealTimers();
  return writer.flush(deadlineMs);
}

describe("at shutdown", () => {
  it("everything that waits is written", async () => {
    const db = database();
    const ids = addMany(db.writer, 777);
    expect(await flushed(db.writer)).toBe(true);
    expect(db.stored()).toEqual(ids);
  });

  it("a failing database is tried again until the deadline and no longer", async () => {
    const db = database();
    db.state.failure = down;
    addMany(db.writer, 10);
    vi.useRealTimers();
    const start = performance.now();
    expect(await flushed(db.writer, 1_000)).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(db.state.calls).toBeGreaterThan(1);
    db.state.failure = undefined;
    expect(await flushed(db.writer)).toBe(true);
    expect(db.stored()).toHaveLength(10);
  });

  it("a database that never answers does not hold it up", async () => {
    const writer = requestLogWriter({ log: () => undefined, write: () => new Promise(() => undefined) });
    addMany(writer, 1);
    expect(await flushed(writer, 100)).toBe(false);
  });

  it("nothing to write is done at once", async () => {
    const db = database();
    expect(await flushed(db.writer)).toBe(true);
    expect(db.state.calls).toBe(0);
  });
});

describe("a row of the request log", () => {
  async function rowOf(more: Partial<RequestLogEntry>): Promise<RequestLogRow> {
    const db = database();
    db.writer.add(entry("caller-id", more));
    await flushed(db.writer);
    const [row] = db.rows.values();
    if (!row) throw new Error("no row");
    return row;
  }

  it("has an id of its own and no secret or event text", async () => {
    const body = { event_id: "evt", summary: CANARY };
    const row = await rowOf({
      search: `?tzid=Etc/UTC&code=${CANARY}`,
      requestHeaders: new Headers({ authorization: `Bearer ${CANARY}`, "content-type": "application/json" }),
      requestBody: { value: body, bytes: 50 },
      responseBody: { text: JSON.stringify({ access_token: CANARY, expires_in: 10800 }) },
    });
    expect(JSON.stringify(row)).not.toContain(CANARY);
    expect(row).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      requestId: "caller-id",
      at: new Date("2026-11-21T10:00:00Z"),
      method: "POST",
      path: "/v1/calendars/cal_1/events",
      query: "tzid=Etc%2FUTC&code=[redacted]",
      status: 202,
      durationMs: 3.5,
      applicationId: "app",
      accountId: "acc",
      address: "203.0.113.1",
      requestHeaders: { authorization: "[redacted]", "content-type": "application/json" },
      requestBody: { event_id: "evt", summary: "[redacted]" },
      responseHeaders: {},
      responseBody: { access_token: "[redacted]", expires_in: 10800 },
      plan: "standard",
      errorKeys: [],
    });
  });

  it("names the keys of a 422 answer once each", async () => {
    const errors = {
      summary: [{ key: "errors.required", description: "x" }],
      end: [{ key: "errors.invalid", description: "x" }],
      start: [{ key: "errors.required", description: "x" }],
    };
    expect((await rowOf({ status: 422, responseBody: { value: { errors }, bytes: 200 } })).errorKeys).toEqual([
      "errors.required",
      "errors.invalid",
    ]);
    expect((await rowOf({ status: 400, responseBody: { text: '{"error":"invalid_grant"}' } })).errorKeys).toEqual([
      "invalid_grant",
    ]);
  });

  it("keeps the beginning of a long body, the size of a very long one, and nothing of a text that is not JSON", async () => {
    const value = { summary: "x".repeat(20_000), event_id: "evt" };
    const long = await rowOf({ requestBody: { value, bytes: 20_050 } });
    expect(long.requestBody).toEqual({ summary: "[redacted]", event_id: "evt" });
    const veryLong = await rowOf({ requestBody: { value, bytes: 1_000_000 } });
    expect(veryLong.requestBody).toEqual({ truncated: true, bytes: 1_000_000 });
    const text = await rowOf({ responseBody: { text: `{"events":[${"0,".repeat(20_000)}0]}` } });
    expect(text.responseBody).toEqual({ truncated: true, bytes: 40_014 });
    expect((await rowOf({ responseBody: { text: `<p>${CANARY}</p>` } })).responseBody).toBeNull();
  });

  it("has no token in its path", async () => {
    expect((await rowOf({ path: "/v1/channels/at_0123456789abcdef0123456789" })).path).toBe("[redacted]");
  });
});
