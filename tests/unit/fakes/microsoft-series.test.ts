import type { Client } from "@microsoft/microsoft-graph-client";
import type { Event } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, failure, type Listed, meeting, weekly } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;
let state: CalendarState;
let seriesId: string;

beforeEach(async () => {
  ({ microsoft, api, state } = await adaOfMicrosoft());
  seriesId = (await api.api("/me/events").post(weekly())).id;
});
afterEach(() => microsoft.close());

const berlin = "W. Europe Standard Time";
const times = (day: string, hour: string): Event => ({
  start: { dateTime: `${day}T${hour}:00:00`, timeZone: berlin },
  end: { dateTime: `${day}T${hour}:30:00`, timeZone: berlin },
});
const occurrence = (date: string) => state.occurrenceId(seriesId, date);
const patch = (id: string, changes: Event): Promise<Event> => api.api(`/me/events/${id}`).patch(changes);
const master = (query = ""): Promise<Event> => api.api(`/me/events/${seriesId}${query}`).get();

async function instances(): Promise<Listed["value"]> {
  const path = `/me/events/${seriesId}/instances?startDateTime=2027-01-01&endDateTime=2028-01-01&$top=50`;
  return (await api.api(path).header("Prefer", `outlook.timezone="${berlin}"`).get()).value;
}
const starts = async () => (await instances()).map(({ start }) => start?.dateTime?.slice(5, 16));
const byRule = ["03-01T09:00", "03-08T09:00", "03-15T09:00", "03-22T09:00", "03-29T09:00", "04-05T09:00"];

