import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { processServices } from "@/server/http/process-services";
import { fakeClock } from "../fakes/clock";
import { storeProviderEvents } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { allEvents } from "./feeds";
import { connectedWithTokens, withToken } from "./grants";
import { type ApiResponse, call, newApplication, type Opened, openCalendar } from "./service";
import { storedRows } from "./stored-rows";

const event = (id: string, more: object = {}) => ({
  ...{ event_id: id, summary: `Event ${id}`, start: `${dayFromNow(2)}T09:00:00Z`, end: `${dayFromNow(2)}T10:00:00Z` },
  ...more,
});
const pathOf = (calendarId: string) => `/v1/calendars/${calendarId}/events`;
const entry = (method: string, calendarId: string, data: unknown) => ({
  ...{ method, relative_url: pathOf(calendarId), data },
});

async function outcomes({ post }: Pick<Opened, "post">, batch: unknown[]) {
  const { status, json, text } = await post("/v1/batch", { batch });
  expect(status, text).toBe(207);
  return json.batch as { status: number; headers: Record<string, string>; data?: unknown }[];
}

const summaries = async (opened: Opened) => (await allEvents(opened)).map(({ summary }) => summary).sort();

describe("POST /v1/batch", () => {
  it("207: carries out each request as its own route does, in order, whatever becomes of the others", async () => {
    const [opened, alone] = [await openCalendar(), await openCalendar()];
    const readonly = await openCalendar(opened.application);
    const requests = (calendarId: string): [string, string, object][] => [
      ["POST", calendarId, event("a")],
      ["POST", calendarId, event("b", { end: dayFromNow(1) })],
      ["POST", "cal_unknown", event("c")],
      ["POST", calendarId, {}],
      ["POST", calendarId, event("\u0000")],
      ["POST", calendarId, event("a", { summary: "Last of two" })],
      ["POST", calendarId, event("d")],
      ["DELETE", calendarId, { event_id: "d" }],
      ["DELETE", calendarId, { event_id: "never" }],
      ["DELETE", calendarId, { event_id: "a", occurrence_date: dayFromNow(2) }],
      ["DELETE", readonly.calendarId, { event_id: "of another account" }],
    ];
    const found = await outcomes(
      opened,
      requests(opened.calendarId).map(([method, calendarId, data]) => entry(method, calendarId, data)),
    );
    const singles: ApiResponse[] = [];
    for (const [method, calendarId, data] of requests(alone.calendarId)) {
      singles.push(await withToken(method, pathOf(calendarId), alone.accessToken, data));
    }
    expect(found.map(({ status }) => status)).toEqual(singles.map(({ status }) => status));
    expect(found.map(({ data }) => data)).toEqual(singles.map(({ json }) => json));
    expect(found.map(({ status }) => status)).toEqual([202, 422, 404, 422, 422, 202, 202, 202, 202, 422, 404]);
    expect(await summaries(opened)).toEqual(["Last of two"]);
    expect(await summaries(alone)).toEqual(["Last of two"]);
  });

  it("says 403 for a read-only calendar, at its place", async () => {
    const application = await newApplication();
    const { accessToken, calendarIds } = await connectedWithTokens(application);
    const batch = [
      entry("POST", calendarIds.readonly, event("a")),
      entry("post", calendarIds.writable, event("a")),
      entry("DELETE", calendarIds.readonly, { event_id: "a" }),
    ];
    const { json } = await withToken("POST", "/v1/batch", accessToken, { batch });
    expect(json.batch.map(({ status }: { status: number }) => status)).toEqual([403, 202, 403]);
  });

  it("fails with 422 at its place what a batch does not offer, and does it neither", async () => {
    const opened = await openCalendar();
    const before = await storedRows(opened.application);
    const urls = ["/v1/calendars", "/v1/events", "/v1/batch", "https://acme.io/v1/calendars/cal_1/events", ""];
    urls.push(
      `${pathOf(opened.calendarId)}/occurrences`,
      `${pathOf(opened.calendarId)}?event_id=a`,
      "/v1/calendars/%/events",
    );
    const found = await outcomes(opened, [
      ...urls.map((relative_url) => ({ method: "POST", relative_url, data: event("a") })),
      ...["GET", "PATCH", "", "constructor"].map((method) => entry(method, opened.calendarId, event("a"))),
      ...[[], "text", 5].map((data) => entry("POST", opened.calendarId, data)),
    ]);
    expect(found.map(({ status }) => status)).toEqual(found.map(() => 422));
    expect(found.map(({ data }) => Object.keys((data as { errors: object }).errors)[0])).toEqual([
      ...urls.map(() => "relative_url"),
      ...Array(4).fill("method"),
      ...Array(3).fill("base"),
    ]);
    expect(await storedRows(opened.application)).toEqual(before);
  });

  it("422: does nothing for a batch that is none", async () => {
    const opened = await openCalendar();
    const before = await storedRows(opened.application);
    const good = entry("POST", opened.calendarId, event("a"));
    const cases: [unknown, string][] = [
      [{}, "batch"],
      [{ batch: [] }, "batch"],
      [{ batch: {} }, "batch"],
      [{ batch: Array(51).fill(good) }, "batch"],
      [{ batch: [good, 5] }, "batch[1]"],
      [{ batch: [good, { relative_url: "x" }] }, "batch[1].method"],
      [{ batch: [good, { method: "POST", relative_url: 5 }] }, "batch[1].relative_url"],
      [{ batch: [{ ...good, relative_url: "\u0000" }] }, "batch[0].relative_url"],
    ];
    for (const [body, field] of cases) {
      const { status, json } = await opened.post("/v1/batch", body);
      expect([status, Object.keys(json.errors)]).toEqual([422, [field]]);
    }
    expect(await storedRows(opened.application)).toEqual(before);
    const batch = { batch: [good] };
    expect((await call("POST", "/v1/batch", { json: batch })).status).toBe(401);
  });

  it("counts each request against the limits, and says 429 for those past them", async () => {
    const time = fakeClock();
    const opened = await openCalendar();
    time.advance(60_000);
    // A burst of 150.
    const batch = Array.from({ length: 50 }, (_, i) => entry("DELETE", opened.calendarId, { event_id: String(i) }));
    await outcomes(opened, batch);
    expect((await opened.post("/v1/batch", { batch })).headers.get("ratelimit-remaining")).toBe("50");
    const { headers } = await opened.get("/v1/account");
    expect(headers.get("ratelimit-remaining")).toBe("49");
    const found = await outcomes(opened, batch);
    expect(found.map(({ status }) => status)).toEqual([...Array(49).fill(202), 429]);
    expect(found.at(-1)?.headers).toEqual({ "Retry-After": "1" });
    expect((await opened.post("/v1/batch", { batch })).status).toBe(429);
  });

  it("is in the request log with its paths and errors, without a word of the events", async () => {
    const opened = await openCalendar();
    await outcomes(opened, [
      entry("POST", opened.calendarId, event("a", { summary: "Secret plans" })),
      entry("POST", opened.calendarId, event("b", { end: dayFromNow(1), summary: "Secret plans" })),
    ]);
    expect(await processServices().requestLog.flush(10_000)).toBe(true);
    const [row] = await db().query<{ detail: string; error_keys: string[]; endpoint: string }>(
      "SELECT detail, error_keys, endpoint FROM request_logs WHERE account_id = $1 AND path = '/v1/batch'",
      [opened.accountId],
    );
    expect(row).toMatchObject({ endpoint: "/v1/batch", error_keys: ["errors.invalid"] });
    expect(row?.detail).toContain(pathOf(opened.calendarId));
    expect(row?.detail).toContain('"event_id":"a"');
    expect(row?.detail).toContain('"method":"POST"');
    expect(row?.detail).not.toContain("Secret");
  });
});

