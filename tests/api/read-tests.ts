import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { addCalendars, storeProviderEvents } from "../fakes/stored-events";
import { withToken } from "./grants";
import { allPages, NOW, opened, pathOf, type ReadUnderTest, rowsOf, storeSpans, uidsOf } from "./read-under-test";
import { expectIssues, expectSignedOut, expectWellFormed422 } from "./responses";
import { call, newApplication } from "./service";

const UTC = { tzid: "Etc/UTC" };

/** What both reads promise of the rest of their query. */
export function queryTests({ path }: ReadUnderTest): void {
  describe("tzid", () => {
    it.each(["Europe/Berlin", "US/Pacific", "europe/berlin", "Etc/GMT+5", "Asia/Kathmandu"])(
      "may be any name of the tz database: %s",
      async (tzid) => {
        const { get } = await opened();
        expect(await get(path, { tzid })).toMatchObject({ status: 200 });
      },
    );
  });

  describe("start and end", () => {
    it("are UTC times, and dates with exclusive end for all-day events, not clipped to the window", async () => {
      const { get, calendarId } = await opened();
      await storeSpans(calendarId, ["2025-11-30T22:00:00+01:00/2025-12-03T09:30:15+01:00", "2025-11-28/2025-12-05"]);
      const rows = rowsOf(await get(path, { tzid: "Europe/Berlin", from: "2025-12-01", to: "2025-12-02" }));
      expect(rows.map(({ start, end }) => [start, end])).toEqual([
        ["2025-11-28", "2025-12-05"],
        ["2025-11-30T21:00:00Z", "2025-12-03T08:30:15Z"],
      ]);
    });

    it.each([
      ["Europe/Berlin", "2025-12-01T11:00:00+01:00", "2026-06-01T12:00:00+02:00"],
      ["America/St_Johns", "2025-12-01T06:30:00-03:30", "2026-06-01T07:30:00-02:30"],
      ["Asia/Kathmandu", "2025-12-01T15:45:00+05:45", "2026-06-01T15:45:00+05:45"],
      ["Australia/Lord_Howe", "2025-12-01T21:00:00+11:00", "2026-06-01T20:30:00+10:30"],
      ["Africa/Casablanca", "2025-12-01T11:00:00+01:00", "2026-06-01T11:00:00+01:00"],
      ["Europe/London", "2025-12-01T10:00:00Z", "2026-06-01T11:00:00+01:00"],
      ["Etc/UTC", "2025-12-01T10:00:00Z", "2026-06-01T10:00:00Z"],
    ])("have the offset of %s with localized_times, Z where it is zero", async (tzid, winter, summer) => {
      const { get, calendarId } = await opened();
      await storeSpans(calendarId, ["2025-12-01T10:00:00Z", "2026-06-01T10:00:00Z", "2026-01-01/2026-01-02"]);
      const rows = rowsOf(await get(path, { tzid, localized_times: "true" }));
      expect(rows.map(({ start, end }) => [start, end])).toEqual([
        [winter, winter],
        ["2026-01-01", "2026-01-02"],
        [summer, summer],
      ]);
    });

    it("have the offset that holds at each of them", async () => {
      const { get, calendarId } = await opened();
      await storeSpans(calendarId, ["2026-03-29T00:30:00Z/2026-03-29T01:30:00Z"]);
      const [row] = rowsOf(await get(path, { tzid: "Europe/Berlin", localized_times: "1" }));
      expect(row).toMatchObject({ start: "2026-03-29T01:30:00+01:00", end: "2026-03-29T03:30:00+02:00" });
    });

    it.each(["false", "0"])("are in UTC with localized_times=%s", async (localized_times) => {
      const { get, calendarId } = await opened();
      await storeSpans(calendarId, ["2025-12-01T10:00:00Z"]);
      const [row] = rowsOf(await get(path, { tzid: "Europe/Berlin", localized_times }));
      expect(row?.start).toBe("2025-12-01T10:00:00Z");
    });
  });

  describe("include_managed", () => {
    it.each([
      [undefined, ["others"]],
      ["false", ["others"]],
      ["0", ["others"]],
      ["true", ["others", "own"]],
      ["1", ["others", "own"]],
    ])("%s: events the application created are left out unless it is true", async (value, expected) => {
      const { get, calendarId, write } = await opened();
      await write({ event_id: "1", summary: "own", start: "2025-12-01T10:00:00Z", end: "2025-12-01T11:00:00Z" });
      const [others = ""] = await storeProviderEvents([
        { calendarId, start: "2025-12-01T09:00:00Z", end: "2025-12-01T10:00:00Z" },
      ]);
      const uids = uidsOf(await get(path, { ...UTC, ...(value !== undefined && { include_managed: value }) }));
      expect(uids.map((uid) => (uid === others ? "others" : "own"))).toEqual(expected);
    });
  });

  describe("calendar_ids[]", () => {
    it("leaves one calendar, or several; by default every calendar of the account", async () => {
      const account = await opened();
      const [second = "", third = ""] = await addCalendars(account, 2);
      const ids = [account.calendarId, second, third];
      await storeProviderEvents(
        ids.map((calendarId, i) => ({ calendarId, start: `2025-12-0${i + 1}`, end: `2025-12-0${i + 2}` })),
      );
      const shownOf = async (asked?: string[]) =>
        rowsOf(await account.get(path, { ...UTC, ...(asked && { "calendar_ids[]": asked }) })).map(
          (row) => row.calendar_id,
        );
      expect(await shownOf()).toEqual(ids);
      expect(await shownOf([second])).toEqual([second]);
      expect(await shownOf([third, account.calendarId])).toEqual([account.calendarId, third]);
      expect(await shownOf([second, second])).toEqual([second]);
    });

    it("the account does not have match nothing", async () => {
      const account = await opened();
      const stranger = await opened();
      await storeSpans(account.calendarId, ["2025-12-01/2025-12-02"]);
      await storeSpans(stranger.calendarId, ["2025-12-01/2025-12-02"]);
      const asked = async (ids: string[]) => uidsOf(await account.get(path, { ...UTC, "calendar_ids[]": ids })).length;
      expect(await asked(["cal_unknown", stranger.calendarId])).toBe(0);
      expect(await asked(["cal_unknown", stranger.calendarId, account.calendarId])).toBe(1);
    });

    it.each([
      (a: string, b: string) => `calendar_ids[]=${a}&calendar_ids[]=${b}`,
      (a: string, b: string) => `calendar_ids%5B%5D=${a}&calendar_ids%5B%5D=${b}`,
      (a: string, b: string) => `calendar_ids[0]=${a}&calendar_ids[1]=${b}`,
      (a: string, b: string) => `calendar_ids%5B10%5D=${a}&calendar_ids%5B2%5D=${b}`,
      (a: string, b: string) => `calendar_ids=${a}&calendar_ids[]=${b}`,
      (a: string, b: string) => `calendar_ids[]=${a}&calendar_ids=${b}`,
    ])("are each one that is sent, however a library writes the brackets: %s", async (written) => {
      const account = await opened();
      const [second = ""] = await addCalendars(account, 2);
      const ids = [account.calendarId, second];
      await storeProviderEvents(ids.map((calendarId) => ({ calendarId, start: "2025-12-01", end: "2025-12-02" })));
      const answer = await account.get(`${path}?tzid=Etc/UTC&${written(account.calendarId, second)}`);
      expect(
        rowsOf(answer)
          .map((row) => row.calendar_id)
          .sort(),
      ).toEqual(ids.sort());
    });

    it("may be 100", async () => {
      const account = await opened();
      await storeSpans(account.calendarId, ["2025-12-01/2025-12-02"]);
      const ids = [account.calendarId, ...Array.from({ length: 99 }, (_, i) => `cal_${i}`)];
      expect(uidsOf(await account.get(path, { ...UTC, "calendar_ids[]": ids }))).toHaveLength(1);
    });
  });

  it("ignores parameters that are not documented", async () => {
    const { get } = await opened();
    const others = { include_geo: "yes", include_moved: "1", include_free: "1", google_event_ids: "x", "a[b][]": "1" };
    expect(await get(path, { ...UTC, ...others, page: "7", limit: "-1" })).toMatchObject({ status: 200 });
  });

  it("ignores parameters of the other read, whatever they say", async () => {
    const { get } = await opened();
    const others: Record<string, string> =
      path === "/v1/events"
        ? { include_ids: "no" }
        : { only_managed: "no", include_deleted: "no", last_modified: "no" };
    expect(await get(path, { ...UTC, ...others })).toMatchObject({ status: 200 });
  });
}

