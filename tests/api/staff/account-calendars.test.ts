import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { forgetGone, forgetRead, noteSkipped, skippedVersions } from "@/server/store/mailboxes/skipped-resources";
import { changeCalendar, storedCalendar } from "../../fakes/stored";
import { storeProviderEvents } from "../../fakes/stored-events";
import { auditTrail } from "../../fakes/stored-operators";
import { refuseWrites } from "../../fakes/stored-writes";
import { dayFromNow } from "../dates";
import { providerCalendar } from "../provider-calendar";
import { openCalendar } from "../service";
import { write } from "../written-series";
import { newOperator, type Operator, refusal } from "./staff-caller";

const DAY = dayFromNow(3);
const NEXT = dayFromNow(4);

let staff: Operator;
let admin: Operator;

beforeAll(async () => {
  staff = await newOperator();
  admin = await newOperator("admin");
});

describe("the calendars of an account", () => {
  it("have counts of events, how they are read, and writes that are refused or wait", async () => {
    const calendar = await providerCalendar("icloud");
    const times = { start: `${DAY}T09:00:00Z`, end: `${DAY}T10:00:00Z`, tzid: "Etc/UTC" };
    for (const event_id of ["m1", "m2"]) await write(calendar, { event_id, summary: "Planning", ...times });
    await refuseWrites(calendar.calendarId, "invalid", { eventId: "m1", attempts: 4 });
    const readAt = new Date("2026-11-25T09:00:00Z");
    await changeCalendar(calendar.calendarId, { readAt, syncError: "down", syncFailures: 2 });
    const { accountId } = await storedCalendar(calendar.calendarId);
    const shown = await staff.api.accounts.calendars({ id: accountId });
    expect(shown.calendars.find(({ id }) => id === calendar.calendarId)).toMatchObject({
      ...{ events: 2, readonly: false, readAt: readAt.getTime(), noticedAt: null, watchEndsAt: null },
      ...{ syncError: "down", syncFailures: 2 },
    });
    expect(shown.writes).toMatchObject([
      { eventId: "m1", state: "refused", lastError: "invalid" },
      { eventId: "m2", state: "queued", lastError: null, attempts: 0 },
    ]);
    expect(shown.waitingWrites).toBe(1);
    expect(JSON.stringify(shown)).not.toContain("Planning");
    expect(await refusal(staff.api.accounts.calendars({ id: "acc_none" }))).toMatchObject({ kind: "not_found" });
  });
});

describe("events that could not be read", () => {
  it("are listed with their calendar by name and reason, the last 50 of all, and tasks are none", async () => {
    const { calendarId, accountId } = await openCalendar();
    const name = (i: number) => `/home/cal/e${String(i).padStart(2, "0")}.ics`;
    const read = Array.from({ length: 60 }, (_, i) => ({
      externalId: name(i),
      reason: i === 59 ? "http_500" : "an event without a start",
      version: `"${i}"`,
    }));
    await noteSkipped(db(), calendarId, read);
    const task = { externalId: "/home/cal/task.ics", reason: "a calendar object without an event", isEvent: false };
    await noteSkipped(db(), calendarId, [task]);
    const of = async () => {
      const { calendars } = await staff.api.accounts.calendars({ id: accountId });
      return calendars.find(({ id }) => id === calendarId)?.skipped;
    };
    const shown = await of();
    expect(shown?.count).toBe(60);
    expect(shown?.events).toHaveLength(50);
    expect(shown?.events[0]).toMatchObject({ externalId: name(0), name: "e00.ics", reason: "It has no start." });
    await forgetRead(
      db(),
      calendarId,
      read.slice(0, 59).map(({ externalId }) => externalId),
    );
    expect((await of())?.events).toMatchObject([
      { name: "e59.ics", reason: "The server responded 500 to a request for it." },
    ]);
    await forgetGone(db(), calendarId, new Set());
    expect(await of()).toEqual({ count: 0, events: [] });
  });

  it("are remembered until there are 10,000 of a calendar", async () => {
    const { calendarId } = await openCalendar();
    const many = (from: number) =>
      Array.from({ length: 6_000 }, (_, i) => ({ externalId: `/e${from + i}.ics`, reason: "x", version: "1" }));
    await noteSkipped(db(), calendarId, many(0));
    await noteSkipped(db(), calendarId, many(6_000));
    await noteSkipped(db(), calendarId, many(12_000));
    expect(await db().prisma.skippedResource.count({ where: { calendarId } })).toBe(12_000);
    expect(await skippedVersions(db(), calendarId, ["/e1.ics", "/e13000.ics"])).toEqual(new Map([["/e1.ics", "1"]]));
  });
});

