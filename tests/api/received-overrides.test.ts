import { expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { receiveEvents } from "@/server/store/events/receive";
import { fakeClock } from "../fakes/clock";
import { NOW, opened } from "./read-under-test";
import { eventsOf, stampsOf } from "./written-series";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const start = Date.parse("2025-12-01T08:00:00Z") as Instant;
const second = "2025-12-08";

/** A weekly series of others, without end; `moved`: where its second occurrence lies. */
function weekly(moved?: { starts: Instant; ends: Instant }): EventState {
  const icalRecurrence: StoredIcalRecurrence = {
    allDay: false,
    start: start as number as LocalTime,
    tzid: "Etc/UTC",
    duration: { days: 0, exact: HOUR_MS },
    rrules: ["FREQ=WEEKLY"],
    exrules: [],
    rdates: [],
    exdates: [],
    overrides: moved ? [{ recurrenceId: Date.parse(`${second}T08:00:00Z`) as LocalTime, ...moved, fields: {} }] : [],
  };
  return {
    ...{ summary: "Theirs", description: "", location: null, url: null, tzid: "Etc/UTC", transparency: "opaque" },
    ...{ private: false, status: "confirmed", participationStatus: "accepted", organizer: null, attendees: [] },
    ...{ categories: [], conferencing: null, ruleSeries: null, icalRecurrence },
    span: { starts: start, ends: (start + HOUR_MS) as Instant, allDay: false },
  };
}

it("an occurrence that others moved beyond the stored window is there, as changed, when the window comes to it", async () => {
  const calendar = await opened();
  const receive = (state: EventState) =>
    receiveEvents(db(), {
      calendarId: calendar.calendarId,
      events: [{ externalId: "weekly", version: null, state }],
      gone: [],
      now: NOW as Instant,
    });
  await receive(weekly());
  const far = Date.parse("2026-09-01T08:00:00Z") as Instant;
  await receive(weekly({ starts: far, ends: (far + HOUR_MS) as Instant }));
  const away = await stampsOf(calendar);
  const moved = async () => (await eventsOf(calendar)).find(({ occurrence_date }) => occurrence_date === second);
  expect(await moved()).toBeUndefined();
  fakeClock(NOW + 120 * DAY_MS);
  expect(await moved()).toMatchObject({ start: "2026-09-01T08:00:00Z", deleted: false });
  const near = await stampsOf(calendar);
  expect((near[second] ?? "") > (away[second] ?? "")).toBe(true);
  expect(near["2025-12-01"]).toBe(away["2025-12-01"]);
});