/** What both reads promise of order and pages. */
export function pagingTests({ path, pageSize }: ReadUnderTest): void {
  const minutes = (count: number) =>
    Array.from({ length: count }, (_, i) => new Date(Date.parse("2025-12-01T00:00:00Z") + i * 60_000).toISOString());

  it("orders by start, all-day events by their local midnight, then by event_uid", async () => {
    const { get, calendarId } = await opened();
    const prefix = `evt_${calendarId}`;
    const event = (uid: string, start: string, end = start) => ({ calendarId, uid: `${prefix}${uid}`, start, end });
    await storeProviderEvents([
      event("b", "2025-12-01T05:00:00Z"),
      event("a", "2025-12-01T05:00:01Z"),
      event("c", "2025-12-01", "2025-12-02"),
      event("d", "2025-12-01T05:00:00Z", "2025-12-07T05:00:00Z"),
      event("e", "2025-12-01T04:59:59Z"),
      event("f", "2025-12-02", "2025-12-03"),
      event("g", "2025-12-02T04:59:59Z"),
    ]);
    const uids = uidsOf(await get(path, { tzid: "America/New_York" }));
    expect(uids.map((uid) => uid.slice(prefix.length)).join("")).toBe("ebcdagf");
  });

  it(`has up to ${pageSize} a page, with pages.current, pages.total and no next_page on the last`, async () => {
    const account = await opened();
    const stored = await storeSpans(account.calendarId, minutes(2 * pageSize + 1));
    const answers = await allPages(account, path, UTC);
    expect(answers.map((answer) => rowsOf(answer).length)).toEqual([pageSize, pageSize, 1]);
    expect(answers.map(({ json: { pages } }) => [pages.current, pages.total, "next_page" in pages])).toEqual([
      [1, 3, true],
      [2, 3, true],
      [3, 3, false],
    ]);
    expect(answers.flatMap(uidsOf)).toEqual([...stored.keys()]);
  });

  it("has no page more when the last is full", async () => {
    const account = await opened();
    await storeSpans(account.calendarId, minutes(pageSize));
    const { pages } = (await account.get(path, UTC)).json;
    expect(pages).toEqual({ current: 1, total: 1 });
  });

  it("has in pages.total what is in the window, and nothing else of the days that the window cuts", async () => {
    const account = await opened();
    const query = { ...UTC, from: "2025-12-01T10:00:00Z", to: "2025-12-03T14:00:00Z" };
    const around = ["2025-12-01T09:59:59Z", "2025-12-03T14:00:00Z", "2025-11-30T08:00:00Z/2025-12-01T10:00:00Z"];
    await storeSpans(account.calendarId, [...around, ...around, "2025-12-01", "2025-11-01/2025-12-01"]);
    await storeSpans(
      account.calendarId,
      minutes(pageSize - 4).map((start) => start.replace("-01T", "-02T")),
    );
    const reaching = ["2025-12-01T09:00:00Z/2025-12-01T10:00:01Z", "2025-11-01T00:00:00Z/2025-12-02T00:00:00Z"];
    await storeSpans(account.calendarId, [...reaching, "2025-12-01/2025-12-02", "2025-11-01/2025-12-02"]);
    expect((await account.get(path, query)).json.pages).toEqual({ current: 1, total: 1 });
    await storeSpans(account.calendarId, ["2025-12-03T13:59:59Z"]);
    expect((await account.get(path, query)).json.pages).toMatchObject({ current: 1, total: 2 });
  });

  it("is one empty page when there is nothing", async () => {
    const { get } = await opened();
    const answer = await get(path, UTC);
    expect(answer.json.pages).toEqual({ current: 1, total: 1 });
    expect(rowsOf(answer)).toEqual([]);
  });

  describe("pages.next_page", () => {
    it("is absolute, from BASE_URL and not from the Host header", async () => {
      const account = await opened();
      await storeSpans(account.calendarId, minutes(pageSize + 1));
      const { next_page } = (await account.get(path, UTC)).json.pages;
      expect(next_page).toMatch(new RegExp(`^http://api\\.almanac\\.localhost${path}\\?cursor=[A-Za-z0-9_-]+$`));
    });

    it("has a cursor of at most 600 characters, also with 100 scattered calendars and the longest names", async () => {
      const account = await opened();
      const ids = await addCalendars(account, 100, { firstNumber: 16_000, step: 16_000 });
      await storeSpans(ids[99] ?? "", minutes(pageSize + 1));
      const pages = await allPages(account, path, {
        tzid: "America/Argentina/ComodRivadavia",
        "calendar_ids[]": ids,
        include_managed: "true",
        localized_times: "true",
        last_modified: "0001-01-01T00:00:00Z",
      });
      expect(pages[0]?.json.pages.next_page.split("cursor=")[1].length).toBeLessThanOrEqual(600);
      expect(pages.map((page) => rowsOf(page).length)).toEqual([pageSize, 1]);
    });
  });

  describe("cursor", () => {
    /** An account whose first page of `query` is followed by another. */
    async function turned(query: Record<string, string | string[]>, more: object = {}) {
      const account = await opened();
      const spans = minutes(pageSize + 2);
      await storeSpans(account.calendarId, spans, more);
      const { next_page } = (await account.get(path, { ...UTC, ...query })).json.pages;
      return { account, spans, next: pathOf(next_page) };
    }

    it("is enough alone, and freezes the window and filters of its first page", async () => {
      const { account, spans, next } = await turned({
        tzid: "Asia/Kathmandu",
        from: "2025-12-01T05:45:00+05:45",
        to: new Date(Date.parse("2025-12-01T00:00:00Z") + (pageSize + 1) * 60_000).toISOString(),
        localized_times: "true",
        "calendar_ids[]": [],
      });
      const rows = rowsOf(await account.get(next));
      expect(rows.map(({ start }) => start)).toEqual([expect.stringMatching(/\+05:45$/)]);
      expect(Date.parse(rows[0]?.start ?? "")).toBe(Date.parse(spans[pageSize] ?? ""));
    });

    it("beside other parameters leaves them without effect, also where they are mistaken", async () => {
      const { account, next } = await turned({});
      const alone = await account.get(next);
      expect(alone.status).toBe(200);
      const beside = `${next}&tzid=No/Where&from=2030-01-01&to=1&localized_times=true&calendar_ids[]=&include_managed=7`;
      expect((await account.get(beside)).text).toBe(alone.text);
    });

    it("keeps the calendars and the authorship of its first page", async () => {
      const account = await opened();
      const [second = ""] = await addCalendars(account, 1);
      const own = minutes(pageSize + 1).map((start, i) => ({
        calendarId: second,
        start,
        end: start,
        eventId: String(i),
      }));
      await storeProviderEvents(own);
      await storeSpans(account.calendarId, minutes(9));
      const answers = await allPages(account, path, { ...UTC, include_managed: "true", "calendar_ids[]": [second] });
      expect(answers.map((answer) => rowsOf(answer).map((row) => row.calendar_id))).toEqual([
        Array(pageSize).fill(second),
        [second],
      ]);
    });

    it("keeps the window of its first page when time goes on", async () => {
      const account = await opened();
      await storeSpans(account.calendarId, ["2025-10-10T12:00:00Z", ...minutes(pageSize), "2026-06-10T11:59:59Z"]);
      const { pages } = (await account.get(path, UTC)).json;
      fakeClock(NOW + 7_200_000);
      const rest = rowsOf(await account.get(pathOf(pages.next_page)));
      expect(rest.map(({ start }) => start)).toEqual([expect.stringMatching("2025-12-01T"), "2026-06-10T11:59:59Z"]);
    });

    it("followed by a second ?…, as some clients append it, is read without that", async () => {
      const { account, next } = await turned({});
      const expected = await account.get(next);
      for (const appended of ["?tzid=Etc/UTC", "?", "?cursor=x", "%3Ftzid=Etc/UTC"]) {
        const answer = await account.get(`${next}${appended}`);
        expect(answer).toMatchObject({ status: 200, text: expected.text });
      }
    });

    it("may be followed again, with the same answer", async () => {
      const { account, next } = await turned({});
      const first = await account.get(next);
      expect((await account.get(next)).text).toBe(first.text);
    });

    it("of another account, of the other read, tampered with or made up: 422 errors.invalid on cursor", async () => {
      const { account, next } = await turned({});
      const cursor = next.split("cursor=")[1] ?? "";
      const refusedOf = async (get: typeof account.get, at: string, value: string) =>
        expectIssues(await get(at, { cursor: value }), { cursor: "errors.invalid" });
      const stranger = await opened(NOW, account.application);
      await refusedOf(stranger.get, path, cursor);
      await refusedOf(account.get, path === "/v1/events" ? "/v1/free_busy" : "/v1/events", cursor);
      for (let i = 0; i < cursor.length; i += 7) {
        const other = cursor[i] === "A" ? "B" : "A";
        await refusedOf(account.get, path, cursor.slice(0, i) + other + cursor.slice(i + 1));
      }
      const madeUp = [
        cursor.slice(0, -1),
        `${cursor}A`,
        `${cursor}=`,
        cursor.slice(4),
        "x",
        "null",
        "{}",
        "🎉",
        "A".repeat(600),
      ];
      for (const value of [...madeUp, randomBytes(300).toString("base64url")])
        await refusedOf(account.get, path, value);
    });
  });
}

