import { describe, expect, it } from "vitest";
import { localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import { type Day, parseDay } from "@/server/domain/time/day";
import type { Item } from "@/server/providers/microsoft/item";
import { itemOf } from "@/server/providers/microsoft/series-items";
import { occurrenceIds } from "@/server/providers/microsoft/write-occurrences";
import { at, writingToMicrosoft } from "./microsoft-writing";

describe("a series in a time zone that Outlook made itself", () => {
  it("keeps its hour when the application renames it", async () => {
    const { api, push, calendar, read } = await writingToMicrosoft();
    const times = (hour: string) => ({ dateTime: `2027-03-26T${hour}:30:00`, timeZone: "W. Europe Standard Time" });
    const recurrence = {
      pattern: { type: "daily" as const, interval: 1 },
      range: { type: "noEnd" as const, startDate: "2027-03-26" },
    };
    const id = calendar.putEvent({
      ...{ subject: "Weekly", start: times("00"), end: times("01"), recurrence, hasCustomZone: true },
    });
    const before = await read(id, "Europe/Madrid");
    const written = await push(
      { ...before.state, summary: "Renamed" },
      { externalId: id, version: before.version, changedFields: ["summary"] },
    );
    expect(written).toMatchObject({ kind: "done", state: { summary: "Renamed", tzid: "Europe/Madrid" } });
    const series = written.kind === "done" ? written.state?.icalRecurrence : null;
    expect(series).toMatchObject({ tzid: "Europe/Madrid" });
    expect(series && localText(series.start)).toBe("20270326T003000");
    expect(calendar.event(id)).toMatchObject({ subject: "Renamed" });
    const main = await itemOf(api, calendar.id, id);
    const days = await occurrenceIds(api, { calendarId: calendar.id, main: main as Item, tzid: "Europe/Madrid" }, [
      parseDay("2027-04-02") as Day,
    ]);
    const [occurrence] = days.values();
    expect(await itemOf(api, calendar.id, occurrence ?? "")).toMatchObject({
      start: { dateTime: expect.stringMatching(/^2027-04-01T22:30/) },
    });
    expect(before.state.span.starts).toBe(at("2027-03-25T23:30:00Z"));
  });
});
