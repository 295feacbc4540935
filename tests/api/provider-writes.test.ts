import { describe, expect, it, onTestFinished } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import type { Work } from "@/server/db/wake";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { revokeAccount } from "@/server/store/accounts/revoke-account";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import { readForPush } from "@/server/store/provider-writes/read-for-push";
import { storePushed } from "@/server/store/provider-writes/stored-push";
import { resumeWrites } from "@/server/store/provider-writes/transitions";
import { setConnected, storedCalendar } from "../fakes/stored";
import { eventIds, storedEvents } from "../fakes/stored-events";
import { changeWrites, refuseWrites, type StoredWrite, storedWrite, storedWrites } from "../fakes/stored-writes";
import { dayFromNow } from "./dates";
import { changesOf, endFirstSync, receive, state } from "./event-states";
import { providerCalendar } from "./provider-calendar";
import { expectEmpty } from "./responses";
import { openCalendar } from "./service";
import { type Calendar, change, eventsOf, eventsPath, repeating, skip, write } from "./written-series";

const now = Date.now() as Instant;
const DAY = dayFromNow(3);
const meeting = {
  event_id: "series",
  summary: "Planning",
  start: `${DAY}T09:00:00Z`,
  end: `${DAY}T10:00:00Z`,
  tzid: "Etc/UTC",
};
const invite = (...names: string[]) => ({ invite: names.map((name) => ({ email: `${name}@acme.io` })) });
const remove = (...names: string[]) => ({ remove: names.map((name) => ({ email: `${name}@acme.io` })) });

/** The kinds of work that this test's requests woke. */
function wokenWork(): Work[] {
  const woken: Work[] = [];
  const before = context.wake;
  context.wake = (work) => woken.push(work);
  onTestFinished(() => {
    context.wake = before;
  });
  return woken;
}

