import { Temporal } from "temporal-polyfill";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { address } from "../api/service";
import { fakeClock } from "../fakes/clock";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { changeAccount, setSyncDue } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { connectGooglePerson, type Google, google, readerAfterReconnecting } from "./google-person";
import { day, ours, watch } from "./world";

/*
 * What synchronisations with calendar providers get wrong again and again, and the test that would have shown it for Google.
 *
 *  1 A series shifts by an hour with daylight saving time        here, "times of day"
 *  2 An all-day event is a day early, or no busy time            here, "times of day"
 *  3 An expired sync token is taken for "no changes"             google.test: "has expired a sync token"
 *  4 A revoked grant stops the calendar without a word           here, "a user who takes our access away"
 *  5 A channel ends, is doubled, or notifies after its end       here, "a channel"; google-watches.test
 *  6 A notice is expected to have a body, or a state             here, "a channel"
 *  7 Cancelled or moved occurrences are missing                  google-odd-events.test; here, "an occurrence"
 *  8 Occurrences come without their texts (Microsoft's delta)    Google's deltas have no occurrences: "an occurrence"
 *  9 What lies beyond a window never comes (Microsoft's delta)   here, "an event beyond what reads reach"
 * 10 Duplicates after a reconnection or a full sync              here, "a user who takes our access away"
 * 11 Invitations twice, or against the application's will        here, "guests"
 * 12 Names of time zones that are not IANA's                     here, "times of day"
 * 13 A meeting link goes with the next write (Teams)             here, "every write"; google.test: "is pending until"
 * 14 Storms of 412, and what others changed is lost              here, "a write"; google.test: "both changes are kept"
 * 15 UNTIL in another zone, times in GMT, one odd rule           here, "times of day"
 */

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

const EMAIL = "ada@example.com";
const DAY_MS = 86_400_000;

async function synced(fill: (provider: Google) => void = () => {}, options: Parameters<typeof google>[0] = {}) {
  const provider = await google(options);
  fill(provider);
  const person = await connectGooglePerson(provider);
  await person.sync();
  expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_error: null });
  const calendarId = await person.calendarId(EMAIL);
  const path = `/v1/calendars/${calendarId}/events`;
  const calendar = provider.account(EMAIL).primary;
  provider.requests.length = 0;
  const writes = () => provider.requests.filter(({ method, path }) => method !== "GET" && path.includes("/events"));
  return { provider, person, calendarId, calendar, path, writes };
}

const at = (offset: number, time = "10:00", timeZone = "Europe/Berlin") => ({
  dateTime: `${day(offset)}T${time}:00`,
  timeZone,
});
const hour = (offset: number, timeZone = "Europe/Berlin") => ({
  start: at(offset, "10:00", timeZone),
  end: at(offset, "11:00", timeZone),
});

/** A time of day in a zone as UTC has it, by another library than ours. */
function inUtc(date: string, time: string, zone: string): string {
  const instant = Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone).toInstant();
  return instant.toString({ smallestUnit: "second" });
}

/** The starts of a series' occurrences as Google shows them, in UTC. */
async function shownByGoogle(provider: Google, id: string, most = 100): Promise<string[]> {
  const url = `${provider.origin}/calendar/v3/calendars/${EMAIL}/events/${id}/instances?maxResults=${most}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${provider.accessToken(EMAIL)}` } });
  const { items } = (await response.json()) as { items: { start: { dateTime: string } }[] };
  return items.map(({ start }) => new Date(start.dateTime).toISOString().replace(".000Z", "Z"));
}

type Read = { start: string; occurrence_date: string; event_uid: string; summary: string };

