import { expect, it } from "vitest";
import { dayFromNow } from "./dates";
import { openCalendar } from "./service";
import { eventsOf } from "./written-series";

const [D1, D2] = [dayFromNow(1), dayFromNow(2)];

it.each([
  ["the series' own zone, when none is named", {}, "Asia/Kolkata", `${D2}T06:30:00Z`],
  ["tzid, when it is sent", { tzid: "Asia/Tokyo" }, "Asia/Kolkata", `${D2}T03:00:00Z`],
  [
    "the zone beside it, whatever tzid says",
    { tzid: "Asia/Tokyo", beside: "Etc/UTC" },
    "Asia/Kolkata",
    `${D2}T12:00:00Z`,
  ],
])(
  "a local time of a changed occurrence is of %s",
  async (_, { tzid, beside }: { tzid?: string; beside?: string }, own, start) => {
    const opened = await openCalendar();
    const times = { start: `${D1}T03:30:00Z`, end: `${D1}T04:00:00Z`, tzid: own };
    await opened.write({
      event_id: "e",
      summary: "s",
      ...times,
      recurrence: { rules: [{ frequency: "daily", count: 3 }] },
    });
    const at = (time: string) => ({ time: `${D2}T${time}`, ...(beside && { tzid: beside }) });
    const change = {
      event_id: "e",
      occurrence_date: D2,
      start: at("12:00:00"),
      end: at("12:30:00"),
      ...(tzid && { tzid }),
    };
    expect((await opened.post(`/v1/calendars/${opened.calendarId}/events/occurrences`, change)).status).toBe(202);
    const { json } = await opened.get("/v1/events", { tzid: "Etc/UTC", only_managed: "true" });
    expect(json.events.find((event: { occurrence_date: string }) => event.occurrence_date === D2).start).toBe(start);
  },
);

it("a series keeps four million characters of changed texts: more is errors.too_big on occurrence_date, and nothing is lost", async () => {
  const opened = await openCalendar();
  const times = { start: `${D1}T03:30:00Z`, end: `${D1}T04:00:00Z`, tzid: "Etc/UTC" };
  await opened.write({ event_id: "e", summary: "s", ...times, recurrence: { rules: [{ frequency: "daily" }] } });
  const path = `/v1/calendars/${opened.calendarId}/events/occurrences`;
  const text = "x".repeat(50_000);
  let answer = { status: 202, json: undefined as unknown };
  for (let i = 1; i <= 100 && answer.status === 202; i++) {
    answer = await opened.post(path, { event_id: "e", occurrence_date: dayFromNow(i), description: text });
  }
  expect(answer).toMatchObject({ status: 422, json: { errors: { occurrence_date: [{ key: "errors.too_big" }] } } });
  const events = await eventsOf(opened, { only_managed: "true" });
  expect(events.filter(({ description }) => description === text)).toHaveLength(80);
});
