import type { Client } from "@microsoft/microsoft-graph-client";
import type { Event, RecurrencePattern, RecurrenceRange } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, failure, type Listed, meeting } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;

beforeEach(async () => {
  ({ microsoft, api } = await adaOfMicrosoft());
});
afterEach(() => microsoft.close());

const zone = "W. Europe Standard Time";
const lasting = (
  startDate: string,
  more: RecurrenceRange = { type: "numbered", numberOfOccurrences: 4 },
): RecurrenceRange => ({ startDate, ...more });

function series(pattern: RecurrencePattern, range: RecurrenceRange, more: Event = {}): Event {
  const day = range.startDate;
  return meeting({
    start: { dateTime: `${day}T09:00:00`, timeZone: zone },
    end: { dateTime: `${day}T10:00:00`, timeZone: zone },
    recurrence: { pattern, range },
    ...more,
  });
}

const post = (event: Event): Promise<Event> => api.api("/me/events").post(event);

/** The local dates of a series until the end of 2031. */
async function datesOf(event: Event): Promise<(string | undefined)[]> {
  const { id } = await post(event);
  const path = `/me/events/${id}/instances?startDateTime=2027-01-01&endDateTime=2031-12-31&$top=50`;
  const { value }: Listed = await api.api(path).header("Prefer", `outlook.timezone="${zone}"`).get();
  return value.map(({ start }) => start?.dateTime?.slice(0, 10));
}