describe("a write to a provider's calendar", () => {
  it("is noted for the provider, once it is answered, and wakes whoever tells it", async () => {
    const calendar = await providerCalendar("icloud");
    const woken = wokenWork();
    await write(calendar, meeting);
    const [id] = await eventIds(calendar.calendarId);
    expect(await storedWrite(calendar.calendarId)).toMatchObject({
      eventRow: id,
      revision: 1,
      notify: true,
      removedGuests: [],
      isDue: true,
    });
    expect(woken).toEqual(["push"]);
  });

  it("is not noted on an application calendar", async () => {
    const calendar = await openCalendar();
    const woken = wokenWork();
    await write(calendar, meeting);
    await calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" });
    expect(await storedWrites(calendar.calendarId)).toEqual([]);
    expect(woken).toEqual([]);
  });

  it("that changes nothing is not noted again", async () => {
    const calendar = await providerCalendar("icloud");
    const series = { ...meeting, ...repeating() };
    await write(calendar, series);
    await skip(calendar, dayFromNow(4));
    await change(calendar, dayFromNow(5), { summary: "Other" });
    const before = await storedWrites(calendar.calendarId);
    const woken = wokenWork();
    await write(calendar, series);
    await skip(calendar, dayFromNow(4));
    await change(calendar, dayFromNow(5), { summary: "Other" });
    await calendar.remove(eventsPath(calendar.calendarId), { event_id: "never there" });
    expect(await storedWrites(calendar.calendarId)).toEqual(before);
    expect(woken).toEqual([]);
  });

  it("that is refused is not noted", async () => {
    const calendar = await providerCalendar("icloud");
    const answer = await calendar.post(eventsPath(calendar.calendarId), {
      ...meeting,
      conferencing: { profile_id: "integrated" },
    });
    expect(answer.status).toBe(422);
    expect(await storedWrites(calendar.calendarId)).toEqual([]);
  });

  it("and further ones of the same event are one, whose revision grows: rewritten, a day changed, a day skipped, deleted", async () => {
    const calendar = await providerCalendar("icloud");
    const woken = wokenWork();
    await write(calendar, { ...meeting, ...repeating() });
    await write(calendar, { ...meeting, ...repeating(), summary: "Renamed" });
    await change(calendar, dayFromNow(4), { summary: "Other" });
    await skip(calendar, dayFromNow(5));
    expectEmpty(await calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" }), 202);
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ revision: 5 });
    expect(woken).toEqual(Array(5).fill("push"));
  });

  it("tells the guests when one of those that became one does", async () => {
    const calendar = await providerCalendar("icloud");
    const silent = { ...meeting, notify_attendees: false };
    await write(calendar, silent);
    await write(calendar, { ...silent, summary: "2" });
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ notify: false });
    await write(calendar, { ...meeting, summary: "3" });
    await write(calendar, { ...silent, summary: "4" });
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ notify: true });
  });

  it("names the guests that were taken off, but for those invited again", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, { ...meeting, attendees: invite("ada", "bob", "cid") });
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ removedGuests: [] });
    await write(calendar, { ...meeting, attendees: remove("ada", "nobody") });
    await write(calendar, { ...meeting, attendees: remove("bob") });
    expect((await storedWrite(calendar.calendarId)).removedGuests.sort()).toEqual(["ada@acme.io", "bob@acme.io"]);
    await write(calendar, { ...meeting, attendees: invite("ada") });
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ removedGuests: ["bob@acme.io"] });
  });

  it("takes up again what the provider refused", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const times = { dueAt: new Date(Date.now() + 86_400_000), createdAt: new Date(Date.now() - 3 * 86_400_000) };
    await refuseWrites(calendar.calendarId, "http_403", { attempts: 9, ...times });
    await write(calendar, { ...meeting, summary: "Shorter" });
    expect(await storedWrite(calendar.calendarId)).toMatchObject({
      revision: 2,
      attempts: 0,
      refusedAt: null,
      lastError: null,
      isDue: true,
    });
    const { createdAt } = await storedWrite(calendar.calendarId);
    expect(Date.now() - createdAt.getTime()).toBeLessThan(60_000);
  });

  it("goes with the account that is revoked", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const { accountId } = await storedCalendar(calendar.calendarId);
    await revokeAccount(db(), accountId, Date.now());
    expect(await storedWrites(calendar.calendarId)).toEqual([]);
  });
});

/** A process has claimed the calendar's one write. */
async function claimed(calendar: Calendar): Promise<StoredWrite & { lease: string }> {
  const lease = "lease";
  const [leasedUntil, dueAt] = [60_000, 3_600_000].map((ms) => new Date(Date.now() + ms));
  await changeWrites(calendar.calendarId, { lease, leasedUntil, dueAt, attempts: 1 });
  return { ...(await storedWrite(calendar.calendarId)), lease };
}

const named = async (calendar: Calendar) =>
  (await storedEvents(calendar.calendarId)).map(({ externalId, etag, deletedAt }) => ({
    ...{ external_id: externalId, etag, deleted: deletedAt !== null },
  }));

async function pushed(write: StoredWrite & { lease: string }, kept: Partial<EventState> | null) {
  const { id: writeId, revision, lease } = write;
  const said = kept === null ? null : state(kept);
  const pushed = { externalId: "/x.ics", version: "v1", state: said };
  return storePushed(db(), { writeId, revision, lease, keepsSeries: (own) => own.ruleSeries, pushed, now });
}

const guest = (name: string, status: "needs_action" | "accepted") => ({
  email: `${name}@acme.io`,
  display_name: null,
  status,
});

