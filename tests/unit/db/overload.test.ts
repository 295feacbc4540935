import { describe, expect, it } from "vitest";
import { Prisma } from "@/server/db/generated/client";
import { isOverload } from "@/server/db/overload";

const coded = (code: string) => Object.assign(new Error("canceling statement"), { code });
const waited = () => new Error("timeout exceeded when trying to connect");

describe("an overloaded database", () => {
  it.each<[string, unknown]>([
    ["waiting for the pool", waited()],
    ["no answer in time", new Error("Query read timeout")],
    ["a statement timeout", coded("57014")],
    ["a lock timeout", coded("55P03")],
    ["no connection left", coded("53300")],
    ["a deadlock that came again", coded("40P01")],
    ["the same inside another error", new Error("a procedure failed", { cause: waited() })],
    [
      "the same as Prisma tells it",
      new Prisma.PrismaClientKnownRequestError("x", {
        code: "P2010",
        clientVersion: "7",
        meta: { driverAdapterError: new Error("adapter", { cause: waited() }) },
      }),
    ],
  ])("is told by %s", (_, error) => {
    expect(isOverload(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["a statement that is wrong", coded("42601")],
    ["a row that breaks a rule", coded("23514")],
    ["a server that is not there", Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })],
    ["a fault of ours", new TypeError("x is not a function")],
    ["no error at all", "timeout exceeded when trying to connect"],
  ])("is not told by %s", (_, error) => {
    expect(isOverload(error)).toBe(false);
  });
});