describe("a pattern", () => {
  it.each<[string, RecurrencePattern, string, string[]]>([
    ["daily", { type: "daily", interval: 1 }, "2027-03-26", ["2027-03-26", "2027-03-27", "2027-03-28", "2027-03-29"]],
    [
      "every third day",
      { type: "daily", interval: 3 },
      "2027-02-27",
      ["2027-02-27", "2027-03-02", "2027-03-05", "2027-03-08"],
    ],
    [
      "weekly on two days",
      { type: "weekly", interval: 1, daysOfWeek: ["thursday", "monday"] },
      "2027-03-01",
      ["2027-03-01", "2027-03-04", "2027-03-08", "2027-03-11"],
    ],
    [
      "every other week that begins on Monday",
      { type: "weekly", interval: 2, daysOfWeek: ["sunday", "monday"], firstDayOfWeek: "monday" },
      "2027-03-01",
      ["2027-03-01", "2027-03-07", "2027-03-15", "2027-03-21"],
    ],
    [
      "every other week that begins on Sunday, the default",
      { type: "weekly", interval: 2, daysOfWeek: ["sunday", "monday"] },
      "2027-03-01",
      ["2027-03-01", "2027-03-14", "2027-03-15", "2027-03-28"],
    ],
    [
      "a day of the month",
      { type: "absoluteMonthly", interval: 1, dayOfMonth: 15 },
      "2027-01-15",
      ["2027-01-15", "2027-02-15", "2027-03-15", "2027-04-15"],
    ],
    [
      "a quarter",
      { type: "absoluteMonthly", interval: 3, dayOfMonth: 7 },
      "2027-01-07",
      ["2027-01-07", "2027-04-07", "2027-07-07", "2027-10-07"],
    ],
    [
      "the second Wednesday",
      { type: "relativeMonthly", interval: 1, daysOfWeek: ["wednesday"], index: "second" },
      "2027-01-13",
      ["2027-01-13", "2027-02-10", "2027-03-10", "2027-04-14"],
    ],
    [
      "the first Monday, the default",
      { type: "relativeMonthly", interval: 1, daysOfWeek: ["monday"] },
      "2027-02-01",
      ["2027-02-01", "2027-03-01", "2027-04-05", "2027-05-03"],
    ],
    [
      "the last Friday of every other month",
      { type: "relativeMonthly", interval: 2, daysOfWeek: ["friday"], index: "last" },
      "2027-01-29",
      ["2027-01-29", "2027-03-26", "2027-05-28", "2027-07-30"],
    ],
    [
      "the first of two weekdays: one day a month, the first that fits",
      { type: "relativeMonthly", interval: 1, daysOfWeek: ["thursday", "friday"], index: "first" },
      "2027-01-01",
      ["2027-01-01", "2027-02-04", "2027-03-04", "2027-04-01"],
    ],
    [
      "the last working day",
      {
        type: "relativeMonthly",
        interval: 1,
        daysOfWeek: ["monday", "tuesday", "wednesday", "thursday", "friday"],
        index: "last",
      },
      "2027-01-29",
      ["2027-01-29", "2027-02-26", "2027-03-31", "2027-04-30"],
    ],
    [
      "a day of the year",
      { type: "absoluteYearly", interval: 1, dayOfMonth: 15, month: 4 },
      "2027-04-15",
      ["2027-04-15", "2028-04-15", "2029-04-15", "2030-04-15"],
    ],
    [
      "the last Wednesday of November",
      { type: "relativeYearly", interval: 1, daysOfWeek: ["wednesday"], index: "last", month: 11 },
      "2027-11-24",
      ["2027-11-24", "2028-11-29", "2029-11-28", "2030-11-27"],
    ],
  ])("%s", async (_, pattern, startDate, dates) => {
    expect(await datesOf(series(pattern, lasting(startDate)))).toEqual(dates);
  });

  it("of day 31 falls on the last day of shorter months", async () => {
    const event = series({ type: "absoluteMonthly", interval: 1, dayOfMonth: 31 }, lasting("2027-01-31"));
    expect(await datesOf(event)).toEqual(["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]);
    microsoft.knobs.shortMonths = "skipped";
    expect(await datesOf(event)).toEqual(["2027-01-31", "2027-03-31", "2027-05-31", "2027-07-31"]);
  });

  it("of 29 February falls on the 28th in other years", async () => {
    const event = series({ type: "absoluteYearly", interval: 1, dayOfMonth: 29, month: 2 }, lasting("2028-02-29"));
    expect((await datesOf(event)).slice(0, 2)).toEqual(["2028-02-29", "2029-02-28"]);
  });

  it("has names without their case", async () => {
    const pattern = { type: "weekly", interval: 1, daysOfWeek: ["Monday"] } as unknown as RecurrencePattern;
    expect((await post(series(pattern, lasting("2027-03-01")))).recurrence?.pattern?.daysOfWeek).toEqual(["monday"]);
  });

  it("comes back with every field", async () => {
    const { recurrence } = await post(
      series({ type: "weekly", interval: 1, daysOfWeek: ["monday"] }, lasting("2027-03-01")),
    );
    expect(recurrence).toEqual({
      pattern: {
        type: "weekly",
        interval: 1,
        month: 0,
        dayOfMonth: 0,
        daysOfWeek: ["monday"],
        firstDayOfWeek: "sunday",
        index: "first",
      },
      range: {
        type: "numbered",
        startDate: "2027-03-01",
        endDate: "0001-01-01",
        recurrenceTimeZone: zone,
        numberOfOccurrences: 4,
      },
    });
  });

  it.each<[string, RecurrencePattern]>([
    ["without an interval", { type: "daily" }],
    ["with an interval of 0", { type: "daily", interval: 0 }],
    ["of an unknown type", { type: "hourly" as "daily", interval: 1 }],
    ["weekly without days", { type: "weekly", interval: 1 }],
    ["with an unknown day", { type: "weekly", interval: 1, daysOfWeek: ["someday" as "monday"] }],
    ["monthly without a day", { type: "absoluteMonthly", interval: 1 }],
    ["of day 32", { type: "absoluteMonthly", interval: 1, dayOfMonth: 32 }],
    ["relative without weekdays", { type: "relativeMonthly", interval: 1, index: "last" }],
    ["with a fifth week", { type: "relativeMonthly", interval: 1, daysOfWeek: ["monday"], index: "fifth" as "last" }],
    ["yearly without a month", { type: "absoluteYearly", interval: 1, dayOfMonth: 1 }],
    ["of 31 April", { type: "absoluteYearly", interval: 1, dayOfMonth: 31, month: 4 }],
    ["with a wrong value that its type ignores", { type: "daily", interval: 1, dayOfMonth: 40 }],
  ])("%s is refused", async (_, pattern) => {
    expect(await failure(post(series(pattern, lasting("2027-03-01"))))).toMatchObject({ status: 400 });
  });
});

describe("a range", () => {
  const daily: RecurrencePattern = { type: "daily", interval: 1 };
  const mondays: RecurrencePattern = { type: "weekly", interval: 1, daysOfWeek: ["monday"] };

  it("includes its last date", async () => {
    const range = lasting("2027-03-01", { type: "endDate", endDate: "2027-03-03" });
    expect(await datesOf(series(daily, range))).toEqual(["2027-03-01", "2027-03-02", "2027-03-03"]);
  });

  it("without an end goes on", async () => {
    const { id } = await post(series(mondays, lasting("2027-03-01", { type: "noEnd" })));
    const path = `/me/events/${id}/instances?startDateTime=2040-01-01&endDateTime=2040-02-01`;
    expect((await api.api(path).get()).value).toHaveLength(5);
  });

  it("may begin before the first date that fits, which the series then begins with and counts from", async () => {
    const event = series(
      { type: "relativeMonthly", interval: 2, daysOfWeek: ["thursday"], index: "first" },
      lasting("2027-08-29"),
    );
    expect(await datesOf(event)).toEqual(["2027-10-07", "2027-12-02", "2028-02-03", "2028-04-06"]);
    const { start, recurrence } = await post(event);
    expect([start?.dateTime, recurrence?.range?.startDate]).toEqual(["2027-10-07T07:00:00.0000000", "2027-08-29"]);
  });

  it("is in its own zone if it names one", async () => {
    const range = lasting("2027-03-27", { type: "numbered", numberOfOccurrences: 3, recurrenceTimeZone: zone });
    const event = {
      ...series(daily, range),
      start: { dateTime: "2027-03-27T08:00:00", timeZone: "UTC" },
      end: { dateTime: "2027-03-27T09:00:00", timeZone: "UTC" },
    };
    const { id } = await post(event);
    const { value }: Listed = await api
      .api(`/me/events/${id}/instances?startDateTime=2027-03-01&endDateTime=2027-04-01`)
      .get();
    expect(value.map(({ start }) => start?.dateTime?.slice(8, 13))).toEqual(["27T08", "28T07", "29T07"]);
  });

  it.each<[string, RecurrenceRange]>([
    ["without a type", { startDate: "2027-03-01" }],
    ["without a start", { type: "noEnd" }],
    ["that starts on another day than the event", { type: "noEnd", startDate: "2027-03-02" }],
    ["that ends before it starts", { type: "endDate", startDate: "2027-03-01", endDate: "2027-02-01" }],
    ["of no occurrences", { type: "numbered", startDate: "2027-03-01", numberOfOccurrences: 0 }],
    ["of 1000 occurrences", { type: "numbered", startDate: "2027-03-01", numberOfOccurrences: 1000 }],
    ["in an unknown zone", { type: "noEnd", startDate: "2027-03-01", recurrenceTimeZone: "Mars" }],
  ])("%s is refused", async (_, range) => {
    const event = series(daily, range, meeting());
    expect(await failure(post({ ...event, recurrence: { pattern: daily, range } }))).toMatchObject({ status: 400 });
  });

  it("in which the pattern never falls is refused", async () => {
    const range = lasting("2027-03-02", { type: "endDate", endDate: "2027-03-03" });
    expect(await failure(post(series(mondays, range)))).toEqual({
      status: 400,
      code: "ErrorRecurrenceHasNoOccurrence",
    });
  });

  it("whose occurrences would overlap is refused", async () => {
    const end = { dateTime: "2027-03-02T10:00:00", timeZone: zone };
    expect(await failure(post(series(daily, lasting("2027-03-01"), { end })))).toEqual({
      status: 400,
      code: "ErrorOccurrenceTimeSpanTooBig",
    });
  });
});

describe("the times of occurrences", () => {
  it("are the same wall clock on both sides of a change of clocks, also in the hour that is left out", async () => {
    const start = { dateTime: "2027-03-27T02:30:00", timeZone: zone };
    const end = { dateTime: "2027-03-27T03:30:00", timeZone: zone };
    const { id } = await post({ ...series({ type: "daily", interval: 1 }, lasting("2027-03-27")), start, end });
    const { value }: Listed = await api
      .api(`/me/events/${id}/instances?startDateTime=2027-03-01&endDateTime=2027-04-01`)
      .get();
    expect(value.map((one) => [one.start?.dateTime?.slice(8, 16), one.end?.dateTime?.slice(8, 16)])).toEqual([
      ["27T01:30", "27T02:30"],
      ["28T01:30", "28T01:30"],
      ["29T00:30", "29T01:30"],
      ["30T00:30", "30T01:30"],
    ]);
  });

  it("are whole minutes", async () => {
    const start = { dateTime: "2027-03-01T09:12:34.865", timeZone: "UTC" };
    const { id } = await post(
      series({ type: "daily", interval: 1 }, lasting("2027-03-01"), {
        start,
        end: { dateTime: "2027-03-01T09:40:34", timeZone: "UTC" },
      }),
    );
    const { value }: Listed = await api
      .api(`/me/events/${id}/instances?startDateTime=2027-03-02&endDateTime=2027-03-03`)
      .get();
    expect(value[0]).toMatchObject({
      originalStart: "2027-03-02T09:12:00Z",
      start: { dateTime: "2027-03-02T09:12:00.0000000" },
    });
  });
});