describe("times of day", () => {
  /** So many weeks have a change of Berlin's clocks among them, whatever day it is. */
  const WEEKS = 35;
  const dates = Array.from({ length: WEEKS }, (_, week) => day(-40 + 7 * week));
  const wide = { from: day(-41), to: day(200) };

  it("of a weekly meeting stay when the clocks change", async () => {
    const { person, calendarId } = await synced((provider) => {
      provider.account(EMAIL).primary.putEvent({ summary: "W", ...hour(-40), recurrence: ["RRULE:FREQ=WEEKLY"] });
    });
    const events: Read[] = await person.events(calendarId, wide);
    expect(events.map(({ start }) => start)).toEqual(dates.map((date) => inUtc(date, "10:00", "Europe/Berlin")));
    expect(new Set(events.map(({ start }) => start.slice(10))).size).toBe(2);
  });

  it("of a weekly meeting of the application's stay when the clocks change, there and here", async () => {
    const { provider, person, calendar, calendarId, path } = await synced();
    const zoned = (time: string) => ({ time: `${day(-40)}T${time}:00`, tzid: "Europe/Berlin" });
    const recurrence = { rules: [{ frequency: "weekly", count: WEEKS }] };
    await person.post(path, ours("w", { start: zoned("10:00"), end: zoned("11:00"), recurrence }));
    await person.push();
    await person.sync();
    const expected = dates.map((date) => inUtc(date, "10:00", "Europe/Berlin"));
    const [master] = calendar.events();
    expect(await shownByGoogle(provider, master?.id ?? "")).toEqual(expected);
    const events: Read[] = await person.events(calendarId, wide);
    expect(events.map(({ start }) => start)).toEqual(expected);
  });

  it.each(["Pacific/Auckland", "America/Los_Angeles", "Etc/UTC"])(
    "of whole days are none: an event keeps its dates in a calendar of %s, and is busy there",
    async (timeZone) => {
      const fill = (provider: Google) => {
        const { primary } = provider.account(EMAIL);
        primary.putEvent({ summary: "Trip", start: { date: day(3) }, end: { date: day(5) } });
        const each = { start: { date: day(6) }, end: { date: day(7) }, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=2"] };
        const id = primary.putEvent({ summary: "Duty", ...each });
        primary.moveOccurrence(id, { date: day(13) }, { start: { date: day(14) }, end: { date: day(15) } });
      };
      const { person, calendar, calendarId, path } = await synced(fill, { accounts: [{ email: EMAIL, timeZone }] });
      await person.post(path, ours("away", { start: day(8), end: day(9) }));
      await person.push();
      expect(calendar.events().find(({ summary }) => summary === "Ours away")).toMatchObject({
        start: { date: day(8) },
        end: { date: day(9) },
      });
      await person.sync();
      const dates = [
        { start: day(3), end: day(5) },
        { start: day(6), end: day(7) },
        { start: day(8), end: day(9) },
        { start: day(14), end: day(15) },
      ];
      expect(await person.events(calendarId, { tzid: timeZone })).toMatchObject(dates);
      const asked = { tzid: timeZone, from: day(0), to: day(30), include_managed: "true" };
      const { json } = await person.get("/v1/free_busy", asked);
      expect(json.free_busy).toMatchObject(dates.map((one) => ({ ...one, free_busy_status: "busy" })));
    },
  );

  it("in an evening of New York end with the last day that was asked for, though it is another day in UTC", async () => {
    const { provider, person, calendar, calendarId, path } = await synced();
    const zoned = (time: string) => ({ time: `${day(2)}T${time}:00`, tzid: "America/New_York" });
    const recurrence = { rules: [{ frequency: "daily", until: day(5) }] };
    await person.post(path, ours("late", { start: zoned("21:00"), end: zoned("22:00"), recurrence }));
    await person.push();
    await person.sync();
    const expected = [2, 3, 4, 5].map((offset) => inUtc(day(offset), "21:00", "America/New_York"));
    expect(await shownByGoogle(provider, calendar.events()[0]?.id ?? "")).toEqual(expected);
    const events: Read[] = await person.events(calendarId);
    expect(events.map(({ start }) => start)).toEqual(expected);
  });

  it.each([
    ["a time in UTC", (): string => inUtc(day(5), "21:00", "America/New_York").replace(/[-:]/g, "")],
    ["a date", (): string => day(5).replaceAll("-", "")],
    ["a local time", (): string => `${day(5).replaceAll("-", "")}T210000`],
  ])("end a series of others with the day that UNTIL names as %s", async (_, until) => {
    const { person, calendarId } = await synced((provider) => {
      const [start, end] = [at(2, "21:00", "America/New_York"), at(2, "22:00", "America/New_York")];
      const recurrence = [`RRULE:FREQ=DAILY;UNTIL=${until()}`];
      provider.account(EMAIL).primary.putEvent({ summary: "Late", start, end, recurrence });
    });
    const events: Read[] = await person.events(calendarId);
    expect(events.map(({ occurrence_date }) => occurrence_date)).toEqual([2, 3, 4, 5].map(day));
  });

  it("have the calendar's zone where an event's has a name that nobody else knows", async () => {
    const { provider, person, calendar, calendarId } = await synced();
    const id = calendar.putEvent({ summary: "Windows", ...hour(-40), recurrence: ["RRULE:FREQ=WEEKLY"] });
    const named = (event: Record<string, { timeZone?: string }>) => {
      for (const side of [event.start, event.end]) if (side) side.timeZone = "W. Europe Standard Time";
      return event;
    };
    const item = { ...calendar.event(id), etag: '"1"' } as unknown as Record<string, { timeZone?: string }>;
    const body = { kind: "calendar#events", timeZone: "Europe/Berlin", items: [named(item)], nextSyncToken: "next" };
    provider.faults.next({ path: /\/events$/, respond: { status: 200, body } });
    provider.faults.next({ path: /\/events$/, query: { iCalUID: /./ }, respond: { status: 200, body } });
    await person.sync();
    const events: Read[] = await person.events(calendarId, wide);
    expect(events.map(({ start }) => start)).toEqual(dates.map((date) => inUtc(date, "10:00", "Europe/Berlin")));
  });

  it.each(["RRULE:FREQ=SOMETIMES", "RRULE:", "RRULE:FREQ=DAILY;BYDAY=XX", "RRULE:FREQ=SECONDLY", "EXRULE:FREQ=DAILY"])(
    "of all other events come, although one repeats by %s",
    async (rule) => {
      const { person, calendar, calendarId } = await synced(({ account }) => {
        const { primary } = account(EMAIL);
        primary.putEvent({ summary: "Odd", ...hour(-2), recurrence: [rule] });
        primary.putEvent({ summary: "Good", ...hour(2) });
      });
      calendar.putEvent({ summary: "Good too", ...hour(3) });
      await person.sync();
      expect(await person.profile()).toMatchObject({ sync_error: null, sync_failures: 0 });
      const names = (await person.events(calendarId)).map(({ summary }) => summary);
      expect(names).toEqual(expect.arrayContaining(["Good", "Good too"]));
    },
  );
});

describe("an occurrence", () => {
  it("that the user moves, cancels and brings back is where they have it each time, with its series' texts", async () => {
    const { person, calendar, calendarId } = await synced(({ account }) => {
      const series = { id: "daily00", summary: "Daily", description: "Agenda", location: "Room 1", ...hour(2) };
      account(EMAIL).primary.putEvent({ ...series, recurrence: ["RRULE:FREQ=DAILY;COUNT=3"] });
    });
    const texts = { summary: "Daily", description: "Agenda", location: { description: "Room 1" } };
    const shown = async () => {
      await person.sync();
      const events: Read[] = await person.events(calendarId);
      for (const event of events) expect(event).toMatchObject(texts);
      return events.map(({ occurrence_date, start }) => [occurrence_date, start]);
    };
    const ten = (offset: number) => [day(offset), inUtc(day(offset), "10:00", "Europe/Berlin")];
    const moved = { start: at(3, "15:00"), end: at(3, "16:00") };
    const id = calendar.moveOccurrence("daily00", at(3), moved);
    expect(await shown()).toEqual([ten(2), [day(3), inUtc(day(3), "15:00", "Europe/Berlin")], ten(4)]);
    calendar.changeEvent(id, { status: "cancelled" });
    expect(await shown()).toEqual([ten(2), ten(4)]);
    calendar.changeEvent(id, { status: "confirmed", ...hour(3) });
    expect(await shown()).toEqual([ten(2), ten(3), ten(4)]);
  });
});

it("an event beyond what reads reach is there when its time comes, without another sync", async () => {
  const clock = fakeClock();
  const { provider, person, calendarId } = await synced(({ account }) => {
    account(EMAIL).primary.putEvent({ summary: "In 500 days", start: { date: day(500) }, end: { date: day(501) } });
  });
  expect(await person.events(calendarId, { to: day(510) })).toEqual([]);
  clock.advance(450 * DAY_MS);
  provider.advance(450 * DAY_MS);
  const get = await readerAfterReconnecting(person);
  const asked = { tzid: "Etc/UTC", from: day(499), to: day(502), "calendar_ids[]": calendarId };
  expect((await get(`/v1/events?${new URLSearchParams(asked)}`)).json.events).toMatchObject([{ start: day(500) }]);
  expect(provider.requests.filter(({ path }) => path.endsWith("/events"))).toEqual([]);
});

describe("a user who takes our access away", () => {
  it("is reported to the application once, and has every event once when they connect again", async () => {
    const { provider, person, calendar, calendarId, path } = await synced(({ account }) => {
      const { primary } = account(EMAIL);
      primary.putEvent({ summary: "Single", ...hour(2) });
      const id = primary.putEvent({ summary: "Daily", ...hour(3), recurrence: ["RRULE:FREQ=DAILY;COUNT=3"] });
      primary.moveOccurrence(id, at(4), { start: at(4, "15:00"), end: at(4, "16:00") });
    });
    await person.post(path, ours("own"));
    await person.push();
    const { settled } = await watch(person, receiver);
    const before: Read[] = await person.events(calendarId);
    expect(before).toHaveLength(5);
    provider.revokeConsent(EMAIL);
    for (let tries = 0; tries < 3; tries += 1) await person.sync();
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(await settled()).toEqual(["profile_disconnected"]);
    await person.post(path, ours("meanwhile"));
    calendar.expireSyncTokens();
    provider.account(EMAIL).expireListSyncTokens();
    await person.connectAgain(null);
    await person.sync();
    await person.push();
    await person.sync();
    const after: Read[] = await person.events(calendarId);
    const known = after.filter(({ summary }) => summary !== "Ours meanwhile");
    expect(known.map(({ event_uid }) => event_uid)).toEqual(before.map(({ event_uid }) => event_uid));
    expect(calendar.events().filter(({ summary }) => summary === "Ours meanwhile")).toHaveLength(1);
    expect(after).toHaveLength(6);
    const { json } = await person.get("/v1/calendars");
    expect(json.calendars.map(({ calendar_id }: { calendar_id: string }) => calendar_id)).toEqual([calendarId]);
  });
});

describe("guests", () => {
  const invite = [{ email: "bob@example.org" }];

  it("get one invitation although the response to the creation was lost, and one update for each change", async () => {
    const { provider, person, path } = await synced();
    provider.faults.next({ method: "POST", path: /\/events$/, respond: "backendError", afterWork: true });
    await person.post(path, ours("party", { attendees: { invite } }));
    await person.push();
    await person.push();
    await person.sync();
    expect(provider.outbox.map(({ kind, to }) => [kind, to])).toEqual([["invitation", "bob@example.org"]]);
    await person.post(path, ours("party", { summary: "Renamed" }));
    await person.push();
    await person.post(path, ours("party", { summary: "Renamed" }));
    await person.push();
    await person.sync();
    expect(provider.outbox.map(({ kind }) => kind)).toEqual(["invitation", "update"]);
  });

  it("get no mail that the application does not want", async () => {
    const { provider, person, path } = await synced();
    const silent = { notify_attendees: false };
    const recurrence = { rules: [{ frequency: "daily", count: 4 }] };
    await person.post(path, ours("quiet", { attendees: { invite }, tzid: "Europe/Berlin", recurrence, ...silent }));
    await person.push();
    await person.post(path, ours("quiet", { summary: "Renamed", ...silent }));
    await person.push();
    const change = { event_id: "quiet", occurrence_date: day(3), summary: "This one", ...silent };
    expect((await person.post(`${path}/occurrences`, change)).status).toBe(202);
    await person.remove(path, { event_id: "quiet", occurrence_date: day(4), ...silent });
    await person.push();
    await person.sync();
    await person.remove(path, { event_id: "quiet", ...silent });
    await person.push();
    expect(provider.outbox).toEqual([]);
  });

  it("who reply are a change, and what the application writes is none", async () => {
    const { person, calendar, calendarId, path } = await synced();
    const { settled, forget } = await watch(person, receiver);
    await person.post(path, ours("party", { attendees: { invite } }));
    await person.push();
    await person.sync();
    expect(await settled()).toEqual([]);
    calendar.reply(calendar.events()[0]?.id ?? "", "bob@example.org", "accepted");
    await person.sync();
    expect(await settled()).toEqual(["change"]);
    forget();
    expect((await person.events(calendarId))[0].attendees).toMatchObject([{ status: "accepted" }]);
    await person.post(path, ours("party", { start: `${day(2)}T16:00:00Z`, end: `${day(2)}T17:00:00Z` }));
    await person.push();
    expect((await person.events(calendarId))[0].attendees).toMatchObject([{ email: "bob@example.org" }]);
    await person.sync();
    expect((await person.events(calendarId))[0].attendees).toMatchObject([{ status: "needs_action" }]);
  });
});

describe("what the application writes", () => {
  it.each(["its user's other calendar", "a calendar of somebody else's", "an account with another address"])(
    "is no change of others, whoever Google says organizes it: in %s",
    async (where) => {
      const provider = await google({ accounts: [{ email: EMAIL }, { email: "bob@example.com" }] });
      const ada = provider.account(EMAIL);
      ada.addCalendar({ summary: "Team" });
      ada.addSharedCalendar({ summary: "Bob’s", accessRole: "writer", owner: "bob@example.com" });
      const person = await connectGooglePerson(provider);
      await person.sync();
      const isOther = where.startsWith("an account");
      if (isOther) await changeAccount(person.accountId, { email: "ada@acme.io" });
      const name = where.startsWith("its") ? "Team" : isOther ? EMAIL : "Bob’s";
      const calendarId = await person.calendarId(name);
      const { settled } = await watch(person, receiver);
      const recurrence = { rules: [{ frequency: "daily", count: 3 }] };
      await person.post(
        `/v1/calendars/${calendarId}/events`,
        ours("single", { conferencing: { profile_id: "default" } }),
      );
      await person.post(`/v1/calendars/${calendarId}/events`, ours("series", { tzid: "Europe/Berlin", recurrence }));
      await person.push();
      const written = await person.events(calendarId);
      const organizer = isOther ? EMAIL : expect.stringContaining("@group.calendar.google.com");
      expect(written.map((event) => event.organizer.email)).toEqual(Array(4).fill(organizer));
      await person.sync();
      expect(await settled()).toEqual([]);
      expect(await person.events(calendarId)).toEqual(written);
    },
  );

  it.each([
    ["a link to a meeting in its description", { description: "Join https://zoom.us/j/123456789." }],
    ["a link to a meeting as its location", { location: { description: "https://zoom.us/j/123456789" } }],
    [
      "texts with spaces and line breaks around them",
      { summary: " A ", description: "B\r\n", location: { description: " C" } },
    ],
    [
      "another name of its time zone",
      {
        start: { time: `${day(2)}T10:00:00`, tzid: "US/Pacific" },
        end: { time: `${day(2)}T11:00:00`, tzid: "US/Pacific" },
      },
    ],
  ])("is no change of others when it is read, with %s", async (_, body) => {
    const { person, calendarId, path } = await synced();
    const { settled } = await watch(person, receiver);
    await person.post(path, ours("own", body));
    await person.push();
    const written = await person.events(calendarId);
    expect(written).toHaveLength(1);
    await person.sync();
    expect(await settled()).toEqual([]);
    expect(await person.events(calendarId)).toEqual(written);
  });
});

describe("every write", () => {
  it("says whether guests are notified, and keeps the meeting", async () => {
    const { person, calendar, calendarId, path, writes } = await synced();
    const recurrence = { rules: [{ frequency: "daily", count: 4 }] };
    const conferencing = { profile_id: "integrated" };
    await person.post(path, ours("daily", { tzid: "Europe/Berlin", recurrence, conferencing }));
    await person.push();
    const change = { event_id: "daily", occurrence_date: day(3), summary: "This one", notify_attendees: false };
    await person.post(`${path}/occurrences`, change);
    await person.push();
    await person.post(
      path,
      ours("daily", { summary: "Renamed", start: `${day(2)}T15:00:00Z`, end: `${day(2)}T16:00:00Z` }),
    );
    await person.push();
    await person.remove(path, { event_id: "daily", occurrence_date: day(5) });
    await person.push();
    expect(calendar.events().every(({ hangoutLink }) => hangoutLink?.startsWith("https://"))).toBe(true);
    const links = async () => {
      await person.sync();
      return (await person.events(calendarId)).map((event) => event.conferencing?.join_url);
    };
    const [{ hangoutLink }] = calendar.events() as [{ hangoutLink: string }];
    await expect.poll(links).toEqual(Array(3).fill(hangoutLink));
    await person.remove(path, { event_id: "daily" });
    await person.push();
    const sent = writes();
    expect(sent.map(({ method }) => method)).toEqual(expect.arrayContaining(["POST", "PATCH", "DELETE"]));
    for (const { query } of sent) expect(query.sendUpdates).toMatch(/^(all|none)$/);
    for (const { method, query } of sent) if (method !== "DELETE") expect(query.conferenceDataVersion).toBe("1");
  });
});

describe("a write", () => {
  it("that meets others' changes again and again comes back later, and loses none of theirs", async () => {
    const { provider, person, calendar, path } = await synced();
    await person.post(path, ours("both"));
    await person.push();
    const id = calendar.events()[0]?.id ?? "";
    let changes = 0;
    const theirs = () => {
      changes += 1;
      calendar.changeEvent(id, { location: `Room ${changes}` });
    };
    for (let tries = 0; tries < 3; tries += 1)
      provider.faults.next({ method: "PATCH", path: /\/events\//, run: theirs });
    provider.requests.length = 0;
    await person.post(path, ours("both", { summary: "Renamed" }));
    await person.push();
    expect(
      provider.requests.map(({ method, status }) => [method, status]).filter(([method]) => method === "PATCH"),
    ).toEqual(Array(3).fill(["PATCH", 412]));
    expect(calendar.event(id)).toMatchObject({ summary: "Ours both", location: "Room 3" });
    await person.push();
    expect(calendar.event(id)).toMatchObject({ summary: "Renamed", location: "Room 3" });
  });
});

describe("a channel", () => {
  async function watched() {
    const clock = fakeClock();
    const provider = await google();
    const person = await connectGooglePerson(provider);
    const hook = `${await address()}/hooks/google`;
    const { syncing } = person.loops({ hookUrl: () => hook });
    onTestFinished(() => syncing.stop());
    const settled = async () => {
      await provider.notices.settled();
      await syncing.drain(60_000);
    };
    const poll = async () => {
      await setSyncDue(person.profileId, new Date(clock.now()));
      await settled();
    };
    await poll();
    await settled();
    const opening = provider.requests.splice(0);
    const pass = (ms: number) => {
      clock.advance(ms);
      provider.advance(ms);
    };
    const open = () => provider.channels.filter(({ stopped }) => !stopped).map(({ id }) => id);
    const reads = () => provider.requests.filter(({ path }) => /\/(events|calendarList)$/.test(path));
    return { provider, opening, poll, settled, pass, open, reads, primary: provider.account(EMAIL).primary };
  }

  it("opens with a message that has no body, which is accepted and has nothing read", async () => {
    const { provider, opening } = await watched();
    const first = provider.notices.sent.filter(({ state }) => state === "sync");
    expect(first.map(({ status }) => status)).toEqual([202, 202]);
    expect(opening.filter(({ method, path }) => method === "GET" && path.endsWith("/events"))).toHaveLength(1);
  });

  it("is replaced when half of its time is over, and what the old one still says has nothing read twice", async () => {
    const { provider, poll, settled, pass, open, reads, primary } = await watched();
    const before = open();
    expect(before).toHaveLength(2);
    pass(3 * DAY_MS);
    await poll();
    expect(open()).toEqual(before);
    pass(DAY_MS);
    await poll();
    const after = open();
    expect(after).toHaveLength(2);
    expect(after.filter((id) => before.includes(id))).toEqual([]);
    provider.notices.lingering = true;
    provider.notices.mode = "hold";
    primary.putEvent({ summary: "Stand-up", ...hour(6) });
    expect(provider.notices.held()).toBe(2);
    provider.requests.length = 0;
    provider.notices.mode = "deliver";
    await provider.notices.release();
    await settled();
    expect(reads()).toHaveLength(1);
  });
});
