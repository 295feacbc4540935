import pg from "pg";
import { describe, expect, it } from "vitest";
import { Prisma } from "@/server/db/generated/client";
import { errorFacts } from "@/server/log";

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
