import type { Client } from "@microsoft/microsoft-graph-client";
import type { Event } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, everyPage, failure, type Listed, meeting, weekly } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;
let state: CalendarState;

beforeEach(async () => {
  ({ microsoft, api, state } = await adaOfMicrosoft());
});
afterEach(() => microsoft.close());

const at = (day: string, hour = "09"): Event => ({
  subject: day,
  start: { dateTime: `${day}T${hour}:00:00`, timeZone: "UTC" },
  end: { dateTime: `${day}T${hour}:30:00`, timeZone: "UTC" },
});
const spring = "startDateTime=2027-03-01T00:00:00Z&endDateTime=2027-04-01T00:00:00Z";
const subjects = ({ value }: Listed) => value.map(({ subject }) => subject);
const filtered = async (filter: string): Promise<(string | null | undefined)[]> =>
  subjects(await api.api("/me/events").filter(filter).get());

describe("the list of events", () => {
  it("has single events and series, and no occurrences", async () => {
    state.putEvent(meeting());
    const series = state.putEvent(weekly());
    state.moveOccurrence(series, "2027-03-08", {
      start: at("2027-03-09").start ?? null,
      end: at("2027-03-09").end ?? null,
    });
    const { value }: Listed = await api.api("/me/events").get();
    expect(value.map(({ type }) => type)).toEqual(["singleInstance", "seriesMaster"]);
  });

  it("of a calendar has that calendar's alone, the mailbox's has all", async () => {
    const id = microsoft.account("ada@example.com").addCalendar({ name: "Team" });
    microsoft.calendar(id).putEvent(at("2027-03-02"));
    state.putEvent(at("2027-03-01"));
    expect(subjects(await api.api(`/me/calendars/${id}/events`).get())).toEqual(["2027-03-02"]);
    expect(subjects(await api.api("/me/calendar/events").get())).toEqual(["2027-03-01"]);
    expect(subjects(await api.api("/me/events").get())).toHaveLength(2);
  });

  it("comes in pages that the client's iterator joins", async () => {
    for (let day = 1; day <= 25; day += 1) state.putEvent(at(`2027-03-${String(day).padStart(2, "0")}`));
    expect((await api.api("/me/events").get()).value).toHaveLength(10);
    const { rows } = await everyPage(api, "/me/events?$top=7");
    expect(new Set(rows.map(({ subject }) => subject)).size).toBe(25);
    expect(microsoft.requests).toHaveLength(5);
  });

  it("comes in pages of odata.maxpagesize, and counts", async () => {
    for (const day of ["2027-03-01", "2027-03-02", "2027-03-03"]) state.putEvent(at(day));
    const page: Listed = await api.api("/me/events").header("Prefer", "odata.maxpagesize=2").count(true).get();
    expect([page.value.length, page["@odata.count"]]).toEqual([2, 3]);
    expect(await failure(api.api("/me/events").top(0).get())).toMatchObject({ status: 400 });
  });

  it("is ordered by $orderby, which knows few fields", async () => {
    for (const day of ["2027-03-03", "2027-03-01", "2027-03-02"]) state.putEvent(at(day));
    expect(subjects(await api.api("/me/events").orderby("start/dateTime").get())).toEqual([
      "2027-03-01",
      "2027-03-02",
      "2027-03-03",
    ]);
    expect(subjects(await api.api("/me/events").orderby("subject desc").get())).toEqual([
      "2027-03-03",
      "2027-03-02",
      "2027-03-01",
    ]);
    expect(await failure(api.api("/me/events").orderby("body").get())).toMatchObject({ status: 400 });
  });

  it("has the fields that $select names, with id and etag", async () => {
    state.putEvent(at("2027-03-01"));
    const { value } = await api.api("/me/events").select(["subject", "showAs"]).get();
    expect(value).toEqual([
      { "@odata.etag": expect.any(String), id: expect.any(String), subject: "2027-03-01", showAs: "busy" },
    ]);
    expect(await failure(api.api("/me/events").select("occurrenceId").get())).toMatchObject({ status: 400 });
    expect(await failure(api.api("/me/events").expand("attachments").get())).toMatchObject({ status: 400 });
  });
});

describe("$filter", () => {
  const id = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name almanac";
  const any = (condition: string) => `singleValueExtendedProperties/Any(ep: ep/id eq '${id}'${condition})`;

  beforeEach(() => {
    state.putEvent({ ...at("2027-03-01"), singleValueExtendedProperties: [{ id, value: "App-1" }] });
    state.putEvent({ ...at("2027-03-02"), singleValueExtendedProperties: [{ id, value: "App-2" }] });
    state.putEvent(at("2027-03-03"));
  });

  it.each([
    ["", ["2027-03-01", "2027-03-02"]],
    [" and ep/value eq 'app-1'", ["2027-03-01"]],
    [" and ep/value ne 'App-1'", ["2027-03-02"]],
    [" and contains(ep/value, '-2')", ["2027-03-02"]],
    [" and startswith(ep/value, 'APP')", ["2027-03-01", "2027-03-02"]],
  ])("finds extended properties%s", async (condition, days) => {
    expect(await filtered(any(condition))).toEqual(days);
  });

  it.each([
    ["start/dateTime ge '2027-03-02T00:00:00'", ["2027-03-02", "2027-03-03"]],
    ["start/dateTime lt '2027-03-02T00:00' and subject ne 'x'", ["2027-03-01"]],
    ["subject eq '2027-03-02'", ["2027-03-02"]],
    ["type eq 'seriesMaster'", []],
  ])("compares fields: %s", async (filter, days) => {
    expect(await filtered(filter)).toEqual(days);
  });

  it("finds an event by its iCalUId", async () => {
    const [one] = state.events();
    expect(await filtered(`iCalUId eq '${one?.iCalUId}'`)).toEqual([one?.subject]);
  });

  it.each(["subject eq", "nonsense eq 'x'", "subject has 'x'", any(" and ep/value like 'x'")])(
    "refuses %s",
    async (filter) => {
      expect(await failure(api.api("/me/events").filter(filter).get())).toMatchObject({
        status: 400,
        code: "ErrorInvalidUrlQueryFilter",
      });
    },
  );
});