describe("DELETE /v1/events", () => {
  async function filled(): Promise<Opened> {
    const opened = await openCalendar();
    for (const id of ["a", "b", "c"]) await opened.write(event(id));
    const rules = [{ frequency: "daily", count: 5 }];
    await opened.write(event("series", { tzid: "Etc/UTC", recurrence: { rules } }));
    const { calendarId } = opened;
    await storeProviderEvents([{ calendarId, ...event("x"), summary: "Theirs", eventId: null }]);
    return opened;
  }

  it("202: deletes the application's own events, in all calendars or those that are named", async () => {
    for (const body of ["all", "some"]) {
      const [opened, other] = [await filled(), await filled()];
      const sent = body === "all" ? { delete_all: true } : { calendar_ids: [opened.calendarId, opened.calendarId] };
      const answer = await opened.remove("/v1/events", sent);
      expect([answer.status, answer.text]).toEqual([202, ""]);
      expect(await summaries(opened)).toEqual(["Theirs"]);
      expect(await summaries(other)).toHaveLength(9);
      expect((await opened.remove("/v1/events", sent)).status).toBe(202);
      const receipt = await opened.get(`${pathOf(opened.calendarId)}/a/receipt`);
      expect(receipt.json).toMatchObject({ state: "sent" });
    }
  });

  it("leaves what cannot be written, and sends what can to its provider", async () => {
    const application = await newApplication();
    const { accessToken, calendarIds } = await connectedWithTokens(application);
    await withToken("POST", pathOf(calendarIds.writable), accessToken, event("a"));
    await db().prisma.providerWrite.deleteMany({ where: { calendarId: calendarIds.writable } });
    await db().prisma.event.updateMany({ where: { calendarId: calendarIds.writable }, data: { externalId: "a" } });
    const { status } = await withToken("DELETE", "/v1/events", accessToken, { delete_all: true });
    expect(status).toBe(202);
    expect(await db().prisma.providerWrite.count({ where: { calendarId: calendarIds.writable } })).toBe(1);
    const refused = await withToken("DELETE", "/v1/events", accessToken, {
      calendar_ids: [calendarIds.writable, calendarIds.readonly, "cal_unknown"],
    });
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ["calendar_ids[1]", "calendar_ids[2]"]]);
  });

  it("422: names what is wrong with the body, and deletes nothing", async () => {
    const opened = await filled();
    const before = await storedRows(opened.application);
    const cases: [object, string][] = [
      [{}, "delete_all"],
      [{ delete_all: false }, "delete_all"],
      [{ delete_all: "true" }, "delete_all"],
      [{ delete_all: true, calendar_ids: [opened.calendarId] }, "calendar_ids"],
      [{ calendar_ids: [] }, "calendar_ids"],
      [{ calendar_ids: "cal" }, "calendar_ids"],
      [{ calendar_ids: [opened.calendarId, (await openCalendar()).calendarId] }, "calendar_ids[1]"],
    ];
    for (const [body, field] of cases) {
      const { status, json } = await opened.remove("/v1/events", body);
      expect([status, Object.keys(json.errors)]).toEqual([422, [field]]);
    }
    expect(
      (await call("DELETE", "/v1/events", { headers: { authorization: `Bearer ${opened.accessToken}` } })).status,
    ).toBe(422);
    expect(await storedRows(opened.application)).toEqual(before);
  });
});
