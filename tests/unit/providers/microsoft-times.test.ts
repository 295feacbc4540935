import type { Event } from "@microsoft/microsoft-graph-types";
import { describe, expect, it } from "vitest";
import type { EventState } from "@/server/domain/events/event-state";
import { localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import { formatInstant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { adaAtMicrosoft } from "./microsoft-ada";

const spanOf = ({ span }: Pick<EventState, "span">) => [
  ...[formatInstant(span.starts), formatInstant(span.ends)],
  ...(span.allDay ? ["all day"] : []),
];
const startOf = ({ icalRecurrence }: EventState) => (icalRecurrence?.start ?? 0) as LocalTime;
const daily = {
  pattern: { type: "daily" as const, interval: 1 },
  range: { type: "noEnd" as const, startDate: "2027-03-26" },
};
const morning = (timeZone: string, more: Event = {}): Event => ({
  start: { dateTime: "2027-03-26T09:00:00", timeZone },
  end: { dateTime: "2027-03-26T10:00:00", timeZone },
  ...more,
});

describe("the time zone of an event", () => {
  it.each([
    ["W. Europe Standard Time", "Europe/Berlin"],
    ["Pacific Standard Time", "America/Los_Angeles"],
    ["Tonga Standard Time", "Pacific/Tongatapu"],
    ["India Standard Time", "Asia/Kolkata"],
    ["UTC", "Etc/UTC"],
  ])("is found by its Windows name: %s", async (name, tzid) => {
    const { calendar, read } = await adaAtMicrosoft();
    const { state } = await read(calendar.putEvent(morning(name)));
    expect(new Intl.DateTimeFormat("en", { timeZone: state.tzid ?? "" }).resolvedOptions().timeZone).toBe(
      new Intl.DateTimeFormat("en", { timeZone: tzid }).resolvedOptions().timeZone,
    );
  });

  it("is the calendar's where Outlook made one of its own, so that a series keeps its hour when clocks change", async () => {
    const { calendar, read } = await adaAtMicrosoft();
    const id = calendar.putEvent({ ...morning("W. Europe Standard Time", { recurrence: daily }), hasCustomZone: true });
    expect(calendar.event(id)?.originalStartTimeZone).toBe("tzone://Microsoft/Custom");
    const { state } = await read(id, "Europe/Madrid");
    expect(state.icalRecurrence).toMatchObject({ tzid: "Europe/Madrid" });
    expect(localText(startOf(state))).toBe("20270326T090000");
  });

  it("is none where nobody knows it, and the time is right all the same", async () => {
    const { calendar, read } = await adaAtMicrosoft();
    const { state } = await read(calendar.putEvent({ ...morning("W. Europe Standard Time"), hasCustomZone: true }));
    expect(state.tzid).toBeNull();
    expect(spanOf(state)).toEqual(["2027-03-26T08:00:00Z", "2027-03-26T09:00:00Z"]);
  });

  it("of a series is that of its rule", async () => {
    const { calendar, read } = await adaAtMicrosoft();
    const { state } = await read(calendar.putEvent(morning("Eastern Standard Time", { recurrence: daily })));
    expect(state).toMatchObject({ tzid: "America/New_York", icalRecurrence: { tzid: "America/New_York" } });
    expect(localText(startOf(state))).toBe("20270326T090000");
  });
});

describe("an event of whole days", () => {
  it.each([
    "UTC-11",
    "Hawaiian Standard Time",
    "UTC",
    "W. Europe Standard Time",
    "UTC+13",
    "Line Islands Standard Time",
  ])("is on its own dates, made in %s", async (timeZone) => {
    const { calendar, read } = await adaAtMicrosoft();
    const id = calendar.putEvent({
      isAllDay: true,
      start: { dateTime: "2027-03-28T00:00:00", timeZone },
      end: { dateTime: "2027-03-30T00:00:00", timeZone },
    });
    const { state } = await read(id);
    expect(spanOf(state)).toEqual(["2027-03-28T00:00:00Z", "2027-03-30T00:00:00Z", "all day"]);
    expect(state.tzid).toBeNull();
  });

  it.each(["UTC-11", "W. Europe Standard Time", "UTC+13", "Line Islands Standard Time"])(
    "has its exceptions on their own dates, made in %s",
    async (timeZone) => {
      const { calendar, read } = await adaAtMicrosoft();
      const time = (day: string) => ({ dateTime: `${day}T00:00:00`, timeZone });
      const id = calendar.putEvent({
        ...{ subject: "Trip", isAllDay: true, start: time("2027-03-26"), end: time("2027-03-27") },
        recurrence: { ...daily, pattern: { type: "daily", interval: 7 } },
      });
      calendar.changeEvent(calendar.occurrenceId(id, "2027-04-02"), { subject: "Longer trip" });
      calendar.deleteOccurrence(id, "2027-04-09");
      const { icalRecurrence } = (await read(id)).state;
      expect(icalRecurrence).toMatchObject({
        allDay: true,
        duration: { days: 1, exact: 0 },
        exdates: [{ text: "20270409" }],
        overrides: [
          {
            ...{ recurrenceId: Date.UTC(2027, 3, 2), starts: Date.UTC(2027, 3, 2), ends: Date.UTC(2027, 3, 3) },
            fields: { summary: "Longer trip" },
          },
        ],
      });
    },
  );
});

describe("a series", () => {
  it("has its exceptions and cancelled occurrences, with the etags of what is an item of its own", async () => {
    const { calendar, read } = await adaAtMicrosoft();
    const id = calendar.putEvent(morning("W. Europe Standard Time", { subject: "Stand-up", recurrence: daily }));
    calendar.deleteOccurrence(id, "2027-03-27");
    const time = (clock: string) => ({ dateTime: `2027-03-29T${clock}`, timeZone: "W. Europe Standard Time" });
    calendar.moveOccurrence(id, "2027-03-29", { start: time("14:00:00"), end: time("14:45:00") });
    calendar.changeEvent(calendar.occurrenceId(id, "2027-03-30"), {
      showAs: "free",
      location: { displayName: "Hall" },
    });
    const { version, parts, state } = await read(id);
    expect(version).toBe(calendar.event(id)?.["@odata.etag"]);
    expect(Object.values(parts ?? {}).sort()).toEqual(
      ["2027-03-29", "2027-03-30"].map((day) => calendar.event(calendar.occurrenceId(id, day))?.["@odata.etag"]).sort(),
    );
    expect(state.icalRecurrence?.exdates).toEqual([{ text: "20270327T090000" }]);
    expect(state.icalRecurrence?.overrides).toEqual([
      {
        recurrenceId: Date.UTC(2027, 2, 29, 9),
        starts: Date.UTC(2027, 2, 29, 12),
        ends: Date.UTC(2027, 2, 29, 12, 45),
        fields: {},
      },
      {
        recurrenceId: Date.UTC(2027, 2, 30, 9),
        starts: Date.UTC(2027, 2, 30, 7),
        ends: Date.UTC(2027, 2, 30, 8),
        fields: { transparency: "transparent", location: "Hall" },
      },
    ]);
  });

  it("that begins between two minutes has its exceptions in their places", async () => {
    const { calendar, read } = await adaAtMicrosoft();
    const time = (clock: string) => ({ dateTime: `2027-03-26T${clock}`, timeZone: "UTC" });
    const id = calendar.putEvent({ start: time("02:36:12"), end: time("02:46:12"), recurrence: daily });
    calendar.changeEvent(calendar.occurrenceId(id, "2027-03-27"), { subject: "Other" });
    const { icalRecurrence } = (await read(id)).state;
    expect(icalRecurrence?.start).toBe(Date.UTC(2027, 2, 26, 2, 36));
    expect(icalRecurrence?.overrides).toMatchObject([{ recurrenceId: Date.UTC(2027, 2, 27, 2, 36) }]);
  });
});
