import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import type { RemoteCalendar } from "@/server/providers/connector";
import { storeCalendars } from "@/server/store/calendars/store-calendars";
import { storedCalendar } from "../fakes/stored";
import { dropSignals } from "../fakes/stored-signals";
import { until } from "../rig/until";
import { dayFromNow } from "./dates";
import { at, changesOf, endFirstSync, icalSeries, receive } from "./event-states";
import { connectedWithTokens, withToken } from "./grants";
import { newApplication } from "./service";

const HOUR = 3_600_000;

function remote(externalId: string, changes: Partial<RemoteCalendar> = {}): RemoteCalendar {
  const said = { name: externalId, readonly: false, primary: false, integratedConferencing: false };
  return { externalId, ...said, tzid: null, ctag: "c1", ...changes };
}
const first = remote("first", { name: "Ada", primary: true, integratedConferencing: true });
const second = remote("second", { name: "Holidays", readonly: true });

/** An account whose first calendar has so many events of others, an event of the application's and a series. */
async function accountWith(count: number) {
  const account = await connectedWithTokens(await newApplication());
  const calendarId = account.calendarIds.writable;
  await endFirstSync({ calendarId });
  const starts = (i: number) => (at(1 + (i % 150)) + Math.floor(i / 150) * 60_000) as Instant;
  for (let from = 0; from < count; from += 100) {
    const some = Array.from({ length: Math.min(100, count - from) }, (_, i) => {
      const span = { starts: starts(from + i), ends: (starts(from + i) + HOUR) as Instant, allDay: false };
      return [`event-${from + i}`, { span }] as const;
    });
    await receive({ calendarId }, Object.fromEntries(some));
  }
  await receive({ calendarId }, { series: { icalRecurrence: icalSeries({ rrules: ["FREQ=DAILY;COUNT=20"] }) } });
  await withToken("POST", `/v1/calendars/${calendarId}/events`, account.accessToken, {
    ...{ event_id: "ours", summary: "Ours" },
    ...{ start: `${dayFromNow(1)}T09:00:00Z`, end: `${dayFromNow(1)}T10:00:00Z` },
  });
  await dropSignals(account.accountId);
  const get = async (path: string) => (await withToken("GET", path, account.accessToken)).json;
  const events = (more: string) => get(`/v1/events?tzid=Etc/UTC&include_managed=true${more}`);
  return {
    ...{ ...account, calendarId, get },
    living: async () => (await events("")).events.length as number,
    /** What a read with what was deleted says: how many there are, and of those on its page how many are living. */
    all: async () => {
      const { pages, events: page } = await events("&include_deleted=true");
      const deleted = page.filter((one: { deleted?: boolean }) => one.deleted === true).length;
      return { pages: pages.total, living: page.length - deleted, deleted };
    },
    busy: async () => (await get("/v1/free_busy?tzid=Etc/UTC&include_managed=true")).free_busy.length as number,
    left: () => db().prisma.event.count({ where: { calendarId, deletedAt: null } }),
    /** The provider lists these calendars; the process stops after so many pieces. */
    list: (calendars: RemoteCalendar[], pieces = Number.POSITIVE_INFINITY) => {
      let left = pieces;
      return storeCalendars(db(), { profileId: account.profileId, calendars, gone: null }, () => left-- > 0);
    },
  };
}

describe("a deleted calendar with many events", () => {
  it("is emptied in pieces, between which reads are answered that show none of it", async () => {
    const account = await accountWith(300);
    const where = { calendarId: account.calendarId };
    const { id } = await db().prisma.event.findFirstOrThrow({ select: { id: true }, where, orderBy: { id: "desc" } });
    let emptied = Promise.resolve();
    await db().transaction(async (query) => {
      await query("SELECT FROM events WHERE id = $1 FOR UPDATE", [id]);
      emptied = account.list([second]);
      await until(async () => (await account.left()) < 302, { within: 10_000, what: "the first piece" });
      expect([await account.living(), await account.busy(), (await account.all()).living]).toEqual([0, 0, 0]);
      expect(await account.left()).toBeGreaterThan(0);
    });
    await emptied;
    expect(await account.left()).toBe(0);
    expect(await account.all()).toMatchObject({ pages: 2, living: 0 });
  });

  it("is hidden while the process is away, and emptied after the next list, which signals it once", async () => {
    const account = await accountWith(600);
    await account.list([second], 2);
    expect((await account.get("/v1/calendars")).calendars[0]).toMatchObject({ calendar_deleted: true });
    const left = await account.left();
    expect(left).toBeGreaterThan(500);
    expect([await account.living(), await account.busy(), (await account.all()).living]).toEqual([0, 0, 0]);
    expect(await account.all()).toEqual({ pages: 1, living: 0, deleted: 602 - left });
    expect(await changesOf(account)).toEqual([]);
    await account.list([second]);
    expect(await account.left()).toBe(0);
    expect(await changesOf(account)).toMatchObject([{ managed: false }, { managed: true }]);
    const since = new Date((await changesOf(account))[0]?.at ?? 0).toISOString();
    const changed = await account.get(
      `/v1/events?tzid=Etc/UTC&include_managed=true&include_deleted=true&last_modified=${since}`,
    );
    expect(changed.pages.total).toBe(3);
    await account.list([second]);
    expect(await changesOf(account)).toHaveLength(2);
  });

  it("that is there again before it is empty has lost its events, and is read from the beginning", async () => {
    const account = await accountWith(200);
    await account.list([second], 2);
    await account.list([first, second]);
    expect(await account.left()).toBe(0);
    expect(await storedCalendar(account.calendarId)).toMatchObject({
      deleted: false,
      emptiedSince: null,
      syncToken: null,
    });
    await receive(account, { "event-1": {} });
    expect(await account.living()).toBe(1);
  });
});
