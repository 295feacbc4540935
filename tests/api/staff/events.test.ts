import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { keyOfEventId } from "@/server/domain/event-keys";
import { processServices } from "@/server/http/process-services";
import { requestsOfEvent } from "@/server/services/staff/events/events.sql";
import type { EventDetail } from "@/server/services/staff/events/shapes";
import { fakeClock } from "../../fakes/clock";
import { storedAccount } from "../../fakes/stored";
import { auditTrail } from "../../fakes/stored-operators";
import { refuseWrites } from "../../fakes/stored-writes";
import { assistantOf, letWrite, said } from "../mcp-client";
import { ownReceiver } from "../own-receiver";
import { providerCalendar } from "../provider-calendar";
import { call, newApplication, type Opened, openCalendar } from "../service";
import { openChannel, work } from "../webhooks/world";
import { write } from "../written-series";
import { newOperator, type Operator, refusal } from "./staff-caller";

const MINUTE = 60_000;
const receiver = ownReceiver();
let staff: Operator;

beforeAll(async () => {
  receiver.answer(200);
  staff = await newOperator("admin");
});

const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);
const event = (event_id: string, more = {}) => ({
  ...{ event_id, summary: "Secret plans", start: `${day(3)}T10:00:00Z`, end: `${day(3)}T11:00:00Z` },
  ...more,
});

async function rowOf(calendarId: string, eventId: string) {
  const [row] = await db().prisma.event.findMany({ where: { calendarId, eventId }, orderBy: { createdAt: "desc" } });
  if (!row) throw new Error(`there is no event ${eventId}`);
  return row;
}

async function shown(id: string, { api }: Operator = staff): Promise<EventDetail> {
  await processServices().requestLog.flush(10_000);
  return await api.events.get({ id });
}

/** The requests in a timeline, the oldest first, as method, path without ids, and status. */
function requestsIn({ steps }: EventDetail): string[] {
  return steps
    .flatMap((step) => (step.kind === "request" ? [step.request] : []))
    .map(({ method, endpoint, status }) => `${method} ${endpoint} ${status}`)
    .reverse();
}

const kinds = ({ steps }: EventDetail) => steps.map(({ kind }) => kind);
const patch = (opened: Opened, path: string, json: object) =>
  call("PATCH", path, { json, headers: { authorization: `Bearer ${opened.accessToken}` } });

