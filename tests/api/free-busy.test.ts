import { describe, expect, it } from "vitest";
import { type ProviderEvent, storeProviderEvents } from "../fakes/stored-events";
import { formTests, pagingTests, queryTests, refusalTests, signedOutTests } from "./read-tests";
import { opened, type ReadUnderTest, rowsOf, uidsOf } from "./read-under-test";
import { windowTests } from "./read-window-tests";

const read: ReadUnderTest = { path: "/v1/free_busy", pageSize: 1000 };
const UTC = { tzid: "Etc/UTC" };
const HOUR = { start: "2025-12-01T10:00:00Z", end: "2025-12-01T11:00:00Z" };

describe("200", () => {
  it("has a period with exactly the documented fields", async () => {
    const { get, calendarId } = await opened();
    const [uid] = await storeProviderEvents([{ calendarId, ...HOUR, summary: "Secret" }]);
    const answer = await get(read.path, UTC);
    expect(answer.json).toEqual({
      pages: { current: 1, total: 1 },
      free_busy: [{ calendar_id: calendarId, event_uid: uid, ...HOUR, free_busy_status: "busy" }],
    });
  });

  it.each<[string, Partial<ProviderEvent>, string]>([
    ["confirmed and opaque: busy", {}, "busy"],
    ["transparent: free", { transparency: "transparent" }, "free"],
    ["transparent and tentative: free", { transparency: "transparent", status: "tentative" }, "free"],
    ["a tentative event: tentative", { status: "tentative" }, "tentative"],
    ["own reply tentative: tentative", { reply: "tentative" }, "tentative"],
    ["no reply yet: busy", { reply: "needs_action" }, "busy"],
  ])("free_busy_status: %s", async (_case, event, expected) => {
    const { get, calendarId } = await opened();
    await storeProviderEvents([{ calendarId, ...HOUR, ...event }]);
    expect((await get(read.path, UTC)).json.free_busy).toMatchObject([{ free_busy_status: expected }]);
  });

  it("free_busy_status follows the transparency that the application writes", async () => {
    const { get, write } = await opened();
    const status = async () =>
      (await get(read.path, { ...UTC, include_managed: "true" })).json.free_busy[0].free_busy_status;
    await write({ event_id: "1", summary: "s", ...HOUR, transparency: "transparent" });
    expect(await status()).toBe("free");
    await write({ event_id: "1", summary: "s", ...HOUR });
    expect(await status()).toBe("busy");
  });

  it("leaves out declined invitations, which are never busy, and deleted events", async () => {
    const { get, calendarId } = await opened();
    await storeProviderEvents([
      { calendarId, ...HOUR, state: "declined" },
      { calendarId, ...HOUR, state: "deleted" },
    ]);
    const answer = await get(read.path, { ...UTC, include_deleted: "true", include_managed: "true" });
    expect(answer.json).toEqual({ pages: { current: 1, total: 1 }, free_busy: [] });
  });

  it("leaves out an event that the application deleted", async () => {
    const { get, write, remove, calendarId } = await opened();
    await write({ event_id: "1", summary: "s", ...HOUR });
    await remove(`/v1/calendars/${calendarId}/events`, { event_id: "1" });
    expect(rowsOf(await get(read.path, { ...UTC, include_managed: "true" }))).toEqual([]);
  });

  it("counts only what it shows in pages.total", async () => {
    const { get, calendarId } = await opened();
    const many = (count: number, more: Partial<ProviderEvent>) =>
      storeProviderEvents(Array.from({ length: count }, () => ({ calendarId, ...HOUR, ...more })));
    await many(1000, {});
    await many(5, { state: "declined" });
    await many(5, { state: "deleted" });
    await many(5, { eventId: null, start: "2025-10-01T10:00:00Z", end: "2025-10-01T11:00:00Z" });
    expect((await get(read.path, UTC)).json.pages).toEqual({ current: 1, total: 1 });
  });

  describe("include_ids", () => {
    it.each([
      ["true", true],
      ["1", true],
      ["false", false],
      ["0", false],
      [undefined, false],
    ])("%s: event_id only with it, and only for events the application created", async (value, isShown) => {
      const { get, calendarId, write } = await opened();
      await write({ event_id: "mine", summary: "s", ...HOUR });
      await storeProviderEvents([{ calendarId, start: "2025-12-01T12:00:00Z", end: "2025-12-01T13:00:00Z" }]);
      const query = { ...UTC, include_managed: "true", ...(value && { include_ids: value }) };
      const rows = rowsOf(await get(read.path, query));
      expect(rows.map((row) => row.event_id)).toEqual([isShown ? "mine" : undefined, undefined]);
      expect(rows.map((row) => "event_id" in row)).toEqual([isShown, false]);
    });

    it("holds on later pages", async () => {
      const { get, calendarId } = await opened();
      const own = Array.from({ length: 1001 }, (_, i) => ({ calendarId, ...HOUR, eventId: `own-${i}` }));
      await storeProviderEvents(own);
      const first = await get(read.path, { ...UTC, include_managed: "true", include_ids: "true" });
      const { pathname, search } = new URL(first.json.pages.next_page);
      const last = rowsOf(await get(pathname + search));
      expect(last.map((row) => row.event_id)).toEqual([expect.stringMatching(/^own-\d+$/)]);
    });
  });

  it("does not know the parameters of events alone", async () => {
    const { get, calendarId, write } = await opened();
    await write({ event_id: "mine", summary: "s", ...HOUR });
    const [others] = await storeProviderEvents([{ calendarId, ...HOUR }]);
    const query = { ...UTC, only_managed: "maybe", include_deleted: "maybe", last_modified: "never" };
    expect(uidsOf(await get(read.path, query))).toEqual([others]);
  });

  queryTests(read);
  windowTests(read);
  pagingTests(read);
});

describe("401", () => {
  signedOutTests(read);
});

describe("422", () => {
  refusalTests(read);
  formTests(read);

  it("include_ids=yes", async () => {
    const { get } = await opened();
    const { json } = await get(read.path, { ...UTC, include_ids: "yes" });
    expect(json.errors).toMatchObject({ include_ids: [{ key: "errors.invalid_value" }] });
  });
});
