import { describe, expect, it } from "vitest";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { changeProfile } from "../fakes/stored";
import { storeProviderEvents } from "../fakes/stored-events";
import { changeWrites, dropWrites, refuseWrites, storedWrite } from "../fakes/stored-writes";
import { connectedWithTokens, withToken } from "./grants";
import { expectEmpty, expectIssues, expectSignedOut } from "./responses";
import { call, newApplication, openCalendar } from "./service";

const WHOLE_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const DAYS_2_MS = 172_800_000;
const event = { summary: "Private words", start: "2026-12-01", end: "2026-12-02" };
const receiptPath = (calendarId: string, eventId: string) =>
  `/v1/calendars/${calendarId}/events/${encodeURIComponent(eventId)}/receipt`;

/** Somebody whose provider has received nothing yet. */
async function connected() {
  const application = await newApplication();
  const account = await connectedWithTokens(application);
  const calendarId = account.calendarIds.writable;
  const ask = (method: string, path: string, json?: unknown) => withToken(method, path, account.accessToken, json);
  const path = `/v1/calendars/${calendarId}/events`;
  return {
    ...{ ...account, application, calendarId },
    write: async (event_id: string, summary = event.summary) =>
      expectEmpty(await ask("POST", path, { event_id, ...event, summary }), 202),
    remove: async (event_id: string) => expectEmpty(await ask("DELETE", path, { event_id }), 202),
    receipt: (eventId: string) => ask("GET", receiptPath(calendarId, eventId)),
    list: (query = "") => ask("GET", `/v1/writes${query}`),
  };
}

type Connected = Awaited<ReturnType<typeof connected>>;

/** What the list says of each event, and what its receipt does. */
async function listed({ list, receipt }: Connected, query = ""): Promise<Record<string, string>> {
  const { writes } = (await list(query)).json;
  for (const { calendar_id, event_id, ...rest } of writes) expect((await receipt(event_id)).json).toEqual(rest);
  return Object.fromEntries(writes.map((one: Record<string, string>) => [one.event_id, one.state]));
}

