import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { dropOldDeliveries } from "@/server/webhooks/retention";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { setPayload } from "../../fakes/stored-signals";
import { ownReceiver } from "../own-receiver";
import { type Opened, openCalendar } from "../service";
import { openChannel, theyWrite, work } from "./world";

const DAY = 86_400_000;

const receiver = ownReceiver();
let clock: FakeClock;

beforeEach(() => {
  clock = fakeClock();
  receiver.answer(200);
});

async function aSecondLater() {
  clock.advance(1_100);
  await work();
}

const seen = ({ accountId }: Opened) =>
  db().prisma.seenChange.findMany({ where: { accountId }, orderBy: { minute: "asc" } });

describe("what others change in a calendar is noted", () => {
  it("once a minute, from the first to the last, whether or not a filter lets it through", async () => {
    const opened = await openCalendar();
    await openChannel(opened, receiver.url(), { only_managed: true });
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    const after = [20, 5, 40, 61].map((seconds) => minute + seconds * 1_000);
    for (const [index, at] of after.entries()) {
      await theyWrite(opened, `event ${index}`);
      await setPayload(opened.accountId, { at });
      await aSecondLater();
    }
    const rows = await seen(opened);
    expect(rows.map(({ firstAt, lastAt }) => [firstAt, lastAt].map((at) => at.getTime()))).toEqual([
      [after[1], after[2]],
      [after[3], after[3]],
    ]);
    expect(rows.map((row) => [row.minute.getTime(), row.calendarId, row.managed])).toEqual([
      [minute, opened.calendarId, false],
      [minute + 60_000, opened.calendarId, false],
    ]);
  });

  it("but not while no channel is open, nor what the application wrote itself", async () => {
    const opened = await openCalendar();
    await theyWrite(opened, "before");
    await aSecondLater();
    await openChannel(opened, receiver.url());
    const day = new Date(Date.now() + 3 * DAY).toISOString().slice(0, 10);
    const own = { event_id: "own", summary: "Ours", start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` };
    expect((await opened.post(`/v1/calendars/${opened.calendarId}/events`, own)).status).toBe(202);
    await aSecondLater();
    expect(await seen(opened)).toEqual([]);
  });

  it("and kept as long as deliveries", async () => {
    const opened = await openCalendar();
    await openChannel(opened, receiver.url());
    await theyWrite(opened, "one");
    await aSecondLater();
    await dropOldDeliveries(db(), (clock.now() + 29 * DAY) as Instant);
    expect(await seen(opened)).toHaveLength(1);
    await dropOldDeliveries(db(), (clock.now() + 31 * DAY) as Instant);
    expect(await seen(opened)).toEqual([]);
  });
});
