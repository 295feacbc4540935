import { EventEmitter } from "node:events";
import * as api from "@opentelemetry/api";
import * as core from "@opentelemetry/core";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { tracePool } from "@/server/db/traced-pool";
import { spansOf } from "@/server/front-door/tracing/spans";
import type { Tracing } from "@/server/tracing";

let sent: InMemorySpanExporter;
let tracing: Tracing;

beforeEach(() => {
  sent = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(sent)] });
  tracing = spansOf(provider.getTracer("test"), { api, core });
});

const spans = () => sent.getFinishedSpans();
const spanOf = (name: string) => spans().find((span) => span.name === name);
const inside = <T>(name: string, work: () => Promise<T>) => tracing.within({ name, kind: "internal" }, work);

describe("a span", () => {
  it("has those below it that begin while it is open, however deep in asynchronous code", async () => {
    await inside("above", async () => {
      await Promise.resolve();
      tracing.leaf("below", {})?.end();
    });
    expect(spanOf("below")?.parentSpanContext?.spanId).toBe(spanOf("above")?.spanContext().spanId);
  });

  it("gets none after its end, and is no cause any more", async () => {
    let later = () => {};
    const waited = new Promise<void>((resolve) => {
      later = resolve;
    });
    const outliving: Promise<unknown>[] = [];
    await inside("above", async () => {
      outliving.push(waited.then(() => [tracing.leaf("late", {}), tracing.current()]));
    });
    later();
    expect(await Promise.all(outliving)).toEqual([[null, null]]);
  });

  it("is not around what runs outside of it", async () => {
    await inside("above", async () => {
      expect(tracing.current()).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
      expect(tracing.outside(() => tracing.current())).toBeNull();
    });
  });

  it("fails with the name of an error, never with its message", async () => {
    const failing = inside("failing", () => Promise.reject(new TypeError("a row: hunter2")));
    await expect(failing).rejects.toThrow();
    expect(spanOf("failing")).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "TypeError" } });
    expect(JSON.stringify(spanOf("failing")?.events)).toBe("[]");
  });

  it.each(["", "nonsense", "00-0-0-00", `ff-${"a".repeat(32)}-${"b".repeat(16)}-01`])(
    "is the first of its trace where its parent is %j",
    async (parent) => {
      await tracing.within({ name: "first", kind: "server", parent }, async () => {});
      expect(spanOf("first")?.parentSpanContext).toBeUndefined();
    },
  );
});

/** What of a pool pg's own code and ours use: two who wait are called by the one who gives the connection back. */
function onePool() {
  const client = { query: (_: unknown, __: unknown, done: (error: unknown) => void) => setImmediate(done, null) };
  const waiting: ((error: null, client: unknown) => void)[] = [];
  const pool = Object.assign(new EventEmitter(), {
    connect: (callback: (error: null, client: unknown) => void) => void waiting.push(callback),
  });
  const free = () => waiting.shift()?.(null, client);
  tracePool(pool as unknown as pg.Pool, tracing);
  pool.emit("connect", client);
  const query = (text: string) =>
    new Promise<void>((resolve) => {
      pool.connect(() => client.query(text, [], () => resolve()));
    });
  return { query, free };
}

describe("a statement that waited for a connection", () => {
  it("belongs to whoever asked for it, not to whoever gave the connection back", async () => {
    const { query, free } = onePool();
    const asking = inside("asks", () => query("SELECT id FROM events WHERE summary = 'hunter2'"));
    await inside("gives back", async () => void free());
    await asking;
    const statement = spanOf("SELECT events");
    expect(statement?.parentSpanContext?.spanId).toBe(spanOf("asks")?.spanContext().spanId);
    expect(JSON.stringify(statement?.attributes)).not.toContain("hunter2");
  });

  it("is no span if it submits itself, and is given back as it is", async () => {
    const cursor = { text: "SELECT id FROM events", submit: () => {} };
    const client = { query: (given: unknown) => given };
    const pool = Object.assign(new EventEmitter(), { connect: () => {} });
    tracePool(pool as unknown as pg.Pool, tracing);
    pool.emit("connect", client);
    await inside("reads", async () => expect(client.query(cursor)).toBe(cursor));
    expect(spans().map(({ name }) => name)).toEqual(["reads"]);
  });

  it("is no span outside of one", async () => {
    const { query, free } = onePool();
    const asking = query("SELECT 1");
    free();
    await asking;
    expect(spans()).toEqual([]);
  });
});