describe("a receipt: 200", () => {
  it("is sent at once in an application calendar, also of what is written again and deleted", async () => {
    const { get, write, remove, calendarId } = await openCalendar();
    await write({ event_id: "own", ...event });
    const answer = await get(receiptPath(calendarId, "own"));
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json).toEqual({ state: "sent", attempts: 1, at: expect.stringMatching(WHOLE_SECONDS), reason: null });
    await remove(`/v1/calendars/${calendarId}/events`, { event_id: "own" });
    expect((await get(receiptPath(calendarId, "own"))).json).toMatchObject({ state: "sent", reason: null });
  });

  it("is pending until the provider has it, with the attempts so far and why they failed", async () => {
    const { write, receipt, calendarId, accountId } = await connected();
    await write("own");
    const { createdAt } = await storedWrite(accountId);
    const at = formatInstant(createdAt.getTime() as Instant);
    expect((await receipt("own")).json).toEqual({ state: "pending", attempts: 0, at, reason: null });
    await changeWrites(calendarId, { attempts: 3, lastError: "down" });
    expect((await receipt("own")).json).toEqual({ state: "pending", attempts: 3, at, reason: "down" });
    await dropWrites(calendarId);
    expect((await receipt("own")).json).toMatchObject({ state: "sent", reason: null });
  });

  it("is pending while the user has to reconnect", async () => {
    const { write, receipt, profileId, calendarId } = await connected();
    await write("own");
    await changeWrites(calendarId, { attempts: 1, lastError: "down" });
    await changeProfile(profileId, { connected: false });
    const waiting = { state: "pending", attempts: 1, reason: "credentials_rejected" };
    expect((await receipt("own")).json).toMatchObject(waiting);
    const refusedAt = new Date(Date.now() + DAYS_2_MS);
    await refuseWrites(calendarId, "down", { refusedAt });
    expect((await receipt("own")).json).toMatchObject(waiting);
    await changeProfile(profileId, { connected: true });
    const at = formatInstant(refusedAt.getTime() as Instant);
    expect((await receipt("own")).json).toEqual({ state: "refused", attempts: 1, at, reason: "down" });
  });

  it.each([
    ["http_403", "rejected"],
    ["partial_guest_list", "partial_guest_list"],
    ["http_400_ErrorOccurrenceCrossingBoundary", "occurrence_out_of_order"],
    ["refused", "calendar_refused"],
  ])("gives the reason of a refusal (%s) as %s, until the event is written again", async (stored, reason) => {
    const { write, receipt, calendarId } = await connected();
    await write("own");
    await refuseWrites(calendarId, stored, { attempts: 2 });
    expect((await receipt("own")).json).toMatchObject({ state: "refused", attempts: 2, reason });
    await changeWrites(calendarId, { revertedAt: new Date() });
    expect((await receipt("own")).json).toMatchObject({ state: "refused", reason });
    await write("own", "Other words");
    expect((await receipt("own")).json).toMatchObject({ state: "pending", attempts: 0, reason: null });
  });

  it("is of the deletion once the event is deleted, and of the newest event of that name", async () => {
    const { write, remove, receipt, calendarId } = await connected();
    await write("own");
    await dropWrites(calendarId);
    await remove("own");
    expect((await receipt("own")).json).toMatchObject({ state: "pending" });
    await refuseWrites(calendarId, "http_403");
    expect((await receipt("own")).json).toMatchObject({ state: "refused", reason: "rejected" });
    await write("own");
    expect((await receipt("own")).json).toMatchObject({ state: "pending", reason: null });
    await dropWrites(calendarId);
    await remove("own");
    await dropWrites(calendarId);
    expect((await receipt("own")).json).toMatchObject({ state: "sent" });
  });

  it.each(["a/b", "ü 100%", "?x=1#y", "a+b", "x".repeat(512)])("finds an event called %s", async (eventId) => {
    const { write, get, calendarId } = await openCalendar();
    await write({ event_id: eventId, ...event });
    expect((await get(receiptPath(calendarId, eventId))).json).toMatchObject({ state: "sent" });
    expect((await get("/v1/writes")).json.writes).toMatchObject([{ event_id: eventId }]);
  });
});

