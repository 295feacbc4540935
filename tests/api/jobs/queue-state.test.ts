import { beforeAll, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { readQueues } from "@/server/jobs/queue-state";
import { seedAccount, seedApplication, seedChannels, seedDeliveries } from "@/tests/rig/seed";
import { ownDatabase } from "../own-database";
import { providerCalendar } from "../provider-calendar";

ownDatabase();

let ids: string[];

beforeAll(async () => {
  const { accountId } = await seedAccount(db(), await seedApplication(db()));
  ids = await seedDeliveries(db(), await seedChannels(db(), { accountId, urls: ["http://127.0.0.1:9/hook"] }), 3);
});

const of = async (work: string) => (await readQueues()).find((one) => one.work === work);

it("a queue has as many jobs as are due", async () => {
  expect(await of("deliver")).toEqual({ work: "deliver", provider: "", depth: 3, age: 0 });
  expect(await of("push")).toEqual({ work: "push", provider: "", depth: 0, age: null });
});

it("is as old as its oldest due job, in steps", async () => {
  const at = new Date(Date.now() - 100_000);
  await db().prisma.delivery.updateMany({ where: { id: ids[0] ?? "" }, data: { nextAttemptAt: at } });
  expect(await of("deliver")).toEqual({ work: "deliver", provider: "", depth: 3, age: 60 });
});

it("does not count what is due later", async () => {
  const at = new Date(Date.now() + 100_000);
  await db().prisma.delivery.updateMany({ data: { nextAttemptAt: at } });
  expect(await of("deliver")).toEqual({ work: "deliver", provider: "", depth: 0, age: null });
});

it("syncs have no lag where none is due, and that of their provider where one is", async () => {
  const syncs = async () => (await readQueues()).filter(({ work }) => work === "sync");
  expect(await syncs()).toEqual([]);
  await providerCalendar("google");
  const due = (secondsAgo: number) =>
    db().query(
      "UPDATE profile_syncs SET provider = 'google', readable = true, sync_due_at = clock_timestamp() - make_interval(secs => $1)",
      [secondsAgo],
    );
  await due(100);
  expect(await syncs()).toEqual([{ work: "sync", provider: "google", depth: null, age: 60 }]);
  await due(-100);
  expect(await syncs()).toEqual([]);
});