describe("a calendar view", () => {
  const view = (query = spring): Promise<Listed> => api.api(`/me/calendarView?${query}`).get();

  it("has single events, occurrences and exceptions by their start, and no series", async () => {
    state.putEvent(at("2027-03-10"));
    const series = state.putEvent(weekly());
    state.changeEvent(state.occurrenceId(series, "2027-03-15"), { subject: "Special" });
    state.deleteOccurrence(series, "2027-03-22");
    const { value } = await view();
    expect(value.map(({ type, subject }) => [type, subject])).toEqual([
      ["occurrence", "Planning"],
      ["occurrence", "Planning"],
      ["singleInstance", "2027-03-10"],
      ["exception", "Special"],
      ["occurrence", "Planning"],
    ]);
  });

  it("shows whole events, unlike change tracking", async () => {
    state.putEvent(weekly({ location: { displayName: "Room 1" } }));
    const { value } = await view();
    expect(value[1]).toMatchObject({ type: "occurrence", subject: "Planning", location: { displayName: "Room 1" } });
  });

  it.each([
    ["2027-03-01T08:59:00Z", "2027-03-01T09:00:00Z", 0],
    ["2027-03-01T09:00:00Z", "2027-03-01T09:01:00Z", 1],
    ["2027-03-01T09:29:00Z", "2027-03-01T12:00:00Z", 1],
    ["2027-03-01T09:30:00Z", "2027-03-01T12:00:00Z", 0],
    ["2027-03-01T10:00:00%2B01:00", "2027-03-01T10:15:00%2B01:00", 1],
    ["2027-03-01", "2027-03-02", 1],
  ])("from %s to %s has %i", async (from, to, count) => {
    state.putEvent(at("2027-03-01"));
    expect((await view(`startDateTime=${from}&endDateTime=${to}`)).value).toHaveLength(count);
  });

  it("reads its span in UTC whatever zone the client prefers", async () => {
    state.putEvent(at("2027-03-01"));
    const path = "/me/calendarView?startDateTime=2027-03-01T09:00:00&endDateTime=2027-03-01T09:10:00";
    const { value } = await api.api(path).header("Prefer", 'outlook.timezone="Tokyo Standard Time"').get();
    expect(value).toMatchObject([
      { start: { dateTime: "2027-03-01T18:00:00.0000000", timeZone: "Tokyo Standard Time" } },
    ]);
  });

  it.each([
    "",
    "startDateTime=2027-03-01",
    "startDateTime=2027-03-02&endDateTime=2027-03-01",
    "startDateTime=2020-01-01&endDateTime=2027-01-01",
  ])("is refused for the span '%s'", async (query) => {
    expect(await failure(view(query))).toMatchObject({ status: 400 });
  });
});

describe("the instances of a series", () => {
  it("are its occurrences and exceptions in the span", async () => {
    const series = state.putEvent(weekly());
    state.changeEvent(state.occurrenceId(series, "2027-03-08"), { subject: "Special" });
    const { value }: Listed = await api.api(`/me/events/${series}/instances?${spring}`).get();
    expect(value.map(({ type, start }) => [type, start?.dateTime?.slice(0, 10)])).toEqual([
      ["occurrence", "2027-03-01"],
      ["exception", "2027-03-08"],
      ["occurrence", "2027-03-15"],
      ["occurrence", "2027-03-22"],
      ["occurrence", "2027-03-29"],
    ]);
    expect(value.every(({ seriesMasterId, recurrence }) => seriesMasterId === series && recurrence === null)).toBe(
      true,
    );
  });

  it("have ids of their own, immutable if preferred, that can be read and written", async () => {
    const series = state.putEvent(weekly());
    const { value }: Listed = await api
      .api(`/me/events/${series}/instances?${spring}`)
      .header("Prefer", 'IdType="ImmutableId"')
      .get();
    const [, second] = value;
    expect(second?.id).not.toBe(second?.seriesMasterId);
    expect(await api.api(`/me/events/${second?.id}`).get()).toMatchObject({
      originalStart: "2027-03-08T08:00:00Z",
      type: "occurrence",
    });
    expect(new Set(value.map(({ iCalUId }) => iCalUId)).size).toBe(5);
  });

  it("need a span", async () => {
    const series = state.putEvent(weekly());
    expect(await failure(api.api(`/me/events/${series}/instances`).get())).toMatchObject({ status: 400 });
  });
});
