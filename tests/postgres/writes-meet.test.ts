import { describe, expect, it } from "vitest";
import { db, type Query } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { continueCalendar } from "@/server/store/events/continue-series";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import { resumeWrites, suspendWrites } from "@/server/store/provider-writes/transitions";
import { dayFromNow } from "../api/dates";
import { changesOf, endFirstSync, receive } from "../api/event-states";
import { ownDatabase } from "../api/own-database";
import { providerCalendar, type WritableCalendar } from "../api/provider-calendar";
import { expectEmpty } from "../api/responses";
import { type Calendar, eventsOf, eventsPath, repeating, skip, write } from "../api/written-series";
import { changeCalendar, setConnected, storedCalendar } from "../fakes/stored";
import { eventIds, keptCounts, livingEvents, setPushed, storedEvents } from "../fakes/stored-events";
import { dropWrites, storedWrite, storedWrites } from "../fakes/stored-writes";
import { ownCaller, READ_TO_WRITE } from "./own-caller";

// Vite puts its own BASE_URL into the environment of every test.
ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

const DAY = dayFromNow(3);
const meeting = {
  event_id: "series",
  summary: "Planning",
  start: `${DAY}T09:00:00Z`,
  end: `${DAY}T10:00:00Z`,
  tzid: "Etc/UTC",
};
const series = { ...meeting, ...repeating({ frequency: "daily" }) };
const invite = (name: string) => ({ attendees: { invite: [{ email: `${name}@acme.io` }] } });

/** The procedures on behalf of the calendar's account, with a database of which every read of a write is followed by `meanwhile`. */
async function beaten(calendar: Calendar, meanwhile: () => Promise<unknown>, times = 1) {
  let left = times;
  const query: Query = async (text, values) => {
    const rows = await db().query(text, values);
    if (READ_TO_WRITE.test(text) && left-- > 0) await meanwhile();
    return rows as never[];
  };
  return await ownCaller(calendar, { ...db(), query });
}

/** The counts that `pages.total` is made of, as the database keeps them and as they are. */
async function expectCountsRight({ calendarId }: Calendar): Promise<void> {
  const { kept, counted } = await keptCounts([calendarId]);
  expect(kept).toEqual(counted);
}

const guestsOf = async (calendar: Calendar) =>
  (await eventsOf(calendar))[0]?.attendees.map(({ email }) => email).sort();

describe("a write whose event changes between its read and its statement", () => {
  it.each([1, 2])("is decided again under a lock, %i times in a row: no guest is lost", async (times) => {
    const calendar = await providerCalendar("google");
    await write(calendar, meeting);
    let others = 0;
    const { write: writeBeaten } = await beaten(
      calendar,
      () => write(calendar, { ...meeting, ...invite(`other-${others++}`) }),
      times,
    );
    await writeBeaten({ ...meeting, ...invite("own") });
    // The second is not met: from then on the event is locked.
    expect(others).toBe(1);
    expect(await guestsOf(calendar)).toEqual(["other-0@acme.io", "own@acme.io"]);
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ revision: 3 });
  });

  it("and was new to both makes one event", async () => {
    const calendar = await providerCalendar("google");
    const { write: writeBeaten } = await beaten(calendar, () => write(calendar, { ...meeting, ...invite("other") }));
    await writeBeaten({ ...meeting, ...invite("own") });
    expect(await eventIds(calendar.calendarId)).toHaveLength(1);
    expect(await guestsOf(calendar)).toEqual(["other@acme.io", "own@acme.io"]);
  });

  it("and is deleted makes it anew, or finds nothing to change", async () => {
    const calendar = await providerCalendar("google");
    const remove = () => calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" });
    await write(calendar, { ...series, ...invite("other") });
    await (await beaten(calendar, remove)).write({ ...meeting, summary: "Anew" });
    expect(await eventsOf(calendar)).toMatchObject([{ summary: "Anew", attendees: [], recurring: false }]);
    await write(calendar, series);
    const body = { event_id: "series", occurrence_date: dayFromNow(4), summary: "Other" };
    await expect((await beaten(calendar, remove)).change(body)).rejects.toThrow("not_found");
    expect(await eventsOf(calendar)).toEqual([]);
    await expectCountsRight(calendar);
  });

  it("and is deleted by a request that met a write deletes what was written", async () => {
    const calendar = await providerCalendar("google");
    await write(calendar, meeting);
    const { remove } = await beaten(calendar, () => write(calendar, series));
    await remove({ event_id: "series" });
    expect(await eventsOf(calendar)).toEqual([]);
    expect(await livingEvents(calendar.calendarId)).toEqual([]);
    await expectCountsRight(calendar);
  });

  it("because a sync stored what others made of it keeps what the write leaves as it is, and notifies of theirs once", async () => {
    const calendar = await providerCalendar("icloud");
    await endFirstSync(calendar);
    await write(calendar, meeting);
    await setPushed(calendar.calendarId, "v1");
    await dropWrites(calendar.calendarId);
    const [name = ""] = (await storedEvents(calendar.calendarId)).map(({ externalId }) => externalId ?? "");
    const organizer = { email: "ada@acme.io", display_name: "Ada" };
    const attendees = [{ email: "bob@acme.io", display_name: null, status: "accepted" as const }];
    const theirs = { [name]: { summary: "Theirs", organizer, attendees, version: "v2" } };
    const { write: writeBeaten } = await beaten(calendar, () => receive(calendar, theirs));
    await writeBeaten({ ...meeting, summary: "Ours" });
    expect(await eventsOf(calendar)).toMatchObject([
      { summary: "Ours", attendees: [{ email: "bob@acme.io", status: "accepted" }] },
    ]);
    expect(await changesOf(calendar)).toHaveLength(1);
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ revision: 1 });
  });

  it("because its series went on writes the days that were added, too", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, series);
    const later = (Date.now() + 60 * 86_400_000) as Instant;
    const go = () => continueCalendar(db(), calendar.calendarId, later);
    await (await beaten(calendar, go)).write({ ...series, ...repeating({ frequency: "weekly" }) });
    const rows = await db().query<{ n: number }>(
      "SELECT count(*)::int AS n FROM occurrences WHERE calendar_id = $1 AND state <> 2 AND extract(isodow FROM day) <> extract(isodow FROM $2::date)",
      [calendar.calendarId, DAY],
    );
    expect(rows).toEqual([{ n: 0 }]);
    await expectCountsRight(calendar);
  });

  it("or whose calendar is not to be written any more is refused", async () => {
    const calendar = await providerCalendar("google");
    const { calendarId } = calendar;
    const { write: writeBeaten } = await beaten(calendar, () => changeCalendar(calendarId, { readonly: true }));
    await expect(writeBeaten(meeting)).rejects.toThrow("read_only");
    expect(await eventIds(calendarId)).toEqual([]);
  });
});