describe("a day of a calendar", () => {
  /** Events in a calendar in Bogotá, where the day is the one before until five in the morning UTC. */
  async function filled() {
    const { calendarId, accountId } = await openCalendar();
    await changeCalendar(calendarId, { tzid: "America/Bogota" });
    const event = { calendarId, summary: "Secret plans" };
    const [early = "", late = "", , whole = "", long = ""] = await storeProviderEvents([
      { ...event, start: `${DAY}T14:00:00Z`, end: `${DAY}T15:00:00Z`, eventId: "own-1" },
      { ...event, start: `${NEXT}T03:30:00Z`, end: `${NEXT}T05:30:00Z`, transparency: "transparent" },
      { ...event, start: `${DAY}T02:00:00Z`, end: `${DAY}T03:00:00Z` },
      { ...event, start: DAY, end: NEXT },
      { ...event, start: `${dayFromNow(1)}T12:00:00Z`, end: `${dayFromNow(6)}T12:00:00Z`, state: "declined" },
      { ...event, start: `${DAY}T14:00:00Z`, end: `${DAY}T15:00:00Z`, state: "deleted" },
    ]);
    return { calendarId, accountId, uids: { early, late, whole, long } };
  }

  it("has the times of its events, in the calendar's zone, and not what they say", async () => {
    const { calendarId, uids } = await filled();
    const shown = await staff.api.accounts.day({ calendarId, day: DAY });
    expect(shown).toMatchObject({ calendarId, day: DAY, tzid: "America/Bogota", more: false });
    expect(shown.items.map(({ uid }) => uid)).toEqual([uids.whole, uids.long, uids.early, uids.late]);
    expect(shown.items[0]).toMatchObject({ when: "all day", eventId: null });
    expect(shown.items[1]).toMatchObject({ isDeclined: true });
    expect(shown.items[2]).toMatchObject({ when: "09:00 – 10:00", eventId: "own-1", freeBusy: "busy" });
    expect(shown.items[3]).toMatchObject({ when: `22:30 – ${NEXT} 00:30`, freeBusy: "free" });
    expect(JSON.stringify(shown)).not.toMatch(/secret/i);
  });

  it("is today if none is named, and one that exists", async () => {
    const { calendarId } = await filled();
    expect((await staff.api.accounts.day({ calendarId })).items.length).toBeLessThan(4);
    expect(await refusal(staff.api.accounts.day({ calendarId, day: "2026-02-30" }))).toMatchObject({
      kind: "conflict",
    });
    expect(await refusal(staff.api.accounts.day({ calendarId: "cal_none" }))).toMatchObject({ kind: "not_found" });
  });

  it("shows its texts to admins alone, who are named in the audit trail", async () => {
    const { calendarId, accountId, uids } = await filled();
    expect(await refusal(staff.api.accounts.showTexts({ calendarId, day: DAY }))).toMatchObject({ kind: "forbidden" });
    expect(await auditTrail(accountId)).toEqual([]);
    const texts = await admin.api.accounts.showTexts({ calendarId, day: DAY });
    expect(texts[uids.early]).toEqual({ summary: "Secret plans", location: null });
    expect(Object.keys(texts)).toHaveLength(4);
    const trail = await auditTrail(accountId);
    expect(trail).toMatchObject([
      { action: "events.text_viewed", operator_id: admin.id, detail: { calendarId, day: DAY, events: 4 } },
    ]);
    expect(JSON.stringify(trail)).not.toMatch(/secret/i);
  });
});
