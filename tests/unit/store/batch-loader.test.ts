import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Query } from "@/server/db/client";
import { int4, statement, text } from "@/server/db/statement";
import { type BatchLookup, loadBatched } from "@/server/store/batch-loader";

interface Sent {
  sql: string;
  keys: string[];
  give(...rows: object[]): Promise<void>;
  fail(error: Error): Promise<void>;
}

interface Named {
  name: string;
}

const lookUp: BatchLookup<string, Named> = {
  alone: async (query, key) => (await query<Named>("one", [key]))[0],
  many: statement<Named & { place: number }>("many", { name: text, place: int4 }),
  manyValues: (keys) => [...keys],
};

/** A database that holds each statement until the test answers it. */
function heldDatabase() {
  const sent: Sent[] = [];
  const settled = () => vi.advanceTimersByTimeAsync(0);
  const query = (sql: string, values: readonly unknown[] = []) =>
    new Promise<object[]>((resolve, reject) => {
      const keys = values.map(String);
      const give = async (...rows: object[]) => {
        resolve(rows);
        await settled();
      };
      const fail = async (error: Error) => {
        reject(error);
        await settled();
      };
      sent.push({ sql, keys, give, fail });
    });
  return { db: query as Query, sent };
}

function at<One>(list: readonly One[], index: number): One {
  const found = list[index];
  if (found === undefined) throw new Error(`there is no ${index}`);
  return found;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("look-ups that are batched", () => {
  it("asks for one at once, and for those that come meanwhile together", async () => {
    const { db, sent } = heldDatabase();
    const found = ["a", "b", "c"].map((key) => loadBatched(db, lookUp, key));
    expect(sent.map(({ sql, keys }) => [sql, keys])).toEqual([["one", ["a"]]]);
    await at(sent, 0).give({ name: "A" });
    expect(sent.slice(1).map(({ sql, keys }) => [sql, keys])).toEqual([["many", ["b", "c"]]]);
    await at(sent, 1).give({ name: "C", place: 1 }, { name: "B", place: 0 });
    expect(await Promise.all(found)).toEqual([{ name: "A" }, { name: "B", place: 0 }, { name: "C", place: 1 }]);
  });

  it("gives each key its own row, also the same one twice, and nothing where there is none", async () => {
    const { db, sent } = heldDatabase();
    const found = ["a", "b", "nobody", "b"].map((key) => loadBatched(db, lookUp, key));
    await at(sent, 0).give();
    await at(sent, 1).give({ name: "B", place: 2 }, { name: "B", place: 0 });
    expect((await Promise.all(found)).map((row) => row?.name)).toEqual([undefined, "B", undefined, "B"]);
  });

  it("fails for those of the statement that failed, and goes on", async () => {
    const { db, sent } = heldDatabase();
    const first = loadBatched(db, lookUp, "a");
    const failing = ["b", "c"].map((key) => loadBatched(db, lookUp, key).catch((error: Error) => error.message));
    await at(sent, 0).give({ name: "A" });
    const next = loadBatched(db, lookUp, "d");
    await at(sent, 1).fail(new Error("connection lost"));
    expect(await Promise.all(failing)).toEqual(["connection lost", "connection lost"]);
    await at(sent, 2).give({ name: "D" });
    expect([await first, await next]).toEqual([{ name: "A" }, { name: "D" }]);
  });

  it("waits for a slow statement no longer than 10 ms", async () => {
    const { db, sent } = heldDatabase();
    void loadBatched(db, lookUp, "slow");
    const second = loadBatched(db, lookUp, "b");
    await vi.advanceTimersByTimeAsync(9);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await at(sent, 1).give({ name: "B" });
    expect(await second).toEqual({ name: "B" });
  });

  it("lets no more than 64 wait", () => {
    const { db, sent } = heldDatabase();
    for (let n = 0; n < 1 + 64; n += 1) void loadBatched(db, lookUp, `key ${n}`);
    expect(sent.map(({ keys }) => keys.length)).toEqual([1, 64]);
  });

  it("keeps databases and look-ups apart", () => {
    const [one, other] = [heldDatabase(), heldDatabase()];
    void loadBatched(one.db, lookUp, "a");
    void loadBatched(other.db, lookUp, "a");
    void loadBatched(one.db, { ...lookUp }, "a");
    expect([one.sent.length, other.sent.length]).toEqual([2, 1]);
  });

  it("tries what has no row, or fails, by itself where that is wanted", async () => {
    const { db, sent } = heldDatabase();
    const trying = { ...lookUp, isTriedAlone: true };
    const found = ["a", "b", "c"].map((key) => loadBatched(db, trying, key));
    await at(sent, 0).give({ name: "A" });
    await at(sent, 1).give({ name: "C", place: 1 });
    await at(sent, 2).give({ name: "B" });
    expect((await Promise.all(found)).map((row) => row?.name)).toEqual(["A", "B", "C"]);
    const failing = ["d", "e", "f"].map((key) => loadBatched(db, trying, key).catch((error: Error) => error.message));
    await at(sent, 3).give({ name: "D" });
    await at(sent, 4).fail(new Error("one of them is wrong"));
    expect(sent.slice(5).map(({ sql, keys }) => [sql, keys])).toEqual([
      ["one", ["e"]],
      ["one", ["f"]],
    ]);
    await at(sent, 5).give({ name: "E" });
    await at(sent, 6).fail(new Error("f is wrong"));
    expect(await Promise.all(failing)).toEqual([{ name: "D" }, { name: "E" }, "f is wrong"]);
  });

  it("never lets keys go together that are to stay apart", async () => {
    const { db, sent } = heldDatabase();
    const apart = { ...lookUp, apart: (key: string) => key.charAt(0) };
    for (const key of ["x", "a1", "a2", "b1", "a3"]) void loadBatched(db, apart, key);
    await at(sent, 0).give();
    expect(at(sent, 1).keys).toEqual(["a1", "b1"]);
    await at(sent, 1).give();
    expect(at(sent, 2).keys).toEqual(["a2"]);
    await vi.advanceTimersByTimeAsync(10);
    expect(at(sent, 3).keys).toEqual(["a3"]);
  });
});
