import { afterAll, beforeAll, expect, it } from "vitest";
import { startSmallDav } from "../fakes/small-dav/small-dav";
import { fileEnvironment } from "./file-environment";
import { connectPerson, day, ours } from "./world";

/** It takes no DTEND that is not after DTSTART (RFC 5545 §3.8.2.2). */
let dav: Awaited<ReturnType<typeof startSmallDav>>;
beforeAll(async () => {
  dav = await startSmallDav({ refusesNoLength: "with DTEND" });
});
fileEnvironment(() => ({ ICLOUD_CALDAV_URL: dav.url, LOG_LEVEL: "error" }));
afterAll(() => dav.close());

const times = (minutes: number) => ({
  start: `${day(2)}T09:00:00Z`,
  end: `${day(2)}T09:${String(minutes).padStart(2, "0")}:00Z`,
});

it("an event of no length is written without an end, read as one, and has an end again when it is longer", async () => {
  const resources = dav.calendar("personal");
  const { calendarId, post, push, sync, events } = await connectPerson(dav, dav);
  const id = await calendarId("personal");
  const write = async (minutes: number) => {
    expect(await post(`/v1/calendars/${id}/events`, ours("short", times(minutes)))).toMatchObject({ status: 202 });
    await push();
    await sync();
    const [event] = await events(id);
    expect(Date.parse(event.end) - Date.parse(event.start)).toBe(minutes * 60_000);
    return [...resources.values()].join("");
  };
  expect(await write(0)).not.toMatch(/^(DTEND|DURATION)/m);
  expect(await write(30)).toMatch(/^DTEND/m);
  expect(await write(0)).not.toMatch(/^(DTEND|DURATION)/m);
});

it("where no such event is taken at all it lasts a minute, and is there", async () => {
  dav.options.refusesNoLength = "all";
  const { calendarId, post, push, sync, events } = await connectPerson(dav, dav);
  const id = await calendarId("personal");
  await post(`/v1/calendars/${id}/events`, ours("other", times(0)));
  await push();
  await sync();
  expect((await events(id)).find((event) => event.event_id === "other")).toMatchObject(times(1));
});