describe("the page of an event", () => {
  it("lists every request that wrote it, accepted or not, the newest first", async () => {
    const opened = await openCalendar();
    const { calendarId } = opened;
    const path = `/v1/calendars/${calendarId}/events`;
    await opened.post(path, event("plan", { end: `${day(2)}T11:00:00Z` }));
    await opened.write(event("plan"));
    const { id } = await rowOf(calendarId, "plan");
    await patch(opened, `/v1/events/${id}`, { summary: "Other plans" });
    await opened.post("/v1/batch", {
      batch: [
        { method: "POST", relative_url: path, data: event("other") },
        { method: "POST", relative_url: path, data: event("plan", { summary: "Third plans" }) },
      ],
    });
    await opened.remove(path, { event_id: "plan" });
    await opened.get("/v1/events", { tzid: "Etc/UTC" });
    const found = await shown(id);
    expect(requestsIn(found)).toEqual([
      "POST /v1/calendars/{calendar_id}/events 422",
      "POST /v1/calendars/{calendar_id}/events 202",
      "PATCH /v1/events/{event_uid} 200",
      "POST /v1/batch 207",
      "DELETE /v1/calendars/{calendar_id}/events 202",
    ]);
    expect(found.deletedAt).not.toBeNull();
    const refused = found.steps.flatMap((step) => (step.kind === "request" ? [step.request.reason] : [])).at(-1);
    expect(refused).toContain("end");
    expect(found.steps.map(({ at }) => at)).toEqual(found.steps.map(({ at }) => at).toSorted((a, b) => b - a));
    expect(JSON.stringify(found)).not.toContain("plans");
    expect(requestsIn(await shown((await rowOf(calendarId, "other")).id))).toEqual(["POST /v1/batch 207"]);
  });

  it("lists the deletion of all events of a calendar, and what names the event in the query", async () => {
    const opened = await openCalendar();
    for (const one of ["a", "b"]) await opened.write(event(one));
    const headers = { authorization: `Bearer ${opened.accessToken}` };
    await call("DELETE", `/v1/calendars/${opened.calendarId}/events?event_id=a`, { headers });
    await opened.remove("/v1/events", { delete_all: true });
    const [a, b] = [await rowOf(opened.calendarId, "a"), await rowOf(opened.calendarId, "b")];
    const deleted = "DELETE /v1/events 202";
    expect(requestsIn(await shown(a.id)).slice(1)).toEqual(["DELETE /v1/calendars/{calendar_id}/events 202", deleted]);
    expect(requestsIn(await shown(b.id)).slice(1)).toEqual([deleted]);
  });

  it("lists the booking that wrote it, and its cancellation", async () => {
    const opened = await openCalendar();
    const { accountId: sub, calendarId } = opened;
    const booked = await opened.post("/v1/bookings", {
      ...{ calendar_id: calendarId, event: event("booked"), require_free: [{ sub }] },
    });
    expect(booked.status).toBe(201);
    await opened.remove(`/v1/bookings/${booked.json.booking_id}`, {});
    const found = await shown((await rowOf(calendarId, "booked")).id);
    expect(requestsIn(found).map((one) => one.split(" ").slice(0, 2).join(" "))).toEqual([
      "POST /v1/bookings",
      "DELETE /v1/bookings/{booking_id}",
    ]);
  });

  it("lists what an assistant wrote, and not its previews", async () => {
    const application = await newApplication();
    await letWrite(application);
    const opened = await openCalendar(application);
    const assistant = await assistantOf(opened);
    const { event_id: _, ...fields } = event("");
    const asked = { calendar_id: opened.calendarId, event: fields };
    const preview_id = said(await assistant.call("book", asked), "preview_id");
    await assistant.call("book", { ...asked, confirm: true, preview_id });
    const [row] = await db().prisma.event.findMany({ where: { calendarId: opened.calendarId } });
    const changed = { event_uid: row?.id, changes: { summary: "Changed" } };
    const preview = await assistant.call("change_event", changed);
    const confirmed = { etag: said(preview, "etag"), preview_id: said(preview, "preview_id"), confirm: true };
    await assistant.call("change_event", { ...changed, ...confirmed });
    const found = await shown(row?.id ?? "");
    const tools = found.steps.flatMap((step) => (step.kind === "request" ? [step.request.type] : []));
    expect(tools).toEqual(["change_event", "book"]);
  });

  it("is that of the series for the uid of an occurrence, with requests by such uids", async () => {
    const opened = await openCalendar();
    const recurrence = { rules: [{ frequency: "daily", interval: 1, count: 3 }] };
    await opened.write(event("series", { tzid: "Etc/UTC", recurrence }));
    const { id } = await rowOf(opened.calendarId, "series");
    const occurrences = await db().prisma.occurrence.findMany({ where: { masterId: id }, orderBy: { day: "asc" } });
    const uid = occurrences[1]?.uid ?? "";
    await patch(opened, `/v1/events/${uid}`, { summary: "Moved" });
    const found = await shown(uid);
    expect(found).toMatchObject({ id, repeats: expect.any(String), uid: occurrences[0]?.uid });
    expect(requestsIn(found)).toContain("PATCH /v1/events/{event_uid} 200");
  });

  it("leads from a change by others to the webhook that announced it", async () => {
    // Changes are timed by PostgreSQL, whose clock is real: it must not overtake the one that stands still.
    const clock = fakeClock(Date.now() + MINUTE);
    const opened = await openCalendar();
    const { channel_id: channel } = await openChannel(opened, receiver.url());
    await work();
    await opened.write(event("lunch"));
    const { id } = await rowOf(opened.calendarId, "lunch");
    const { event_id, ...fields } = event("lunch", { summary: "Later" });
    const moved = { type: "event_changed", event_id, event: fields };
    const { status } = await opened.post("/v1/sandbox/changes", { calendar_id: opened.calendarId, ...moved });
    expect(status).toBe(202);
    clock.advance(1_100);
    await work();
    const found = await shown(id);
    const change = found.steps.find((step) => step.kind === "change" && !step.change.own);
    expect(change).toMatchObject({
      change: { kind: "updated", fields: ["summary"] },
      outcomes: [{ channel, outcome: { kind: "notified" } }],
    });
    const delivery = found.steps.find(({ kind }) => kind === "delivery");
    expect(delivery).toMatchObject({ delivery: { type: "change", state: "delivered", attempts: [{ status: 200 }] } });
    expect(kinds(found).indexOf("delivery")).toBeLessThan(kinds(found).indexOf("change"));
    expect(requestsIn(found)).toContain("POST /v1/sandbox/changes 202");
  });

  it("says what its provider said", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, event("refused", { tzid: "Etc/UTC" }));
    await refuseWrites(calendar.calendarId, "invalid", { eventId: "refused", attempts: 4 });
    const found = await shown((await rowOf(calendar.calendarId, "refused")).id);
    expect(found.provider).not.toBe("hosted");
    expect(found.write).toMatchObject({ state: "refused", attempts: 4, lastError: "invalid", dueAt: null });
    expect(kinds(found)).toContain("refused");
  });

  it("has no texts until an admin asks, which is audited", async () => {
    const opened = await openCalendar();
    await opened.write(event("secret", { description: "Very secret" }));
    const { id } = await rowOf(opened.calendarId, "secret");
    expect(await staff.api.events.showTexts({ id })).toEqual({
      ...{ summary: "Secret plans", location: null, description: "Very secret" },
    });
    const [entry] = await auditTrail(opened.accountId);
    expect(entry).toMatchObject({
      action: "events.text_viewed",
      detail: { calendarId: opened.calendarId, event: id },
    });
    const support = await newOperator("support");
    expect(await refusal(support.api.events.showTexts({ id }))).toMatchObject({ kind: "forbidden" });
  });

  it("is there for developers of its application alone", async () => {
    const opened = await openCalendar();
    await opened.write(event("theirs"));
    const { id } = await rowOf(opened.calendarId, "theirs");
    const { applicationId } = await storedAccount(opened.accountId);
    const own = await newOperator("developer", "Own", [applicationId]);
    const { applicationId: other } = await storedAccount((await openCalendar()).accountId);
    const stranger = await newOperator("developer", "Stranger", [other]);
    expect((await shown(id, own)).eventId).toBe("theirs");
    expect(await own.api.search.find({ q: "theirs" })).toMatchObject([{ kind: "event", id }]);
    expect(await refusal(stranger.api.events.get({ id }))).toMatchObject({ kind: "not_found" });
    for (const q of ["theirs", id]) expect(await stranger.api.search.find({ q })).toEqual([]);
    expect(await refusal(staff.api.events.get({ id: "evt_none" }))).toMatchObject({ kind: "not_found" });
  });

  it("finds its requests by their index", async () => {
    const keys = [keyOfEventId("cal_1", "plan")];
    await db().transaction(async (query) => {
      await query("SET LOCAL enable_seqscan = off");
      const plan = await query<{ "QUERY PLAN": string }>(`EXPLAIN ${requestsOfEvent.text}`, [
        ...["acc_1", keys, new Date(0)],
      ]);
      expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("event_keys");
      expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).not.toContain("account_id_at");
    });
  });
});