describe("an occurrence", () => {
  it("becomes an exception by a change, keeps its id and remembers when it should have been", async () => {
    const id = occurrence("2027-03-08");
    const before = await api.api(`/me/events/${id}`).get();
    expect(await patch(id, { subject: "Special", ...times("2027-03-09", "11") })).toMatchObject({
      id,
      type: "exception",
      seriesMasterId: seriesId,
      subject: "Special",
      originalStart: "2027-03-08T08:00:00Z",
    });
    expect(await starts()).toEqual([
      "03-01T09:00",
      "03-09T11:00",
      "03-15T09:00",
      "03-22T09:00",
      "03-29T09:00",
      "04-05T09:00",
    ]);
    expect((await api.api(`/me/events/${id}`).get()).changeKey).not.toBe(before.changeKey);
  });

  it("that is an exception follows its series in everything else", async () => {
    await patch(occurrence("2027-03-08"), { subject: "Special" });
    await patch(seriesId, { location: { displayName: "Room 1" }, subject: "Weekly" });
    const [first, second] = await instances();
    expect([first?.subject, first?.location?.displayName]).toEqual(["Weekly", "Room 1"]);
    expect([second?.subject, second?.location?.displayName]).toEqual(["Special", "Room 1"]);
  });

  it.each([
    ["onto the day of the one before", "2027-03-01"],
    ["before the one before", "2027-02-27"],
    ["onto the day of the one after", "2027-03-15"],
    ["after the one after", "2027-03-16"],
  ])("cannot be moved %s", async (_, day) => {
    expect(await failure(patch(occurrence("2027-03-08"), times(day, "09")))).toEqual({
      status: 400,
      code: "ErrorOccurrenceCrossingBoundary",
    });
  });

  it.each(["2027-03-02", "2027-03-14"])("can be moved to %s between its neighbours", async (day) => {
    expect(await patch(occurrence("2027-03-08"), times(day, "09"))).toMatchObject({ type: "exception" });
  });

  it("has neighbours where they were moved to, and none that were deleted", async () => {
    await patch(occurrence("2027-03-15"), times("2027-03-18", "09"));
    expect(await patch(occurrence("2027-03-08"), times("2027-03-16", "09"))).toMatchObject({ type: "exception" });
    await api.api(`/me/events/${occurrence("2027-03-29")}`).delete();
    expect(await patch(occurrence("2027-03-22"), times("2027-03-30", "09"))).toMatchObject({ type: "exception" });
  });

  it("that is deleted is found nowhere, but in the list of its series that has to be selected", async () => {
    const id = occurrence("2027-03-08");
    await api.api(`/me/events/${id}`).delete();
    expect(await failure(api.api(`/me/events/${id}`).get())).toEqual({ status: 404, code: "ErrorItemNotFound" });
    expect(await starts()).toEqual(byRule.filter((start) => start !== "03-08T09:00"));
    expect(await master()).not.toHaveProperty("cancelledOccurrences");
    const { cancelledOccurrences } = await master("?$select=subject,cancelledOccurrences");
    expect(cancelledOccurrences).toEqual([`OID.${seriesId}.2027-03-08`]);
  });

  it("of no day of the series does not exist", async () => {
    expect(await failure(api.api(`/me/events/${occurrence("2027-03-09")}`).get())).toMatchObject({ status: 404 });
  });

  it("has no recurrence of its own", async () => {
    expect(await failure(patch(occurrence("2027-03-08"), { recurrence: weekly().recurrence ?? null }))).toMatchObject({
      status: 400,
    });
    expect(await patch(occurrence("2027-03-08"), { recurrence: null, subject: "Fine" })).toMatchObject({
      subject: "Fine",
    });
  });

  it("has extended properties of its own beside those of its series", async () => {
    const id = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name almanac";
    await patch(seriesId, { singleValueExtendedProperties: [{ id, value: "series" }] });
    await patch(occurrence("2027-03-08"), { singleValueExtendedProperties: [{ id, value: "own" }] });
    const expand = `singleValueExtendedProperties($filter=id eq '${id}')`;
    const propertiesOf = async (event: string) =>
      (await api.api(`/me/events/${event}`).expand(expand).get()).singleValueExtendedProperties;
    expect(await propertiesOf(occurrence("2027-03-08"))).toEqual([{ id, value: "own" }]);
    expect(await propertiesOf(occurrence("2027-03-15"))).toEqual([{ id, value: "series" }]);
  });

  it("has the version of its series until it differs", async () => {
    const path = `/me/events/${occurrence("2027-03-08")}`;
    const before = await api.api(path).get();
    expect(before.changeKey).toBe((await master()).changeKey);
    await patch(seriesId, { subject: "Meanwhile" });
    const stale = api.api(path).header("If-Match", before["@odata.etag"]).patch({ subject: "Mine" });
    expect(await failure(stale)).toEqual({ status: 412, code: "ErrorIrresolvableConflict" });
  });
});