describe("a statement that waits for the calendar", () => {
  async function somebodyWaits(): Promise<void> {
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await expect.poll(async () => (await db().query(waiting)).length).toBe(1);
  }

  /** A write that begins while the profile changes sides, and waits until it has. */
  async function writeBeside(calendar: WritableCalendar, isConnected: boolean): Promise<void> {
    const { profileId } = await storedCalendar(calendar.calendarId);
    let writing: Promise<void> | undefined;
    await db().transaction(async (query) => {
      await setConnected(profileId, isConnected, query);
      await (isConnected ? resumeWrites : suspendWrites)(query, profileId);
      writing = write(calendar, { ...meeting, event_id: "beside" });
      await somebodyWaits();
    });
    await writing;
  }
  const suspended = async ({ calendarId }: Calendar) => (await storedWrites(calendarId)).map((one) => one.suspended);

  it("queues for a profile that was disconnected in the meantime what stays suspended", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    await writeBeside(calendar, false);
    expect(await suspended(calendar)).toEqual([true, true]);
  });

  it("queues for a profile that was connected in the meantime what is sent", async () => {
    const calendar = await providerCalendar("icloud");
    await disconnectProfile(db(), (await storedCalendar(calendar.calendarId)).profileId);
    await write(calendar, meeting);
    await writeBeside(calendar, true);
    expect(await suspended(calendar)).toEqual([false, false]);
  });

  it("writes after what it waited for: times only grow", async () => {
    const calendar = await providerCalendar("icloud");
    const names = Array.from({ length: 40 }, (_, i) => `event-${i}`);
    await Promise.all(names.map((event_id) => write(calendar, { ...meeting, event_id })));
    const query = `SELECT count(DISTINCT e.updated_at)::int AS times, max(e.updated_at) = min(c.changed_at) AS "isNewest"
FROM events e JOIN calendars c ON c.id = e.calendar_id WHERE c.id = $1`;
    expect(await db().query(query, [calendar.calendarId])).toEqual([{ times: names.length, isNewest: true }]);
  });
});

describe("many writers", () => {
  it("of one event lose no guest, and each is counted once", async () => {
    const calendar = await providerCalendar("google");
    await write(calendar, series);
    const names = Array.from({ length: 40 }, (_, i) => `guest-${String(i).padStart(2, "0")}`);
    await Promise.all(names.map((name) => write(calendar, { ...series, ...invite(name) })));
    expect(await guestsOf(calendar)).toEqual(names.map((name) => `${name}@acme.io`));
    expect(await storedWrite(calendar.calendarId)).toMatchObject({ revision: 1 + names.length });
  });

  it("beside deletions, syncs and a profile that comes and goes leave every row right", async () => {
    const calendar = await providerCalendar("icloud");
    await endFirstSync(calendar);
    const { profileId } = await storedCalendar(calendar.calendarId);
    const again = () =>
      db().transaction(async (query) => {
        await setConnected(profileId, true, query);
        await resumeWrites(query, profileId);
      });
    await write(calendar, series);
    await setPushed(calendar.calendarId, "v1");
    const remove = () => calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" });
    for (let round = 0; round < 8; round++) {
      const theirs = { [`theirs-${round}`]: { summary: "Theirs", version: "v1" } };
      await Promise.all([
        ...[write(calendar, series), write(calendar, meeting), write(calendar, { ...series, summary: `${round}` })],
        ...[
          remove().then((answer) => expectEmpty(answer, 202)),
          write(calendar, { ...meeting, event_id: `other-${round}` }),
        ],
        ...[receive(calendar, theirs), disconnectProfile(db(), profileId).then(again)],
      ]);
      await expectCountsRight(calendar);
      const living = await livingEvents(calendar.calendarId);
      expect(living.filter(({ eventId }) => eventId === "series").length).toBeLessThan(2);
      expect((await storedWrites(calendar.calendarId)).filter(({ suspended }) => suspended)).toEqual([]);
    }
    expect(await changesOf(calendar)).toHaveLength(8);
    const theirs = (await eventsOf(calendar)).filter(({ summary }) => summary === "Theirs");
    expect(theirs).toHaveLength(8);
    await write(calendar, series);
    await skip(calendar, dayFromNow(4));
    await expectCountsRight(calendar);
  });
});