describe("the list: 200", () => {
  it("has every event once, as its receipt says it, and no text of it", async () => {
    const account = await connected();
    const { write, remove, calendarId, list } = account;
    for (const eventId of ["sent", "refused", "gone", "ungone", "again"]) await write(eventId);
    await refuseWrites(calendarId, "http_403", { eventId: "refused" });
    await refuseWrites(calendarId, "http_403", { eventId: "again" });
    for (const eventId of ["sent", "gone"]) await dropWrites(calendarId, eventId);
    await remove("gone");
    await dropWrites(calendarId, "gone");
    await remove("ungone");
    await remove("again");
    await refuseWrites(calendarId, "http_403", { eventId: "again" });
    await write("again");
    const all = { sent: "sent", refused: "refused", ungone: "pending", again: "pending" };
    expect(await listed(account)).toEqual(all);
    for (const state of ["pending", "sent", "refused"])
      expect(await listed(account, `?state=${state}`)).toEqual(
        Object.fromEntries(Object.entries(all).filter(([, its]) => its === state)),
      );
    const { text, json } = await list();
    expect(text).not.toContain("Private");
    expect(json).toEqual({ pages: {}, writes: expect.any(Array) });
    for (const one of json.writes)
      expect(Object.keys(one)).toEqual(["calendar_id", "event_id", "state", "attempts", "at", "reason"]);
  });

  it("leaves out events of others", async () => {
    const { list, calendarId } = await connected();
    await storeProviderEvents([{ calendarId, start: "2026-12-01", end: "2026-12-02" }]);
    expect((await list()).json.writes).toEqual([]);
  });

  it("has the calendars that are asked for, and of those that the account does not have nothing", async () => {
    const account = await connected();
    const { calendarIds, write, list } = account;
    await write("own");
    const ids = (...asked: string[]) => `?${asked.map((id) => `calendar_ids[]=${id}`).join("&")}`;
    const stranger = await openCalendar(account.application);
    await stranger.write({ event_id: "theirs", ...event });
    expect(await listed(account, ids(calendarIds.writable))).toEqual({ own: "pending" });
    for (const query of [ids(calendarIds.readonly), ids(stranger.calendarId, "cal_unknown")])
      for (const state of ["", "&state=pending", "&state=sent"])
        expect((await list(query + state)).json).toEqual({ pages: {}, writes: [] });
    expect((await stranger.get("/v1/writes")).json.writes).toMatchObject([{ event_id: "theirs" }]);
  });

  it("goes on at next_page, 300 a page, with the state and the calendars that were asked for", async () => {
    const { calendarIds, list, write } = await connected();
    const names = Array.from({ length: 650 }, (_, i) => `event-${String(i).padStart(3, "0")}`);
    const days = { start: "2026-12-01", end: "2026-12-02" };
    await storeProviderEvents(names.map((eventId) => ({ calendarId: calendarIds.writable, eventId, ...days })));
    await storeProviderEvents([{ calendarId: calendarIds.readonly, eventId: "elsewhere", ...days }]);
    await write("event-pending");
    const found: string[][] = [];
    let next = `?state=sent&calendar_ids[]=${calendarIds.writable}`;
    while (next) {
      const { pages, writes } = (await list(next)).json;
      found.push(writes.map(({ event_id }: { event_id: string }) => event_id));
      next = pages.next_page ? new URL(pages.next_page).search : "";
    }
    expect(found.map(({ length }) => length)).toEqual([300, 300, 50]);
    expect(found.flat().sort()).toEqual(names);
    expect((await list("?state=pending")).json.writes).toMatchObject([{ event_id: "event-pending" }]);
  });
});

describe("401", () => {
  it.each(["/v1/writes", receiptPath("cal_1", "own")])(
    "is the answer without a token and with an unknown one: %s",
    async (path) => {
      expectSignedOut(await call("GET", path), "invalid_request");
      expectSignedOut(await withToken("GET", path, "at_unknown"), "invalid_token");
    },
  );
});

describe("404", () => {
  it("is the answer for an event that was never written, and for calendars of others", async () => {
    const application = await newApplication();
    const { get, write, calendarId } = await openCalendar(application);
    await write({ event_id: "own", ...event });
    const others = [await openCalendar(application), await openCalendar()];
    for (const other of others) await other.write({ event_id: "own", ...event });
    const paths = [
      ...others.map((other) => receiptPath(other.calendarId, "own")),
      ...[receiptPath("cal_unknown", "own"), receiptPath(calendarId, "unknown"), receiptPath(calendarId, "\0")],
    ];
    for (const path of paths) expectEmpty(await get(path), 404);
  });
});

describe("422", () => {
  it.each([
    ["?state=failed", { state: ["errors.invalid_value"] }],
    ["?calendar_ids=cal_1", { calendar_ids: ["errors.invalid_type"] }],
    ["?calendar_ids[]=", { "calendar_ids[0]": ["errors.too_small"] }],
    ["?calender_ids[]=cal_1", { calender_ids: ["errors.invalid"] }],
    ["?cursor=", { cursor: ["errors.too_small"] }],
    ["?cursor=forged", { cursor: ["errors.invalid"] }],
    ["?cursor=WyJhIiwiXHUwMDAwIl0&state=x", { cursor: ["errors.invalid"], state: ["errors.invalid_value"] }],
    [`?cursor=${"x".repeat(4_201)}`, { cursor: ["errors.too_big"] }],
  ])("comes with every error at its field: %s", async (query, errors) => {
    const { get } = await openCalendar();
    expectIssues(await get(`/v1/writes${query}`), errors);
  });
});