/** What both reads refuse. */
export function refusalTests({ path }: ReadUnderTest): void {
  const garbage = ["", "yesterday", "2025-02-30", "2025-12-01T10:00:00", "2025-12-01T24:00:00Z"];
  const more = [
    "2025-12-01T10:00:60Z",
    "2025-12-01T1000Z",
    "2025-12-01T10:00:00+25:00",
    "20261201",
    "1796119200",
    "10000-01-01",
    "2025-12",
  ];

  it.each<[string, Record<string, string | string[]>, Record<string, string | string[]>]>([
    ["no tzid", {}, { tzid: "errors.required" }],
    ["an empty tzid", { tzid: "" }, { tzid: "errors.invalid" }],
    ["a tzid that does not exist", { tzid: "Mars/Olympus" }, { tzid: "errors.invalid" }],
    ["a tzid that only some systems know", { tzid: "PST" }, { tzid: "errors.invalid" }],
    ["an offset for a tzid", { tzid: "+01:00" }, { tzid: "errors.invalid" }],
    ["several for tzid", { "tzid[]": ["Etc/UTC"] }, { tzid: "errors.invalid_type" }],
    ...[...garbage, ...more].flatMap((text): [string, Record<string, string>, Record<string, string>][] => [
      [`from=${text}`, { ...UTC, from: text }, { from: "errors.invalid" }],
      [`to=${text}`, { ...UTC, to: text }, { to: "errors.invalid" }],
    ]),
    ["to at from", { ...UTC, from: "2025-12-01", to: "2025-12-01" }, { to: "errors.invalid" }],
    ["to before from", { ...UTC, from: "2025-12-02", to: "2025-12-01" }, { to: "errors.invalid" }],
    [
      "to before from, outside what is served",
      { ...UTC, from: "2000-01-02", to: "2000-01-01" },
      { to: "errors.invalid" },
    ],
    [
      "to not after from in tzid",
      { tzid: "Asia/Tokyo", from: "2025-12-01", to: "2025-11-30T15:00:00Z" },
      { to: "errors.invalid" },
    ],
    ["an empty calendar id", { ...UTC, "calendar_ids[]": ["cal_1", ""] }, { "calendar_ids[1]": "errors.too_small" }],
    [
      "101 calendar ids",
      { ...UTC, "calendar_ids[]": Array.from({ length: 101 }, (_, i) => `cal_${i}`) },
      { calendar_ids: "errors.too_big" },
    ],
    ["calendar_ids without brackets", { ...UTC, calendar_ids: "cal_1" }, { calendar_ids: "errors.invalid_type" }],
    ["include_managed=yes", { ...UTC, include_managed: "yes" }, { include_managed: "errors.invalid_value" }],
    ["include_managed=TRUE", { ...UTC, include_managed: "TRUE" }, { include_managed: "errors.invalid_value" }],
    ["localized_times=", { ...UTC, localized_times: "" }, { localized_times: "errors.invalid_value" }],
    ["an empty cursor", { cursor: "" }, { cursor: "errors.too_small" }],
    ["a cursor of 601 characters", { cursor: "A".repeat(601) }, { cursor: "errors.too_big" }],
    ["several cursors", { "cursor[]": ["A"] }, { cursor: "errors.invalid_type" }],
    [
      "NUL",
      { tzid: "Etc/UTC\0", "calendar_ids[]": ["a\0"] },
      { tzid: "errors.invalid", "calendar_ids[0]": "errors.invalid" },
    ],
    [
      "several mistakes at once",
      { from: "2025-12-02", to: "never", "calendar_ids[]": [""], include_managed: "2", localized_times: "no" },
      {
        tzid: "errors.required",
        to: "errors.invalid",
        "calendar_ids[0]": "errors.too_small",
        include_managed: "errors.invalid_value",
        localized_times: "errors.invalid_value",
      },
    ],
    [
      "to not after from beside another mistake",
      { ...UTC, from: "2025-12-02", to: "2025-12-01", include_managed: "2" },
      { to: "errors.invalid", include_managed: "errors.invalid_value" },
    ],
  ])("%s", async (_case, query, mistakes) => {
    const { get } = await opened();
    expectIssues(await get(path, query), mistakes);
  });
}

