import { it, onTestFinished } from "vitest";
import { openJobs } from "@/server/jobs/start";
import { ownReceiver } from "../own-receiver";
import { openCalendar } from "../service";
import { openChannel, theyWrite } from "../webhooks/world";

const WITHIN_MS = 30_000;

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });

it("a wake-up calls the work in this process: notifications leave at once", async () => {
  const jobs = openJobs();
  await jobs.begin();
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
});
