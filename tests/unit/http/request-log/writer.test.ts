import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keyOfEventId } from "@/server/domain/event-keys";
import type { RequestLogEntry, RequestLogRow } from "@/server/http/request-log/entry";
import type { TallyBatch } from "@/server/http/request-log/tally";
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
    isAuthenticated: true,
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
  const tallies = new Map<string, TallyBatch["counts"]>();
  const fail = (batch: RequestLogRow[]) => {
    const failure = typeof state.failure === "function" ? state.failure(batch) : state.failure;
    if (failure) throw failure;
  };
  const writer = requestLogWriter({
    capacity,
    readShare: 1,
    async count({ id, counts }) {
      await Promise.resolve();
      fail([]);
      tallies.set(id, counts);
    },
    log: (...line) => lines.push(line),
    async write(batch) {
      state.calls += 1;
      state.sizes.push(batch.length);
      state.atOnce += 1;
      state.mostAtOnce = Math.max(state.mostAtOnce, state.atOnce);
      await Promise.resolve();
      state.atOnce -= 1;
      fail(batch);
      for (const row of batch) rows.set(row.id, row);
    },
  });
  const stored = () => [...rows.values()].map((row) => row.requestId);
  const counted = () => [...tallies.values()].flat().reduce((sum, { requests }) => sum + requests, 0);
  return { writer, state, lines, rows, stored, tallies, counted };
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

  it("has ids of version 7, which begin with the time of their request", async () => {
    const db = database();
    addMany(db.writer, 250);
    await untilStored(db, 250);
    const time = Date.parse("2026-11-21T10:00:00Z").toString(16).padStart(12, "0");
    const ids = [...db.rows.keys()];
    const shape = new RegExp(`^${time.slice(0, 8)}-${time.slice(8)}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);
    expect(ids.filter((id) => !shape.test(id))).toEqual([]);
    expect(ids).toHaveLength(250);
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
      ["info", expect.any(String), { lost: 0, uncounted: 0 }],
    ]);
    expect(JSON.stringify(db.lines)).not.toContain(CANARY);
  });

  it("loses an application's oldest when its share is full, and counts them", async () => {
    const db = database(1000);
    addMany(db.writer, 1600);
    expect(db.writer.dropped()).toBe(725);
    expect(await flushed(db.writer)).toBe(true);
    expect(db.stored()).toHaveLength(875);
    expect(db.stored()[0]).toBe("req_725");
    expect([...db.tallies.values()]).toEqual([
      [
        {
          minute: new Date("2026-11-21T10:00:00Z"),
          applicationId: "app",
          requests: 725,
          clientErrors: 0,
          serverErrors: 0,
          throttled: 0,
        },
      ],
    ]);
  });

  it("keeps ten thousand rows of one application", async () => {
    const db = database();
    db.state.failure = down;
    addMany(db.writer, 10_000);
    expect(db.writer.dropped()).toBe(0);
    db.state.failure = undefined;
    expect(await flushed(db.writer)).toBe(true);
    expect(db.stored()).toHaveLength(10_000);
  });

  it("loses no row and no body of an application whose neighbour floods it", async () => {
    const db = database();
    db.state.failure = down;
    const body = { value: { event_id: "evt" }, bytes: 16_000 };
    for (let i = 0; i < 20_000; i += 1) {
      db.writer.add(
        entry(`flood_${i}`, { applicationId: "flooding", requestBody: body, responseBody: { text: "{}" } }),
      );
      if (i % 200 === 0)
        db.writer.add(entry(`calm_${i}`, { requestBody: { value: { event_id: "calm" }, bytes: 300 } }));
    }
    db.state.failure = undefined;
    expect(await flushed(db.writer)).toBe(true);
    const calm = [...db.rows.values()].filter(({ requestId }) => requestId.startsWith("calm"));
    expect(calm).toHaveLength(100);
    for (const row of calm) expect(row.requestBody).toEqual({ event_id: "calm" });
    expect(db.rows.size + db.counted()).toBe(20_100);
    expect(db.rows.size).toBeLessThan(11_500);
  });

  it("holds at most 8 MiB of what waits, a parsed body twenty times, and of the rest their size", async () => {
    const db = database();
    db.state.failure = down;
    const body = { value: { event_id: "evt" }, bytes: 16_000 };
    for (let i = 0; i < 2000; i += 1) db.writer.add(entry(`req_${i}`, { requestBody: body }));
    db.state.failure = undefined;
    expect(await flushed(db.writer)).toBe(true);
    const kept = [...db.rows.values()].filter((row) => JSON.stringify(row.requestBody).includes("event_id"));
    expect(kept).toHaveLength(Math.floor(((8 * 1024 * 1024) / (20 * 16_000)) * (7 / 8)));
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
    await vi.advanceTimersByTimeAsync(500);
    await vi.waitFor(() => expect(db.counted()).toBe(1), PATIENT);
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

const requestHeaders = new Headers(Array.from({ length: 60 }, (_, i) => [`x-${i}`, "y".repeat(100)]));

/** Requests without a credential, as anybody can send them. */
function flood(count: number, more: (i: number) => Partial<RequestLogEntry> = () => ({})): RequestLogEntry[] {
  const search = `?${"x".repeat(8000)}=1`;
  const stranger = { applicationId: null, accountId: null, isAuthenticated: false, plan: null, status: 404 };
  return Array.from({ length: count }, (_, i) =>
    entry(`flood_${i}`, { ...stranger, search, requestHeaders, path: `/v1/${"z".repeat(4000)}`, ...more(i) }),
  );
}

describe("requests without an application", () => {
  it("are kept with method, path, status, address, id and times alone", async () => {
    const db = database();
    for (const one of flood(1, () => ({ responseBody: { text: "{}" }, requestBody: { text: CANARY } })))
      db.writer.add(one);
    expect(await flushed(db.writer)).toBe(true);
    expect([...db.rows.values()]).toEqual([
      {
        id: expect.any(String),
        requestId: "flood_0",
        at: new Date("2026-11-21T10:00:00Z"),
        method: "POST",
        path: `/v1/${"z".repeat(124)}`,
        query: null,
        status: 404,
        durationMs: 3.5,
        applicationId: null,
        accountId: null,
        address: "203.0.113.1",
        requestHeaders: {},
        requestBody: null,
        responseHeaders: {},
        responseBody: null,
        plan: null,
        errorKeys: [],
        eventKeys: [],
      },
    ]);
  });

  it("are stored some a second for each address and /64, the rest is counted", async () => {
    const db = database();
    for (const one of flood(3000)) db.writer.add(one);
    await vi.advanceTimersByTimeAsync(1000);
    for (const one of flood(1000)) db.writer.add(one);
    for (const one of flood(1000, (i) => ({ address: `2001:db8::${i.toString(16)}` }))) db.writer.add(one);
    for (const one of flood(50, () => ({ address: "2001:db8:0:1::1" }))) db.writer.add(one);
    expect(await flushed(db.writer)).toBe(true);
    const from = (start: string) => [...db.rows.values()].filter(({ address }) => address?.startsWith(start)).length;
    expect([from("203."), from("2001:db8::"), from("2001:db8:0:1:")]).toEqual([110, 100, 50]);
    expect(db.counted()).toBe(5050 - 260);
  });

  it("from ever new addresses are bounded all together", async () => {
    const db = database();
    for (const one of flood(5000, (i) => ({ address: `198.51.${i >> 8}.${i & 255}` }))) db.writer.add(one);
    expect(await flushed(db.writer)).toBe(true);
    expect([db.rows.size, db.counted()]).toEqual([500, 4500]);
  });

  it("push out nobody's rows, and are few bytes", async () => {
    const db = database();
    db.state.failure = down;
    for (let i = 0; i < 100; i += 1) {
      for (const one of flood(200, (j) => ({ address: `2001:db8:${i}:${j}::1` }))) db.writer.add(one);
      db.writer.add(entry(`req_${i}`));
      await vi.advanceTimersByTimeAsync(1000);
    }
    db.state.failure = undefined;
    expect(await flushed(db.writer)).toBe(true);
    const rows = [...db.rows.values()];
    expect(rows.filter(({ applicationId }) => applicationId === "app")).toHaveLength(100);
    const strangers = rows.filter(({ applicationId }) => applicationId === null);
    expect(strangers.length).toBeGreaterThanOrEqual(1000);
    expect(strangers.length).toBeLessThanOrEqual(1250); // and a batch that was on its way
    expect(JSON.stringify(strangers).length).toBeLessThan(strangers.length * 600);
    expect(rows.length + db.counted()).toBe(20_100);
  });

  it("that name an application share the strangers' room, not the application's", async () => {
    const db = database();
    const named = { isAuthenticated: false, accountId: null, path: "/oauth/authorize", status: 400 };
    for (let i = 0; i < 3000; i += 1)
      db.writer.add(entry(`named_${i}`, { ...named, address: `198.51.${i >> 8}.${i & 255}` }));
    addMany(db.writer, 5);
    expect(await flushed(db.writer)).toBe(true);
    expect(db.rows.size).toBe(505);
  });
});

describe("requests refused for their rate", () => {
  it("are stored some a second for each application, and all that are admitted", async () => {
    const db = database();
    for (let i = 0; i < 4000; i += 1) db.writer.add(entry(`throttled_${i}`, { status: 429 }));
    addMany(db.writer, 600);
    for (let i = 0; i < 10; i += 1) db.writer.add(entry(`other_${i}`, { status: 429, applicationId: "other" }));
    expect(await flushed(db.writer)).toBe(true);
    expect(db.rows.size).toBe(500 + 600 + 10);
    expect([...db.tallies.values()].flat()).toMatchObject([
      { applicationId: "app", requests: 3500, clientErrors: 3500, throttled: 3500 },
    ]);
  });
});

describe("at shutdown", () => {
  it("what was only counted is written too", async () => {
    const db = database();
    for (const one of flood(300)) db.writer.add(one);
    expect(await flushed(db.writer)).toBe(true);
    expect([db.rows.size, db.counted()]).toEqual([100, 200]);
  });

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
    const never = () => new Promise<void>(() => undefined);
    const writer = requestLogWriter({ log: () => undefined, readShare: 1, write: never, count: never });
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
      eventKeys: [keyOfEventId("cal_1", "evt")],
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

  it("whose redaction fails is stored without bodies, and never lost", async () => {
    const failing = { toString: () => CANARY };
    const unreadable = {
      get summary(): string {
        throw new Error(CANARY);
      },
    };
    for (const row of [
      await rowOf({ requestBody: { value: unreadable, bytes: 20 }, responseBody: { text: "{}" } }),
      await rowOf({ requestHeaders: [[failing as never, CANARY]], responseBody: { text: `{"a":"${CANARY}"}` } }),
      await rowOf({ requestBody: { value: { deep: unreadable }, bytes: 20_000 } }),
    ]) {
      expect(row).toMatchObject({ requestId: "caller-id", status: 202, applicationId: "app" });
      expect(JSON.stringify(row)).not.toContain(CANARY);
    }
    const row = await rowOf({ requestBody: { value: unreadable, bytes: 20 }, responseBody: { text: "{}" } });
    expect([row.requestBody, row.responseBody]).toEqual([
      { truncated: true, bytes: 20 },
      { truncated: true, bytes: 2 },
    ]);
  });

  it.each(["%20", "%22", "%2520", "%", "%zz", "x", "%E9", "-", "%00"])(
    "has no token in its path behind %s",
    async (before) => {
      const token = "at_0123456789abcdefABCDEF0123456789";
      const spellings = [
        token,
        token.replace("_", "%5F"),
        token.replace("at", "%61t"),
        token.replace("at", "%252561%74"),
      ];
      for (const spelt of spellings) {
        expect((await rowOf({ path: `/v1/calendars/${before}${spelt}/events` })).path).toBe("[redacted]");
      }
    },
  );

  it("has no token in its path", async () => {
    expect((await rowOf({ path: "/v1/channels/at_0123456789abcdef0123456789" })).path).toBe("[redacted]");
  });
});