describe("a series", () => {
  it("lists its exceptions where they are expanded, with the fields that are selected", async () => {
    await patch(occurrence("2027-03-08"), { subject: "Special" });
    expect(await master()).not.toHaveProperty("exceptionOccurrences");
    const { exceptionOccurrences } = await master("?$select=subject&$expand=exceptionOccurrences");
    expect(exceptionOccurrences).toEqual([
      { "@odata.etag": expect.any(String), id: occurrence("2027-03-08"), subject: "Special" },
    ]);
  });

  it.each<[string, Event]>([
    [
      "pattern",
      {
        recurrence: {
          pattern: { type: "daily", interval: 7 },
          range: { type: "numbered", startDate: "2027-03-01", numberOfOccurrences: 6 },
        },
      },
    ],
    [
      "range",
      {
        recurrence: {
          pattern: weekly().recurrence?.pattern ?? null,
          range: { type: "numbered", startDate: "2027-03-01", numberOfOccurrences: 5 },
        },
      },
    ],
    ["time", times("2027-03-01", "10")],
  ])("loses its exceptions and gets back what was deleted by another %s", async (_, changes) => {
    await patch(occurrence("2027-03-08"), { subject: "Special" });
    await api.api(`/me/events/${occurrence("2027-03-15")}`).delete();
    await patch(seriesId, changes);
    expect(state.deviations(seriesId)).toEqual({ cancelled: [], exceptions: [] });
  });

  it("keeps them when anything else changes, or the same is written again", async () => {
    await patch(occurrence("2027-03-08"), { subject: "Special" });
    await api.api(`/me/events/${occurrence("2027-03-15")}`).delete();
    await patch(seriesId, weekly({ subject: "Renamed" }));
    expect(state.deviations(seriesId)).toEqual({ cancelled: ["2027-03-15"], exceptions: ["2027-03-08"] });
  });

  it("keeps the ids of its occurrences when only the time of day changes", async () => {
    const before = (await instances()).map(({ id }) => id);
    await patch(seriesId, times("2027-03-01", "10"));
    expect((await instances()).map(({ id }) => id)).toEqual(before);
    expect((await starts())[4]).toBe("03-29T10:00");
  });

  it("begins later when its start is moved to a later day", async () => {
    await patch(seriesId, times("2027-03-08", "09"));
    expect((await master()).recurrence?.range).toMatchObject({ startDate: "2027-03-08" });
    expect((await starts())[0]).toBe("03-08T09:00");
  });

  it("becomes a single event, and a single event a series", async () => {
    expect(await patch(seriesId, { recurrence: null })).toMatchObject({ type: "singleInstance", recurrence: null });
    expect(await starts()).toEqual([]);
    const { recurrence = null } = weekly();
    expect(await patch(seriesId, { recurrence })).toMatchObject({ type: "seriesMaster" });
    expect(await starts()).toEqual(byRule);
  });

  it("is deleted with everything that belongs to it", async () => {
    await patch(occurrence("2027-03-08"), { subject: "Special" });
    const id = occurrence("2027-03-08");
    await api.api(`/me/events/${seriesId}`).delete();
    expect(await failure(api.api(`/me/events/${id}`).get())).toMatchObject({ status: 404 });
    expect((await api.api("/me/calendarView?startDateTime=2027-03-01&endDateTime=2027-04-30").get()).value).toEqual([]);
  });

  it("of all-day events has days of its zone", async () => {
    const zone = "New Zealand Standard Time";
    const { id } = await api.api("/me/events").post(
      weekly({
        isAllDay: true,
        start: { dateTime: "2027-03-01T00:00:00", timeZone: zone },
        end: { dateTime: "2027-03-02T00:00:00", timeZone: zone },
      }),
    );
    const { value }: Listed = await api
      .api(`/me/events/${id}/instances?startDateTime=2027-03-01&endDateTime=2027-04-30`)
      .get();
    expect(value.map(({ start }) => start?.dateTime?.slice(0, 19))).toEqual([
      "2027-03-01T00:00:00",
      "2027-03-08T00:00:00",
      "2027-03-15T00:00:00",
      "2027-03-22T00:00:00",
      "2027-03-29T00:00:00",
      "2027-04-05T00:00:00",
    ]);
    expect(value[1]?.originalStart).toBe("2027-03-07T11:00:00Z");
  });
});

describe("what others do to a series", () => {
  it("shows to the client", async () => {
    state.moveOccurrence(seriesId, "2027-03-08", {
      start: times("2027-03-10", "09").start ?? null,
      end: times("2027-03-10", "09").end ?? null,
    });
    state.deleteOccurrence(seriesId, "2027-03-15");
    expect(await starts()).toEqual(["03-01T09:00", "03-10T09:00", "03-22T09:00", "03-29T09:00", "04-05T09:00"]);
    state.changeEvent(seriesId, { subject: "Renamed" });
    expect(await master()).toMatchObject({ subject: "Renamed" });
    state.deleteEvent(seriesId);
    expect(await failure(master())).toMatchObject({ status: 404 });
  });

  it("is refused for events that are not there", () => {
    expect(() => state.changeEvent("nobody", meeting())).toThrow(/no event/);
  });
});
