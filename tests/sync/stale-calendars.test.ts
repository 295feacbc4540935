import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { noticeChanges } from "@/server/store/mailboxes/stale-calendars";
import { syncs } from "@/server/sync/syncs";
import { fakeClock } from "../fakes/clock";
import { withMailbox } from "../fakes/mailbox";
import { type OAuthCalendars, startOAuthCalendars } from "../fakes/oauth-calendars";
import { storedCalendar } from "../fakes/stored";
import { backdateOccurrences } from "../fakes/stored-events";
import { eventState, inDays } from "./caldav-pulls";
import { fileEnvironment } from "./file-environment";
import { connectOAuthPerson, type OAuthPerson } from "./oauth-person";
import { ours, POLL_MS } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

let provider: OAuthCalendars;
beforeEach(async () => {
  provider = await startOAuthCalendars();
  return provider.close;
});

/** Somebody whose calendars, `Work` and `home`, were synced once. */
async function synced(): Promise<OAuthPerson> {
  provider.putCalendar("home");
  const person = await connectOAuthPerson(provider);
  await person.sync();
  provider.asked.length = 0;
  return person;
}

type Row = Record<string, unknown>;

const read = () => provider.asked.map((asked) => asked.replace(/\?.*/, ""));
const on = (days: number) => ({
  span: { starts: inDays(days), ends: (inDays(days) + 3_600_000) as Instant, allDay: false },
});

async function living(person: OAuthPerson): Promise<string[]> {
  const events = await db().prisma.event.findMany({
    where: { calendar: { profileId: person.profileId }, deletedAt: null },
    orderBy: { externalId: "asc" },
  });
  return events.map(({ externalId }) => externalId ?? "");
}

describe("a poll", () => {
  it("reads the calendars whose version differs, and those that have none", async () => {
    const person = await synced();
    provider.put("standup", eventState(), { calendar: "home" });
    await person.sync();
    expect(read()).toEqual(["GET /calendars", "GET /calendars/home/events"]);
    provider.asked.length = 0;
    provider.putCalendar("work", { hasVersion: false });
    await person.sync();
    await person.sync();
    const round = ["GET /calendars", "GET /calendars/work/events"];
    expect(read()).toEqual([...round, ...round]);
  });

  it("that lists no calendar at all is not believed until the next one says the same", async () => {
    const person = await synced();
    const deleted = async () =>
      (await person.get("/v1/calendars")).json.calendars.map((row: Row) => row.calendar_deleted);
    provider.calendars.clear();
    await person.sync();
    expect(await deleted()).toEqual([false, false]);
    await person.sync();
    expect(await deleted()).toEqual([true, true]);
  });

  it("that finds a calendar gone leaves no write to it waiting, whenever that is written", async () => {
    const person = await synced();
    const calendarId = await person.calendarId("home");
    provider.calendars.delete("home");
    await person.sync();
    await person.post(`/v1/calendars/${calendarId}/events`, ours("late"));
    await person.push();
    expect(await db().prisma.providerWrite.count({ where: { profileId: person.profileId } })).toBe(0);
    expect(provider.events.size).toBe(0);
  });

  it("lists what changed since the last list, where the provider can say so", async () => {
    provider.listsChanges = true;
    const person = await synced();
    provider.putCalendar("new");
    provider.putCalendar("home", { isDeleted: true });
    await person.sync();
    expect(provider.asked[0]).toMatch(/^GET \/calendars\?since=\d+$/);
    const names = async () => (await person.get("/v1/calendars")).json.calendars;
    expect(await names()).toMatchObject([
      { calendar_name: "Work", calendar_deleted: false },
      { calendar_name: "home", calendar_deleted: true },
      { calendar_name: "new", calendar_deleted: false },
    ]);
    provider.putCalendar("work", { name: "Office" });
    provider.expireSyncTokens();
    provider.asked.length = 0;
    await person.sync();
    expect(provider.asked[1]).toBe("GET /calendars");
    expect((await names())[0]).toMatchObject({ calendar_name: "Office" });
  });
});

describe("a notice", () => {
  it("has its calendar read and nothing else, and the poll is due when it was", async () => {
    const clock = fakeClock();
    const person = await synced();
    const { due_in: poll } = await person.profile();
    provider.put("standup", eventState());
    const calendarId = await person.calendarId("Work");
    clock.advance(10_000);
    await noticeChanges(db(), [calendarId]);
    expect(await person.profile()).toMatchObject({ due_in: 0 });
    await person.syncing.drain(60_000);
    expect(read()).toEqual(["GET /calendars/work/events"]);
    const times = { noticedAt: new Date(clock.now()), readAt: new Date(clock.now()) };
    expect(await storedCalendar(calendarId)).toMatchObject(times);
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Stand-up" }]);
    expect((await person.profile()).due_in).toBeCloseTo((poll ?? 0) - 10, 0);
    clock.advance(2 * POLL_MS);
    await person.syncing.drain(60_000);
    expect(read()).toContain("GET /calendars");
  });

  it("that comes while its calendar is read has it read once more", async () => {
    const person = await synced();
    const calendarId = await person.calendarId("Work");
    let isFirst = true;
    const connector = withMailbox(person.connector, (own) => ({
      changes: async function* (from) {
        const end = yield* own.changes(from);
        if (isFirst) provider.put("late", eventState({ summary: "Late" }));
        if (isFirst) await noticeChanges(db(), [calendarId]);
        isFirst = false;
        return end;
      },
    }));
    const loop = syncs({ db, connectorOf: (name) => (name === "google" ? connector : null), pollMs: POLL_MS });
    onTestFinished(() => loop.stop());
    await noticeChanges(db(), [calendarId]);
    await loop.drain(60_000);
    expect(read()).toEqual(["GET /calendars/work/events", "GET /calendars/work/events"]);
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Late" }]);
  });
});

describe("a sync token that is bound to a window", () => {
  it("is renewed before reads reach the end of its window, and what is outside of the new one is not gone", async () => {
    const clock = fakeClock();
    provider.bindsWindows = true;
    provider.put("past", eventState(on(-40)));
    provider.put("soon", eventState(on(3)));
    provider.put("far", eventState(on(240)));
    const person = await synced();
    expect(await living(person)).toEqual(["past", "soon"]);
    provider.put("next", eventState(on(4)));
    await person.sync();
    expect(provider.asked.at(-1)).toContain("since=");
    expect(await living(person)).toEqual(["next", "past", "soon"]);
    clock.advance(22 * 86_400_000);
    await person.sync();
    expect(provider.asked.at(-1)).toBe("GET /calendars");
    clock.advance(2 * 86_400_000);
    provider.events.delete("soon");
    await person.sync();
    expect(provider.asked.at(-2)).toContain("/calendars/work/events?from=");
    expect(await living(person)).toEqual(["far", "next", "past"]);
  });

  it("that the provider refuses has the window read, and the sweep stays in it", async () => {
    fakeClock();
    provider.bindsWindows = true;
    provider.put("past", eventState(on(-40)));
    const person = await synced();
    provider.events.delete("past");
    await backdateOccurrences(20);
    provider.expireSyncTokens();
    provider.put("soon", eventState(on(3)));
    await person.sync();
    expect(await living(person)).toEqual(["past", "soon"]);
  });
});
