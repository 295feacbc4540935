import pg from "pg";
import pino from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { context } from "@/server/context";
import { Prisma } from "@/server/db/generated/client";
import { errorFacts, lineOptions } from "@/server/log";

describe("an error in the log", () => {
  it("that throws when it is read is said to be unreadable", () => {
    const error = Object.defineProperty(new Error("x"), "code", {
      get: () => {
        throw new Error("no");
      },
    });
    expect(errorFacts(error)).toEqual({ type: "unreadable" });
  });

  it("of PostgreSQL quotes no row: only its code, table, constraint and frames", () => {
    const error = new pg.DatabaseError('invalid input syntax: "the canary"', 10, "error");
    Object.assign(error, {
      code: "23514",
      detail: "Failing row contains (the canary).",
      table: "events",
      constraint: "events_span",
      severity: "ERROR",
    });
    const facts = JSON.stringify(errorFacts(error));
    expect(facts).not.toContain("canary");
    expect(facts).toContain('"code":"23514","table":"events","constraint":"events_span"');
  });

  it("of Prisma quotes no value: only its name, code and frames", () => {
    const message = 'Invalid `findMany()` invocation: { where: { id: "the canary" } }';
    const known = new Prisma.PrismaClientKnownRequestError(message, { code: "P2010", clientVersion: "7" });
    const invalid = new Prisma.PrismaClientValidationError(message, { clientVersion: "7" });
    const facts = [known, invalid].map((error) => JSON.stringify(errorFacts(error)));
    expect(facts.join()).not.toContain("canary");
    expect(facts).toEqual([
      expect.stringContaining('"type":"PrismaClientKnownRequestError","code":"P2010"'),
      expect.stringContaining('"type":"PrismaClientValidationError"'),
    ]);
  });

  it("of ours keeps its message", () => {
    expect(errorFacts(new TypeError("what happened"))).toMatchObject({ type: "TypeError", message: "what happened" });
  });
});

describe("a line of the log", () => {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const former = context.tracing;
  afterEach(() => {
    context.tracing = former;
  });

  const line = () => {
    const lines: string[] = [];
    const options = lineOptions({ LOG_LEVEL: "info", ALMANAC_ROLE: "worker", PORT: 3001 });
    pino(options, { write: (text) => lines.push(text) })
      .child({ module: "jobs" })
      .warn("a sentence");
    return JSON.parse(lines.join(""));
  };

  it("has its level as a word, and the role and instance of its process", () => {
    const { time, ...rest } = line();
    expect(time).toBeGreaterThan(0);
    expect(rest).toEqual({
      ...{ level: "warn", role: "worker", module: "jobs", msg: "a sentence" },
      instance: expect.stringMatching(/^.+:3001$/),
    });
  });

  it("has the trace in which it was written, where there is one", () => {
    const none = { leaf: () => null, within: () => Promise.reject(), outside: <T>(work: () => T) => work() };
    context.tracing = { ...none, current: () => traceparent };
    expect(line().traceId).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
    context.tracing = { ...none, current: () => null };
    expect(line()).not.toHaveProperty("traceId");
  });
});
