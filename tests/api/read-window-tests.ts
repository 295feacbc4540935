import { describe, expect, it } from "vitest";
import { opened, type ReadUnderTest, rowsOf, shown, storeSpans, uidsOf } from "./read-under-test";
import { expectIssues } from "./responses";

/** A zone's date whose ends are not UTC's: when it begins and when it is over, and a time from which reads serve it. */
interface LocalDate {
  tzid: string;
  date: string;
  next: string;
  begins: string;
  ends: string;
  now?: string;
}

const localDates: LocalDate[] = [
  day("Etc/UTC", "2025-12-01", "2025-12-02", "2025-12-01T00:00:00Z", "2025-12-02T00:00:00Z"),
  day("Pacific/Kiritimati", "2025-12-01", "2025-12-02", "2025-11-30T10:00:00Z", "2025-12-01T10:00:00Z"),
  day("Pacific/Pago_Pago", "2025-12-01", "2025-12-02", "2025-12-01T11:00:00Z", "2025-12-02T11:00:00Z"),
  day("Asia/Kathmandu", "2025-12-01", "2025-12-02", "2025-11-30T18:15:00Z", "2025-12-01T18:15:00Z"),
  // A day of 25 hours, and one of 24 and a half.
  day("Europe/Berlin", "2025-10-26", "2025-10-27", "2025-10-25T22:00:00Z", "2025-10-26T23:00:00Z"),
  day("Australia/Lord_Howe", "2026-04-05", "2026-04-06", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z"),
  // Days whose midnight does not exist begin an hour later on the clock, which is when the day before is over.
  day("Asia/Beirut", "2026-03-29", "2026-03-30", "2026-03-28T22:00:00Z", "2026-03-29T21:00:00Z"),
  day("Asia/Beirut", "2026-03-28", "2026-03-29", "2026-03-27T22:00:00Z", "2026-03-28T22:00:00Z"),
  {
    ...day("America/Santiago", "2025-09-07", "2025-09-08", "2025-09-07T04:00:00Z", "2025-09-08T03:00:00Z"),
    now: "2025-08-20T12:00:00Z",
  },
  // Clocks that go back at midnight show the end of this day twice.
  {
    ...day("America/Santiago", "2025-04-05", "2025-04-06", "2025-04-05T03:00:00Z", "2025-04-06T04:00:00Z"),
    now: "2025-03-20T12:00:00Z",
  },
];

function day(tzid: string, date: string, next: string, begins: string, ends: string): LocalDate {
  return { tzid, date, next, begins, ends };
}

function second(text: string, by: number): string {
  return new Date(Date.parse(text) + by * 1000).toISOString().replace(".000Z", "Z");
}

/** What both reads promise of their window. */
export function windowTests(read: ReadUnderTest): void {
  describe("from and to", () => {
    it("are by default 42 days ago and 201 days from now", async () => {
      const inside = ["2025-10-10T12:00:00Z", "2025-10-10T11:00:00Z/2025-10-10T12:00:01Z", "2026-06-10T11:59:59Z"];
      const outside = ["2025-10-10T11:00:00Z/2025-10-10T12:00:00Z", "2025-10-10T11:59:59Z", "2026-06-10T12:00:00Z"];
      expect(await shown(read, [...inside, ...outside], {})).toEqual([inside[1], inside[0], inside[2]]);
    });

    it("may ask for more than reads serve, which is not an error and gives no more", async () => {
      const spans = ["2025-10-01T12:00:00Z", "2025-11-01T12:00:00Z", "2026-07-01T12:00:00Z"];
      expect(await shown(read, spans, { from: "0001-01-01", to: "9999-12-31" })).toEqual([spans[1]]);
    });

    it.each([
      { from: "2026-06-11" },
      { from: "2026-06-10T12:00:00Z" },
      { to: "2025-10-10" },
      { to: "2025-10-10T12:00:00Z" },
      { from: "2030-01-01", to: "2031-01-01" },
    ])("give an empty page where reads serve nothing: %o", async (query) => {
      const account = await opened();
      await storeSpans(account.calendarId, ["2025-10-01T12:00:00Z", "2025-11-01T12:00:00Z", "2030-06-01T12:00:00Z"]);
      const answer = await account.get(read.path, { tzid: "Etc/UTC", ...(query as Record<string, string>) });
      expect(uidsOf(answer)).toEqual([]);
      expect(answer.json.pages).toEqual({ current: 1, total: 1 });
    });

    it("may be dates in tzid", async () => {
      const spans = [
        "2025-11-30T14:59:59Z",
        "2025-11-30T15:00:00Z",
        "2025-12-01T14:59:59Z",
        "2025-12-01T15:00:00Z",
        "2025-12-01",
        "2025-11-30/2025-12-01",
        "2025-12-02/2025-12-03",
      ];
      const query = { tzid: "Asia/Tokyo", from: "2025-12-01", to: "2025-12-02" };
      expect((await shown(read, spans, query)).sort()).toEqual([spans[1], spans[4], spans[2]].sort());
    });

    it("may be times with offset, in any zone, with a fraction, with a space for the T", async () => {
      const spans = ["2025-12-01T09:59:59Z", "2025-12-01T10:00:00Z", "2025-12-01T10:29:59Z", "2025-12-01T10:30:00Z"];
      for (const query of [
        { from: "2025-12-01T10:00:00Z", to: "2025-12-01T10:30:00Z" },
        { from: "2025-12-01T11:00:00+01:00", to: "2025-12-01T05:00:00-05:30" },
        { from: "2025-12-01 10:00:00Z", to: "2025-12-01 10:30:00.000Z" },
        { from: "2025-12-01T09:59:59.001Z", to: "2025-12-01T10:29:59.999999Z" },
        { from: "2025-12-01T10:00Z", to: "2025-12-01T12:30+02:00" },
        { from: "2025-12-01T11:00:00+0100", to: "2025-12-01 05:30:00-0500" },
        { from: "2025-12-01T12:00+02", to: "2025-12-01T10:30z" },
      ]) {
        expect(await shown(read, spans, { tzid: "Asia/Tokyo", ...query })).toEqual([spans[1], spans[2]]);
      }
    });

    it.each([
      "2025-12-01T12:00:00+02:00",
      "2025-12-01T12:00:00.000+02:00",
      "2025-12-01T12:00:00+0200",
      "2025-12-01T12:00:00+02",
      "2025-12-01T12:00+02:00",
      "2025-12-01%2012:00:00+02:00",
      "2025-12-01+12:00+0200",
      "2025-12-01+10:00:00Z",
    ])("may be %s with its plus sign unescaped, as a space that only an offset can follow", async (from) => {
      const { get, calendarId } = await opened();
      await storeSpans(calendarId, ["2025-12-01T09:59:59Z", "2025-12-01T10:00:00Z"]);
      for (const more of ["", `&to=${from.replace("12:00", "12:30").replace("10:00", "10:30")}`]) {
        const answer = await get(`${read.path}?tzid=Asia/Tokyo&from=${from}${more}`);
        expect(rowsOf(answer).map(({ start }) => start)).toEqual(["2025-12-01T10:00:00Z"]);
      }
    });

    it.each(["2025-12-01T10:00:00++02:00", "2025-12-01+02:00", "2025-12-01T10:00:00+", "2025-12-01T10:00:00+25:00"])(
      "may not be %s with its plus sign unescaped; the error has an example near now",
      async (from) => {
        const { get } = await opened();
        const answer = await get(`${read.path}?tzid=Asia/Tokyo&from=${from}`);
        expectIssues(answer, { from: "errors.invalid" });
        expect(answer.json.errors.from[0].description).toBe(
          "from must be a date such as 2026-11-21, or a time with an offset such as 2026-11-21T09:30:00Z",
        );
      },
    );

    it("may be one a date and the other a time", async () => {
      const spans = ["2025-11-30T23:59:59Z", "2025-12-01T00:00:00Z", "2025-12-01T09:59:59Z", "2025-12-01T10:00:00Z"];
      expect(await shown(read, spans, { from: "2025-12-01", to: "2025-12-01T10:00:00Z" })).toEqual([
        spans[1],
        spans[2],
      ]);
    });

    it.each(localDates)("as dates are the local midnights of $tzid on $date", async ({ now, ...local }) => {
      const { tzid, date, next, begins, ends } = local;
      const spans = [second(begins, -1), begins, second(ends, -1), ends];
      const found = await shown(read, spans, { tzid, from: date, to: next }, now ? Date.parse(now) : undefined);
      expect(found).toEqual([spans[1], spans[2]]);
    });
  });

  describe("an event is in the window when it overlaps it", () => {
    const window = { from: "2025-12-01T10:00:00Z", to: "2025-12-01T12:00:00Z" };

    it.each([
      ["a time before it", "2025-12-01T08:00:00Z/2025-12-01T09:00:00Z", false],
      ["up to its beginning", "2025-12-01T09:00:00Z/2025-12-01T10:00:00Z", false],
      ["over its beginning", "2025-12-01T09:00:00Z/2025-12-01T10:00:01Z", true],
      ["from its beginning", "2025-12-01T10:00:00Z/2025-12-01T11:00:00Z", true],
      ["the same time", "2025-12-01T10:00:00Z/2025-12-01T12:00:00Z", true],
      ["all of it and more", "2025-12-01T09:00:00Z/2025-12-01T13:00:00Z", true],
      ["over its end", "2025-12-01T11:59:59Z/2025-12-01T13:00:00Z", true],
      ["from its end, which is exclusive", "2025-12-01T12:00:00Z/2025-12-01T13:00:00Z", false],
      ["no time at its beginning", "2025-12-01T10:00:00Z", true],
      ["no time within it", "2025-12-01T11:00:00Z", true],
      ["no time just before it", "2025-12-01T09:59:59Z", false],
      ["no time at its end", "2025-12-01T12:00:00Z", false],
      ["24 hours up to its beginning", "2025-11-30T10:00:00Z/2025-12-01T10:00:00Z", false],
      ["24 hours into it", "2025-11-30T10:00:01Z/2025-12-01T10:00:01Z", true],
      ["a second over 24 hours into it", "2025-11-30T10:00:00Z/2025-12-01T10:00:01Z", true],
      ["2 days into it", "2025-11-29T10:30:00Z/2025-12-01T10:30:00Z", true],
      ["2 days up to its beginning", "2025-11-29T10:00:00Z/2025-12-01T10:00:00Z", false],
      ["4 days to the second into it", "2025-11-27T10:00:01Z/2025-12-01T10:00:01Z", true],
      ["16 days to the second into it", "2025-11-15T10:00:01Z/2025-12-01T10:00:01Z", true],
      ["64 days to the second into it", "2025-09-28T10:00:01Z/2025-12-01T10:00:01Z", true],
      ["256 days to the second into it", "2025-03-20T10:00:01Z/2025-12-01T10:00:01Z", true],
      ["256 days up to its beginning", "2025-03-20T10:00:00Z/2025-12-01T10:00:00Z", false],
      ["years around it", "2019-01-01T00:00:00Z/2031-01-01T00:00:00Z", true],
      ["all time around it", "0001-01-01T00:00:00Z/9999-12-31T23:59:59Z", true],
      ["years before it", "2019-01-01T00:00:00Z/2025-12-01T10:00:00Z", false],
    ])("%s", async (_case, span, isShown) => {
      expect(await shown(read, [span], window)).toEqual(isShown ? [span] : []);
    });

    it.each(localDates)("all-day: from local midnight to local midnight in tzid: $tzid $date", async (local) => {
      const { tzid, date, next, begins, ends, now } = local;
      const account = await opened(now ? Date.parse(now) : undefined);
      const [[uid] = []] = [...(await storeSpans(account.calendarId, [`${date}/${next}`])).entries()];
      const isShown = async (from: string, to: string) =>
        uidsOf(await account.get(read.path, { tzid, from, to })).includes(uid ?? "");
      expect([
        await isShown(second(begins, -100), begins),
        await isShown(second(begins, -100), second(begins, 1)),
        await isShown(second(ends, -1), second(ends, 100)),
        await isShown(ends, second(ends, 100)),
        await isShown(date, next),
        await isShown(next, "2026-06-01"),
      ]).toEqual([false, true, true, false, true, false]);
    });

    it("all-day: the same event lies elsewhere in another tzid", async () => {
      const account = await opened();
      await storeSpans(account.calendarId, ["2025-12-01/2025-12-02"]);
      const inHour = async (tzid: string, from: string) => {
        const to = second(from, 3600);
        return uidsOf(await account.get(read.path, { tzid, from, to })).length;
      };
      expect(await inHour("Pacific/Kiritimati", "2025-11-30T10:00:00Z")).toBe(1);
      expect(await inHour("Etc/UTC", "2025-11-30T10:00:00Z")).toBe(0);
      expect(await inHour("Pacific/Pago_Pago", "2025-12-02T10:00:00Z")).toBe(1);
      expect(await inHour("Etc/UTC", "2025-12-02T10:00:00Z")).toBe(0);
    });

    it.each([
      ["several days into it", "2025-11-25/2025-12-02", true],
      ["several days up to it", "2025-11-25/2025-12-01", false],
      ["years around it", "2019-01-01/2031-01-01", true],
      ["no day within it", "2025-12-01/2025-12-01", true],
      ["no day at its end", "2025-12-02/2025-12-02", false],
    ])("all-day: %s", async (_case, span, isShown) => {
      const query = { tzid: "America/New_York", from: "2025-12-01", to: "2025-12-02" };
      expect(await shown(read, [span], query)).toEqual(isShown ? [span] : []);
    });
  });
}
