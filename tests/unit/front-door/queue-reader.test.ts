import { setTimeout as wait } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { provideEnv } from "@/server/env";
import { queueReader } from "@/server/front-door/metrics/server";
import { noteUnhandled } from "@/tests/fakes/unhandled";

type Read = NonNullable<NonNullable<Parameters<typeof queueReader>[1]>["read"]>;
const nothing = { queues: null, chores: null, budgets: null };

it("a scrape does not wait for a database that does not respond, and has the queues again when it does", async () => {
  provideEnv({ BASE_URL: "http://api.almanac.localhost" });
  const found = { queues: [], chores: [], budgets: [] };
  const read = vi.fn<Read>(() => new Promise(() => {}));
  const queues = queueReader(true, { read, withinMs: 5 });
  expect(await queues()).toEqual(nothing);
  read.mockResolvedValue(found);
  expect(await queues()).toBe(found);
});

it("a read that fails at once is no queues, and one that fails too late is no error of the process", async () => {
  provideEnv({ BASE_URL: "http://api.almanac.localhost" });
  const unhandled = noteUnhandled();
  const fails = async (ms: number): Promise<never> => {
    await wait(ms);
    throw new Error("the database is away");
  };
  const late = vi.fn(() => fails(20));
  expect(await queueReader(true, { read: () => fails(0), withinMs: 60_000 })()).toEqual(nothing);
  expect(await queueReader(true, { read: late, withinMs: 1 })()).toEqual(nothing);
  await expect(late.mock.results[0]?.value).rejects.toThrow("the database is away");
  await wait(1);
  expect(unhandled).not.toHaveBeenCalled();
});
