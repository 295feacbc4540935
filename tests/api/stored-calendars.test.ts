import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { RemoteCalendar } from "@/server/providers/connector";
import { storeCalendars } from "@/server/store/calendars/store-calendars";
import {
  addMailboxes,
  changeAccount,
  changeCalendar,
  changeProfile,
  storedCalendar,
  storedCalendars,
} from "../fakes/stored";
import { dropSignals, signalsOf } from "../fakes/stored-signals";
import { storedWrites } from "../fakes/stored-writes";
import { dayFromNow } from "./dates";
import { changesOf, endFirstSync, receive } from "./event-states";
import { connectedWithTokens, withToken } from "./grants";
import { newApplication } from "./service";

function remote(externalId: string, changes: Partial<RemoteCalendar> = {}): RemoteCalendar {
  const told = { name: externalId, readonly: false, primary: false, integratedConferencing: false };
  return { externalId, ...told, tzid: "Europe/Paris", ctag: "c1", ...changes };
}

/** What tests/api/grants.ts connects: a writable primary calendar and a read-only one. */
const first = remote("first", { name: "Ada", primary: true, integratedConferencing: true, tzid: null });
const second = remote("second", { name: "Holidays", readonly: true, tzid: null });

async function connected() {
  const account = await connectedWithTokens(await newApplication());
  const calendarId = account.calendarIds.writable;
  await endFirstSync({ calendarId });
  const get = async (path: string) => (await withToken("GET", path, account.accessToken)).json;
  return {
    ...account,
    calendarId,
    get,
    list: (...calendars: RemoteCalendar[]) =>
      storeCalendars(db(), { profileId: account.profileId, calendars, gone: null }),
    calendars: async (): Promise<Record<string, unknown>[]> => (await get("/v1/calendars")).calendars,
    signals: async () =>
      (await signalsOf(account.accountId))
        .filter(({ kind }) => kind === "change")
        .map(({ subject, payload }) => ({ subject, managed: (payload as { managed: boolean }).managed })),
    write: () =>
      withToken("POST", `/v1/calendars/${calendarId}/events`, account.accessToken, {
        event_id: "ours",
        summary: "Ours",
        start: `${dayFromNow(1)}T09:00:00Z`,
        end: `${dayFromNow(1)}T10:00:00Z`,
      }),
  };
}

