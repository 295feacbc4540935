import { describe, expect, it } from "vitest";
import { changeEvents, type ProviderEvent, storeProviderEvents } from "../fakes/stored-events";
import { formTests, pagingTests, queryTests, refusalTests, signedOutTests } from "./read-tests";
import { allPages, opened, type ReadUnderTest, rowsOf, uidsOf } from "./read-under-test";
import { windowTests } from "./read-window-tests";
import { expectIssues } from "./responses";

const read: ReadUnderTest = { path: "/v1/events", pageSize: 300 };
const UTC = { tzid: "Etc/UTC" };
const HOUR = { start: "2025-12-01T10:00:00Z", end: "2025-12-01T11:00:00Z" };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe("200", () => {
  it("has an event of others with exactly the documented fields", async () => {
    const { get, calendarId } = await opened();
    const [uid] = await storeProviderEvents([
      { calendarId, ...HOUR, summary: "Planning", updated: "2025-11-20T08:00:00.654321Z" },
    ]);
    expect((await get(read.path, UTC)).json).toEqual({
      pages: { current: 1, total: 1 },
      events: [
        {
          calendar_id: calendarId,
          event_uid: uid,
          summary: "Planning",
          description: "",
          ...HOUR,
          deleted: false,
          created: "2025-11-20T08:00:00Z",
          updated: "2025-11-20T08:00:00Z",
          participation_status: "accepted",
          attendees: [],
          transparency: "opaque",
          extended_transparency: "opaque",
          event_private: false,
          organizer: null,
          status: "confirmed",
          categories: [],
          recurring: false,
          options: { delete: false, update: false, change_participation_status: false },
        },
      ],
    });
  });

  it("has an event that the application created with its event_id, and may delete and update it", async () => {
    const { get, write, calendarId } = await opened();
    const sent = { summary: "Mine", description: "All of it", url: "https://acme.io/1", transparency: "transparent" };
    await write({ event_id: "1", ...sent, ...HOUR, location: { description: "Room 7" } });
    const { events } = (await get(read.path, { ...UTC, include_managed: "true" })).json;
    expect(events).toEqual([
      {
        calendar_id: calendarId,
        event_uid: expect.stringMatching(/^evt_/),
        event_id: "1",
        ...sent,
        ...HOUR,
        deleted: false,
        created: expect.stringMatching(TIME),
        updated: expect.stringMatching(TIME),
        location: { description: "Room 7" },
        participation_status: "accepted",
        attendees: [],
        extended_transparency: "transparent",
        event_private: false,
        organizer: { email: expect.stringContaining("@"), display_name: expect.any(String) },
        status: "confirmed",
        categories: [],
        recurring: false,
        options: { delete: true, update: true, change_participation_status: false },
      },
    ]);
  });

  it("has guests, organizer, categories and meeting link as the calendar holds them", async () => {
    const { get, calendarId } = await opened();
    const [uid = "", pending = ""] = await storeProviderEvents([
      { calendarId, ...HOUR },
      { calendarId, start: "2025-12-02", end: "2025-12-03" },
    ]);
    const attendees = [{ email: "bo@acme.io", display_name: null, status: "needs_action" }];
    const organizer = { email: "ann@acme.io", display_name: "Ann" };
    const conferencing = { provider: "google_meet", join_url: "https://meet.acme.io/1" };
    const more = { categories: ["red"], private: true, url: "https://acme.io", conferencing };
    await changeEvents({ id: uid }, { attendees, organizer, ...more });
    await changeEvents({ id: pending }, { conferencing: { pending: true } });
    const { events } = (await get(read.path, UTC)).json;
    expect(events).toMatchObject([
      {
        attendees,
        organizer,
        categories: ["red"],
        event_private: true,
        url: "https://acme.io",
        conferencing: { provider_name: "google_meet", join_url: "https://meet.acme.io/1" },
      },
      { conferencing: { pending: true } },
    ]);
  });

  it("shows declined invitations, with the owner's reply", async () => {
    const { get, calendarId } = await opened();
    await storeProviderEvents([{ calendarId, ...HOUR, state: "declined" }]);
    expect((await get(read.path, UTC)).json.events).toMatchObject([
      { participation_status: "declined", deleted: false },
    ]);
  });

  it("does not know the parameter of free_busy alone", async () => {
    const { get, write } = await opened();
    await write({ event_id: "1", summary: "s", ...HOUR });
    const rows = rowsOf(await get(read.path, { ...UTC, include_managed: "true", include_ids: "maybe" }));
    expect(rows).toMatchObject([{ event_id: "1" }]);
  });

  describe("only_managed", () => {
    it.each([
      [{ only_managed: "true" }, ["own"]],
      [{ only_managed: "1", include_managed: "true" }, ["own"]],
      [{ only_managed: "1", include_managed: "false" }, ["own"]],
      [{ only_managed: "false" }, ["others"]],
      [{ only_managed: "0", include_managed: "true" }, ["others", "own"]],
    ])("%o", async (query, expected) => {
      const { get, calendarId, write } = await opened();
      const [others] = await storeProviderEvents([{ calendarId, start: "2025-12-01", end: "2025-12-02" }]);
      await write({ event_id: "1", summary: "own", ...HOUR });
      const uids = uidsOf(await get(read.path, { ...UTC, ...(query as Record<string, string>) }));
      expect(uids.map((uid) => (uid === others ? "others" : "own"))).toEqual(expected);
    });
  });

  describe("include_deleted", () => {
    it.each([
      [undefined, [false]],
      ["false", [false]],
      ["0", [false]],
      ["true", [false, true]],
      ["1", [false, true]],
    ])("%s: deleted events appear only with it", async (value, expected) => {
      const { get, calendarId } = await opened();
      await storeProviderEvents([
        { calendarId, ...HOUR },
        { calendarId, start: "2025-12-02", end: "2025-12-03", state: "deleted" },
      ]);
      const { events } = (await get(read.path, { ...UTC, ...(value && { include_deleted: value }) })).json;
      expect(events.map((event: { deleted: boolean }) => event.deleted)).toEqual(expected);
    });

    it("shows what the application deleted beside what it wrote again, each with its own event_uid", async () => {
      const { get, write, remove, calendarId } = await opened();
      await write({ event_id: "1", summary: "first", ...HOUR });
      await remove(`/v1/calendars/${calendarId}/events`, { event_id: "1" });
      await write({ event_id: "1", summary: "second", ...HOUR });
      const query = { ...UTC, only_managed: "true", include_deleted: "true" };
      const { events } = (await get(read.path, query)).json;
      const found = events.map(({ summary, deleted }: { summary: string; deleted: boolean }) => [summary, deleted]);
      expect(found.sort()).toEqual([
        ["first", true],
        ["second", false],
      ]);
      expect(new Set(events.map((event: { event_uid: string }) => event.event_uid)).size).toBe(2);
    });

    it("holds on later pages, and counts in pages.total", async () => {
      const account = await opened();
      const deleted = Array.from({ length: 301 }, () => ({
        calendarId: account.calendarId,
        ...HOUR,
        state: "deleted" as const,
      }));
      await storeProviderEvents(deleted);
      const shown = await allPages(account, read.path, { ...UTC, include_deleted: "true" });
      expect(shown.map((answer) => [rowsOf(answer).length, answer.json.pages.total])).toEqual([
        [300, 2],
        [1, 2],
      ]);
      expect((await account.get(read.path, UTC)).json.pages.total).toBe(1);
    });
  });

  describe("last_modified", () => {
    const at = "2025-11-20T08:00:00.654321Z";

    it.each([
      ["2025-11-20T08:00:00.654320Z", true],
      ["2025-11-20T08:00:00.654321Z", true],
      ["2025-11-20T08:00:00.654322Z", false],
      ["2025-11-20T08:00:00Z", true],
      ["2025-11-20T08:00:01Z", false],
      ["2025-11-20T09:00:00.654321+01:00", true],
      ["2025-11-20 08:00:00.6543219999Z", true],
      ["2025-11-20T08:00Z", true],
      ["2025-11-20T08:01Z", false],
      ["2025-11-20T09:00:00+0100", true],
      ["2025-11-20T09:01:00+01", false],
      ["2025-11-20T09:01:00 01:00", false],
      ["2025-11-20T09:00:00 0100", true],
      ["0001-01-01T00:00:00Z", true],
      ["9999-12-31T23:59:59Z", false],
    ])("%s: at or after it, to the microsecond", async (last_modified, isShown) => {
      const { get, calendarId } = await opened();
      await storeProviderEvents([{ calendarId, ...HOUR, updated: at }]);
      const answer = await get(read.path, { ...UTC, last_modified });
      expect(uidsOf(answer)).toHaveLength(isShown ? 1 : 0);
      expect(answer.json.pages).toEqual({ current: 1, total: 1 });
    });

    it("shows deleted events only with include_deleted", async () => {
      const { get, calendarId } = await opened();
      await storeProviderEvents([{ calendarId, ...HOUR, state: "deleted", updated: at }]);
      expect(uidsOf(await get(read.path, { ...UTC, last_modified: at }))).toHaveLength(0);
      expect(uidsOf(await get(read.path, { ...UTC, last_modified: at, include_deleted: "true" }))).toHaveLength(1);
    });

    it("leaves the window and the other filters as they are", async () => {
      const { get, calendarId } = await opened();
      const [inWindow] = await storeProviderEvents([
        { calendarId, ...HOUR, updated: at },
        { calendarId, ...HOUR, updated: at, eventId: "own" },
        { calendarId, start: "2025-12-03", end: "2025-12-04", updated: at },
        { calendarId, ...HOUR, updated: "2025-11-19T00:00:00Z" },
      ]);
      const query = { ...UTC, from: "2025-12-01", to: "2025-12-02", last_modified: "2025-11-20T00:00:00Z" };
      expect(uidsOf(await get(read.path, query))).toEqual([inWindow]);
    });

    it("counts what changed in pages.total, and holds on later pages", async () => {
      const account = await opened();
      const many = (count: number, updated: string): ProviderEvent[] =>
        Array.from({ length: count }, () => ({ calendarId: account.calendarId, ...HOUR, updated }));
      await storeProviderEvents([...many(400, "2025-11-19T00:00:00Z"), ...many(301, at)]);
      const answers = await allPages(account, read.path, { ...UTC, last_modified: at });
      expect(answers.map((answer) => [rowsOf(answer).length, answer.json.pages.total])).toEqual([
        [300, 2],
        [1, 2],
      ]);
    });

    it("finds a write of the application with the time at which it shows the event updated", async () => {
      const { get, write } = await opened();
      await write({ event_id: "1", summary: "s", ...HOUR });
      const [{ updated }] = (await get(read.path, { ...UTC, only_managed: "true" })).json.events;
      const query = { ...UTC, only_managed: "true", last_modified: updated };
      expect(uidsOf(await get(read.path, query))).toHaveLength(1);
    });
  });

  queryTests(read);
  windowTests(read);
  pagingTests(read);

  it("ends a page of large texts after a million bytes; each later page says how many there are now, and nothing is missing", async () => {
    const account = await opened(Date.now());
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const description = "ä".repeat(50_000);
    const series = {
      summary: "Large",
      description,
      tzid: "Etc/UTC",
      start: `${day}T10:00:00Z`,
      end: `${day}T11:00:00Z`,
    };
    const rules = [{ frequency: "daily", count: 150 }];
    await account.write({ event_id: "large", ...series, recurrence: { rules } });
    for (const event_id of ["a", "b", "c"]) await account.write({ event_id, ...series, description: "" });
    const answers = await allPages(account, read.path, { ...UTC, include_managed: "true" });
    const uids = answers.flatMap(uidsOf);
    expect(new Set(uids).size).toBe(153);
    expect(uids.length).toBe(153);
    for (const { text } of answers) expect(Buffer.byteLength(text)).toBeLessThan(1_200_000);
    const pages = answers.map(({ json }) => json.pages);
    expect(pages.length).toBeGreaterThan(12);
    expect(pages.map(({ current }) => current)).toEqual(pages.map((_, i) => i + 1));
    for (const { current, total } of pages.slice(0, -1)) expect(total).toBeGreaterThan(current);
    expect(pages.at(-1)).toEqual({ current: pages.length, total: pages.length });
  });
});

describe("401", () => {
  signedOutTests(read);
});

describe("422", () => {
  refusalTests(read);
  formTests(read);

  it.each<[Record<string, string>, Record<string, string>]>([
    [{ only_managed: "yes" }, { only_managed: "errors.invalid_value" }],
    [{ include_deleted: "" }, { include_deleted: "errors.invalid_value" }],
    [{ last_modified: "2025-12-01" }, { last_modified: "errors.invalid" }],
    [{ last_modified: "2025-12-01T10:00:00" }, { last_modified: "errors.invalid" }],
    [{ last_modified: "2025-02-30T10:00:00Z" }, { last_modified: "errors.invalid" }],
    [{ last_modified: "" }, { last_modified: "errors.invalid" }],
    [
      { last_modified: "now", only_managed: "2", include_deleted: "3" },
      {
        last_modified: "errors.invalid",
        only_managed: "errors.invalid_value",
        include_deleted: "errors.invalid_value",
      },
    ],
  ])("%o", async (query, mistakes) => {
    const { get } = await opened();
    expectIssues(await get(read.path, { ...UTC, ...query }), mistakes);
  });
});
