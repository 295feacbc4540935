import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { startJobs } from "@/server/jobs/start";
import { type Receiver, startReceiver } from "../../fakes/receiver";
import { storedRuns } from "../../fakes/stored-runs";
import { ownDatabase } from "../own-database";
import { openCalendar } from "../service";
import { openChannel, theyWrite } from "../webhooks/world";

const WITHIN_MS = 30_000;

let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
ownDatabase(() => ({ CALLBACK_ALLOWED_ORIGINS: receiver.origin, LOG_LEVEL: "fatal" }));
afterAll(() => receiver.close());

it("a wake-up calls the work in this process: notifications leave without an event and without a run", async () => {
  const jobs = await startJobs();
  onTestFinished(async () => {
    await jobs.drain();
    await jobs.end();
  });
  const opened = await openCalendar();
  const { channel_id } = await openChannel(opened, receiver.url());
  const next = (type: string) =>
    receiver.next(({ json }) => json.channel.channel_id === channel_id && json.notification.type === type, WITHIN_MS);
  await next("verification");
  await theyWrite(opened, "one");
  await next("change");
  expect(await db().prisma.backgroundEvent.count()).toBe(0);
  expect((await storedRuns()).filter(({ functionId }) => /-(notify|deliver)$/.test(functionId))).toEqual([]);
});