describe("a write that the provider has taken", () => {
  it("is named as the provider names it and waits no longer; it is no change to be notified of", async () => {
    const calendar = await providerCalendar("icloud");
    await endFirstSync(calendar);
    await write(calendar, meeting);
    const before = await eventsOf(calendar);
    expect(await pushed(await claimed(calendar), { summary: "As the provider spells it", organizer: null })).toBe(true);
    expect(await named(calendar)).toEqual([{ external_id: "/x.ics", etag: "v1", deleted: false }]);
    expect(await storedWrites(calendar.calendarId)).toEqual([]);
    expect(await changesOf(calendar)).toEqual([]);
    expect(await eventsOf(calendar)).toEqual(before);
  });

  it("leaves the replies that the calendar holds to the next sync, which notifies of them", async () => {
    const calendar = await providerCalendar("icloud");
    await endFirstSync(calendar);
    await write(calendar, { ...meeting, attendees: invite("ada", "bob", "cid") });
    await write(calendar, { ...meeting, attendees: remove("cid") });
    const attendees = [guest("bob", "accepted"), guest("cid", "accepted"), guest("forwarded", "accepted")];
    await pushed(await claimed(calendar), { attendees });
    expect(await named(calendar)).toEqual([{ external_id: "/x.ics", etag: null, deleted: false }]);
    expect(await storedWrites(calendar.calendarId)).toEqual([]);
    expect(await changesOf(calendar)).toEqual([]);
  });

  it("is due again at once when it was written to in the meantime", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const claim = await claimed(calendar);
    await write(calendar, { ...meeting, summary: "Later" });
    const woken = wokenWork();
    expect(await pushed(claim, {})).toBe(true);
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ revision: 2, lease: null, isDue: true });
    expect(await named(calendar)).toEqual([{ external_id: "/x.ics", etag: "v1", deleted: false }]);
    expect(woken).toEqual(["push"]);
  });

  it("and deleted in the meantime, has the name by which the provider deletes it", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const claim = await claimed(calendar);
    await calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" });
    await pushed(claim, {});
    expect(await named(calendar)).toEqual([{ external_id: "/x.ics", etag: "v1", deleted: true }]);
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ revision: 2, isDue: true });
  });

  it("is nobody's when the lease was lost", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const claim = await claimed(calendar);
    expect(await pushed({ ...claim, lease: "another" }, {})).toBe(false);
    expect(await named(calendar)).toEqual([{ external_id: null, etag: null, deleted: false }]);
    expect(await storedWrite(calendar.calendarId)).toEqual(claim);
  });

  it("leaves of a deletion nothing but what include_deleted reads", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    await calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" });
    expect(await pushed(await claimed(calendar), null)).toBe(true);
    expect(await storedWrites(calendar.calendarId)).toEqual([]);
    expect(await eventsOf(calendar)).toEqual([]);
    expect(await eventsOf(calendar, { include_deleted: "true" })).toHaveLength(1);
  });

  it("is one event, although a sync read it before this was known", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const claim = await claimed(calendar);
    await receive(calendar, { "/x.ics": { summary: "Planning", version: "v1" } });
    await pushed(claim, {});
    expect((await eventsOf(calendar)).map(({ event_id }) => event_id)).toEqual(["series"]);
  });
});