describe("a profile's calendars", () => {
  it("listed as they are known change nothing", async () => {
    const account = await connected();
    const before = await account.calendars();
    await account.list(first, second);
    expect(await account.calendars()).toEqual(before);
    expect(await account.signals()).toEqual([]);
  });

  it("that are new are listed after the others, numbered, and signalled", async () => {
    const account = await connected();
    await account.list(first, second, remote("third"), remote("fourth", { readonly: true }));
    const calendars = await account.calendars();
    expect(calendars).toMatchObject([
      {},
      {},
      { calendar_name: "third", calendar_readonly: false, calendar_deleted: false, calendar_primary: false },
      { calendar_name: "fourth", calendar_readonly: true },
    ]);
    const added = calendars.slice(2).map(({ calendar_id }) => ({ subject: calendar_id, managed: false }));
    expect(await account.signals()).toEqual(added);
    expect((await storedCalendars(account.accountId)).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
  });

  it("of two profiles of an account, listed at the same moment, have numbers of their own", async () => {
    const account = await connected();
    const mailbox = { credential: "", provider: "icloud" as const };
    const [other = ""] = await addMailboxes(account.profileId, { count: 1, ...mailbox });
    const many = Array.from({ length: 10 }, (_, i) => remote(`more-${i}`));
    await Promise.all([
      account.list(first, second, ...many),
      storeCalendars(db(), { profileId: other, calendars: many, gone: null }),
      storeCalendars(db(), { profileId: other, calendars: many, gone: null }),
    ]);
    const numbers = await storedCalendars(account.accountId);
    expect(numbers.map(({ number }) => number)).toEqual(Array.from({ length: 22 }, (_, i) => i + 1));
  });

  it.each<[string, Partial<RemoteCalendar>, object]>([
    ["name", { name: "Ada's" }, { calendar_name: "Ada's" }],
    ["readonly", { readonly: true }, { calendar_readonly: true }],
    ["primary", { primary: false }, { calendar_primary: false }],
    ["meeting links", { integratedConferencing: false }, { calendar_integrated_conferencing_available: false }],
  ])("whose %s was changed are signalled", async (_, changes, shown) => {
    const account = await connected();
    await changeCalendar(account.calendarId, { syncToken: "kept", ctag: "kept" });
    await account.list({ ...first, ...changes }, second);
    expect((await account.calendars())[0]).toMatchObject(shown);
    expect(await account.signals()).toEqual([{ subject: account.calendarId, managed: false }]);
    expect(await storedCalendar(account.calendarId)).toMatchObject({ syncToken: "kept", ctag: "kept" });
  });

  it("of which no read shows what was changed are not signalled", async () => {
    const account = await connected();
    await account.list({ ...first, tzid: "Asia/Tokyo", ctag: "c2" }, second);
    expect(await account.signals()).toEqual([]);
    expect(await storedCalendar(account.calendarId)).toMatchObject({ tzid: "Asia/Tokyo" });
  });

  it("are not signalled during a first sync", async () => {
    const account = await connected();
    await changeProfile(account.profileId, { initialSyncRequired: true });
    await account.list({ ...first, name: "Ada's" }, remote("third"));
    expect(await account.calendars()).toMatchObject([
      { calendar_name: "Ada's" },
      { calendar_deleted: true },
      { calendar_name: "third" },
    ]);
    expect(await account.signals()).toEqual([]);
  });

  it("of a revoked account are not stored", async () => {
    const account = await connected();
    await changeAccount(account.accountId, { revokedAt: new Date() });
    await account.list(first, second, remote("third"));
    expect(await storedCalendars(account.accountId)).toHaveLength(2);
  });
});

describe("a calendar that was deleted at the provider", () => {
  it("stays listed with calendar_deleted, and nobody is busy by its events", async () => {
    const account = await connected();
    await receive(account, { theirs: {} });
    await account.write();
    await dropSignals(account.accountId);
    await account.list(second);
    expect(await account.calendars()).toMatchObject([
      { calendar_id: account.calendarId, calendar_deleted: true },
      { calendar_deleted: false },
    ]);
    expect((await account.get("/v1/free_busy?tzid=Etc/UTC&include_managed=true")).free_busy).toEqual([]);
    expect(
      (await account.get("/v1/events?tzid=Etc/UTC&include_managed=true&include_deleted=true")).events,
    ).toHaveLength(2);
    expect(await changesOf(account)).toMatchObject([{ managed: false }, { managed: true }]);
    expect(await storedWrites(account.calendarId)).toEqual([]);
    await account.list(second);
    expect(await changesOf(account)).toHaveLength(2);
  });

  it("takes no events", async () => {
    const account = await connected();
    await account.list(second);
    await receive(account, { late: {} });
    expect((await account.get("/v1/events?tzid=Etc/UTC")).events).toEqual([]);
  });

  it("and comes back is read again, with the same calendar_id", async () => {
    const account = await connected();
    await receive(account, { theirs: { version: "v1" } });
    await changeCalendar(account.calendarId, { syncToken: "old", ctag: "old" });
    await account.list(second);
    await account.list(first, second);
    expect((await account.calendars())[0]).toMatchObject({ calendar_id: account.calendarId, calendar_deleted: false });
    expect(await storedCalendar(account.calendarId)).toMatchObject({ syncToken: null, ctag: null });
    await receive(account, { theirs: { version: "v1" } });
    expect((await account.get("/v1/events?tzid=Etc/UTC")).events).toHaveLength(1);
  });
});