/** What both reads say of a parameter in another form than the documented one. */
export function formTests({ path }: ReadUnderTest): void {
  const described = async (query: string, compatible = false) => {
    const { get } = await opened(NOW, compatible ? await newApplication({ compatibilityMode: true }) : undefined);
    const answer = await get(`${path}?tzid=Etc/UTC&${query}`);
    expectWellFormed422(answer);
    const errors = Object.entries<{ key: string; description: string }[]>(answer.json.errors);
    return errors.flatMap(([field, all]) => all.map(({ key, description }) => [field, key, description]));
  };

  it.each(["calendar_ids=cal_1", "calendar_ids=cal_1&calendar_ids=cal_2", "calendar_ids=", "calendar_ids=cal_1,cal_2"])(
    "%s: names calendar_ids[]",
    async (query) => {
      const description = "calendar_ids must be sent with brackets, once for each value: calendar_ids[]=…";
      expect(await described(query)).toEqual([["calendar_ids", "errors.invalid_type", description]]);
    },
  );

  it.each([
    "cal_1,cal_2",
    "cal_1,%20cal_2",
    "cal_1;cal_2",
    "cal_1|cal_2",
    "cal_1+cal_2",
    "cal_1,",
    "[%22cal_1%22]",
    "[cal_1]",
    "%22cal_1%22",
  ])("calendar_ids[]=%s: names the repeated parameter", async (list) => {
    const description = "contains several values: repeat calendar_ids[]=… for each one";
    expect(await described(`calendar_ids[]=cal_0&calendar_ids[]=${list}`)).toEqual([
      ["calendar_ids[1]", "errors.invalid", `calendar_ids[1] ${description}`],
    ]);
  });

  it.each([
    ["calendar_id", "calendar_ids[]"],
    ["calendar_id[]", "calendar_ids[]"],
    ["calendarIds[]", "calendar_ids[]"],
    ["calendar-ids[0]", "calendar_ids[]"],
    ["calender_ids[]", "calendar_ids[]"],
    ["calendars[]", "calendar_ids[]"],
    ["includeManaged", "include_managed"],
    ["include_manged", "include_managed"],
    ["only_manage", "only_managed"],
    ["include_id", "include_ids"],
    ["includeDeleted", "include_deleted"],
    ["last-modified", "last_modified"],
    ["last_modifed", "last_modified"],
    ["localised_times", "localized_times"],
    ["localized_time", "localized_times"],
    ["From", "from"],
    ["TO", "to"],
  ])("%s: asks whether %s was meant", async (sent, meant) => {
    const field = sent.replace(/\[\d*\]$/, "");
    const expected = [field, "errors.invalid", `${field} is not a parameter: did you mean ${meant}?`];
    for (const compatible of [false, true]) expect(await described(`${sent}=x`, compatible)).toEqual([expected]);
  });

  it.each(["TRUE", "FALSE", "tRUE", "yes", "2", "on", ""])("a boolean of %j: names what it may be", async (value) => {
    expect(await described(`include_managed=${value}`)).toEqual([
      ["include_managed", "errors.invalid_value", "include_managed must be one of true, false, 1, 0"],
    ]);
  });

  it("a boolean as Python and .NET write theirs is read", async () => {
    const { get } = await opened();
    const read = await get(`${path}?tzid=Etc/UTC&include_managed=True&localized_times=False`);
    expect(read.status).toBe(200);
    expect(read.json).toEqual((await get(`${path}?tzid=Etc/UTC&include_managed=true`)).json);
  });

  it("says nothing of them beside a cursor", async () => {
    const { get } = await opened();
    const answer = await get(`${path}?cursor=x&calendar_id=a&calendar_ids=b&includeManaged=1`);
    expectIssues(answer, { cursor: "errors.invalid" });
  });
}

export function signedOutTests({ path }: ReadUnderTest): void {
  it("is the answer without a token and with an unknown one, before the query is read", async () => {
    expectSignedOut(await call("GET", path), "invalid_request");
    expectSignedOut(await withToken("GET", `${path}?tzid=No/Where`, "at_unknown"), "invalid_token");
  });
}