describe("what a waiting write has changed", () => {
  const touchedIn = async ({ calendarId }: Calendar) => {
    const rows = await storedWrites(calendarId);
    return rows.map(({ changedFields }) => changedFields && [...changedFields].sort());
  };
  const storeSaid = async (write: StoredWrite & { lease: string }, said: EventState | null | undefined) => {
    const { id: writeId, revision, lease } = write;
    const pushed = { externalId: "/x.ics", version: "v1", state: said ?? null, pushedState: said };
    return storePushed(db(), { writeId, revision, lease, keepsSeries: (own) => own.ruleSeries, pushed, now });
  };
  const toldIn = async ({ calendarId }: Calendar) => {
    const [id] = await eventIds(calendarId);
    return readForPush(db().query, { calendarId, eventRow: id ?? "" });
  };

  it("is all of a new event, and of one that is known everything since the provider heard of it", async () => {
    const calendar = await providerCalendar("icloud");
    const series = { ...meeting, ...repeating() };
    await write(calendar, series);
    await write(calendar, { ...series, summary: "2" });
    expect(await touchedIn(calendar)).toEqual([null]);
    await storeSaid(await claimed(calendar), (await toldIn(calendar))?.state);
    await write(calendar, { ...series, summary: "3" });
    await skip(calendar, dayFromNow(4));
    await write(calendar, { ...series, summary: "2" });
    const touched = [dayFromNow(4), "summary"];
    expect(await touchedIn(calendar)).toEqual([touched]);
    expect((await toldIn(calendar))?.changedFields?.sort()).toEqual(touched);
  });

  it("and what was written while it was pushed, is what the provider has not heard", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const claim = await claimed(calendar);
    const said = (await toldIn(calendar))?.state;
    await write(calendar, { ...meeting, url: "https://a.example" });
    await storeSaid(claim, said);
    expect(await touchedIn(calendar)).toEqual([["url"]]);
  });

  it("is asked to be read after the push where the provider keeps what others changed", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const { id: writeId, revision, lease } = await claimed(calendar);
    const said = (await toldIn(calendar))?.state ?? null;
    const pushed = { externalId: "/x.ics", version: "v1", state: said, pushedState: said, tookRemote: true };
    await storePushed(db(), { writeId, revision, lease, keepsSeries: (own) => own.ruleSeries, pushed, now });
    expect(await named(calendar)).toEqual([{ external_id: "/x.ics", etag: null, deleted: false }]);
  });

  it("was passed over by a sync that read of others' changes", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    await storeSaid(await claimed(calendar), (await toldIn(calendar))?.state);
    await write(calendar, { ...meeting, summary: "Ours" });
    expect(await toldIn(calendar)).toMatchObject({ version: "v1", isRemoteChangeDeferred: false });
    await receive(calendar, { "/x.ics": { summary: "Theirs", version: "v2" } });
    expect(await toldIn(calendar)).toMatchObject({
      version: "v2",
      isRemoteChangeDeferred: true,
      changedFields: ["summary"],
    });
  });

  it("goes by the version of the push before it, which has taken what a sync passed over", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    await storeSaid(await claimed(calendar), (await toldIn(calendar))?.state);
    await write(calendar, { ...meeting, summary: "Ours" });
    await receive(calendar, { "/x.ics": { summary: "Theirs", version: "v2" } });
    const claim = await claimed(calendar);
    const told = await toldIn(calendar);
    expect(told).toMatchObject({ version: "v2", isRemoteChangeDeferred: true });
    await write(calendar, { ...meeting, summary: "Ours again" });
    await storeSaid(claim, told?.state);
    expect(await toldIn(calendar)).toMatchObject({
      version: "v1",
      isRemoteChangeDeferred: false,
      changedFields: ["summary"],
    });
  });
});

describe("the writes of a disconnected profile", () => {
  const profileOf = async ({ calendarId }: Calendar) => (await storedCalendar(calendarId)).profileId;
  const parkedIn = async ({ calendarId }: Calendar) =>
    (await storedWrites(calendarId)).map(({ suspended }) => suspended);

  it("are suspended with it, those that come later too, and others are not", async () => {
    const [calendar, other] = [await providerCalendar("icloud"), await providerCalendar("icloud")];
    await write(calendar, meeting);
    await write(other, meeting);
    expect(await disconnectProfile(db(), await profileOf(calendar))).toBe(true);
    await write(calendar, { ...meeting, event_id: "later" });
    expect(await parkedIn(calendar)).toEqual([true, true]);
    expect(await parkedIn(other)).toEqual([false]);
  });

  it("are not left behind when one is made while the profile is connected again", async () => {
    const calendar = await providerCalendar("icloud");
    const profileId = await profileOf(calendar);
    await disconnectProfile(db(), profileId);
    const again = () =>
      db().transaction(async (query) => {
        await setConnected(profileId, true, query);
        await resumeWrites(query, profileId);
      });
    await Promise.all([write(calendar, meeting), again(), write(calendar, { ...meeting, event_id: "second" })]);
    expect(await parkedIn(calendar)).toEqual([false, false]);
  });
});
