import { describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import type { Access } from "@/server/domain/access";
import { basic } from "../api/availability";
import { call } from "../api/service";
import { latch } from "../fakes/latch";
import { otherClient } from "../fakes/other-client";
import { storedWrites } from "../fakes/stored-writes";
import { connectGooglePerson, google } from "./google-person";
import * as atGoogle from "./google-scene";
import { connectMicrosoftPerson, microsoft } from "./microsoft-person";
import * as atMicrosoft from "./microsoft-scene";
import { scene } from "./scene";
import { connectPerson, day, ical, ours, vevent, watch } from "./world";

/** What a user has let an application do with a calendar account, at each provider. */
const made = scene();

let words = 0;

/** In all that the events of a calendar say: a word that nothing else in the database says. */
function newWord(): string {
  words += 1;
  return `zwetschge${words}x`;
}

interface Place {
  word: string;
  calendar: string;
  connect(access?: Access): ReturnType<typeof connectGooglePerson>;
  again(person: Awaited<ReturnType<Place["connect"]>>, access?: Access): Promise<unknown>;
  /** Adds an event that says the word. */
  add(): Promise<unknown>;
  /** The summaries of the events that the provider has. */
  there(): Promise<(string | null | undefined)[]>;
}

async function googlePlace(): Promise<Place> {
  const word = newWord();
  const provider = await google();
  const { primary } = provider.account(atGoogle.ADA);
  const guest = { email: `${word}@example.com`, displayName: word };
  const said = {
    ...{ summary: word, description: word, location: word, visibility: "private" as const },
    ...{
      organizer: guest,
      attendees: [guest, { email: atGoogle.ADA, self: true, responseStatus: "tentative" as const }],
    },
    source: { title: word, url: `https://${word}.example.com` },
    hangoutLink: `https://meet.google.com/${word}`,
  };
  primary.putEvent({ ...said, ...atGoogle.timed(2) });
  const series = primary.putEvent({ ...said, ...atGoogle.timed(3), recurrence: ["RRULE:FREQ=DAILY;COUNT=3"] });
  const moved = primary.moveOccurrence(series, atGoogle.at(4), atGoogle.timed(4, "15:00", "16:00"));
  primary.changeEvent(moved, { summary: `${word}!`, description: `${word}!`, location: `${word}!` });
  return {
    word,
    calendar: atGoogle.ADA,
    connect: (access) => connectGooglePerson(provider, undefined, access),
    again: (person, access) => person.connectAgain(null, access),
    add: async () => primary.putEvent({ ...said, ...atGoogle.timed(8) }),
    there: async () => primary.events().map(({ summary }) => summary),
  };
}

async function microsoftPlace(): Promise<Place> {
  const word = newWord();
  const fake = await microsoft();
  const { primary } = fake.account(atMicrosoft.ADA);
  const guest = { emailAddress: { address: `${word}@example.com`, name: word } };
  const own = { emailAddress: { address: atMicrosoft.ADA, name: "Ada" } };
  const said = {
    ...{ subject: word, body: { contentType: "text" as const, content: word }, location: { displayName: word } },
    ...{ organizer: guest, categories: [word], sensitivity: "private" as const },
    responseStatus: { response: "tentativelyAccepted" as const },
    attendees: [guest, own].map((one) => ({ type: "required" as const, ...one })),
    ...{ isOnlineMeeting: true, onlineMeetingProvider: "teamsForBusiness" as const },
    onlineMeeting: { joinUrl: `https://teams.microsoft.com/l/meetup-join/${word}` },
  };
  primary.putEvent({ ...said, ...atMicrosoft.timed(2) });
  const pattern = { type: "daily" as const, interval: 1 };
  const range = { type: "numbered" as const, startDate: day(3), numberOfOccurrences: 3 };
  const series = primary.putEvent({ ...said, ...atMicrosoft.timed(3), recurrence: { pattern, range } });
  primary.moveOccurrence(series, day(4), atMicrosoft.timed(4, "15:00", "16:00"));
  primary.changeEvent(primary.occurrenceId(series, day(4)), {
    subject: `${word}!`,
    location: { displayName: `${word}!` },
  });
  return {
    word,
    calendar: atMicrosoft.CALENDAR,
    connect: (access) => connectMicrosoftPerson(fake, undefined, access) as ReturnType<Place["connect"]>,
    again: (person, access) => person.connectAgain(null, access),
    add: async () => primary.putEvent({ ...said, ...atMicrosoft.timed(8) }),
    there: async () => primary.events().map(({ subject }) => subject),
  };
}

let caldavPlaces = 0;

async function caldavPlace(): Promise<Place> {
  const word = newWord();
  caldavPlaces += 1;
  const calendar = `Access ${caldavPlaces}`;
  const other = otherClient(await made.radicale.makeCalendar(calendar), made.radicale);
  const own = made.radicale.user.includes("@") ? made.radicale.user : `${made.radicale.user}@example.com`;
  const said = [
    ...[`SUMMARY:${word}`, `DESCRIPTION:${word}`, `LOCATION:${word}`, `URL:https://${word}.example.com`],
    ...[`CATEGORIES:${word}`, "CLASS:PRIVATE", `ORGANIZER;CN=${word}:mailto:${word}@example.com`],
    ...[`ATTENDEE;CN=${word}:mailto:${word}@example.com`, `ATTENDEE;PARTSTAT=TENTATIVE:mailto:${own}`],
  ];
  const times = (offset: number, from: string, to: string) => [
    `DTSTART:${ical(offset, `${from}0000Z`)}`,
    `DTEND:${ical(offset, `${to}0000Z`)}`,
  ];
  const changed = said.map((line) => line.replace(/^(SUMMARY|DESCRIPTION|LOCATION):.*/, `$1:${word}!`));
  await other.create("single", vevent("single", [...said, ...times(2, "09", "10")]));
  await other.create(
    "series",
    [
      vevent("series", [...said, ...times(3, "09", "10"), "RRULE:FREQ=DAILY;COUNT=3"]),
      vevent("series", [...changed, ...times(4, "14", "15"), `RECURRENCE-ID:${ical(4, "090000Z")}`]),
    ].join("\r\n"),
  );
  const { url } = made.radicale;
  return {
    word,
    calendar,
    connect: (access) =>
      connectPerson({ url }, made.radicale, undefined, access) as unknown as ReturnType<Place["connect"]>,
    again: (person, access) => person.connectAgain(made.radicale as never, access),
    add: () => other.create("later", vevent("later", [...said, ...times(8, "09", "10")])),
    there: async () => (await other.list()).map(({ ics }) => /SUMMARY:(.*)/.exec(ics)?.[1]?.trim()),
  };
}

const places = [
  ["Google", googlePlace],
  ["Microsoft", microsoftPlace],
  ["a CalDAV server", caldavPlace],
] as const;

/** The names of the tables whose rows say the word, in any column that is not sealed. */
async function tablesWith(word: string): Promise<string[]> {
  const tables = await db().query<{ name: string }>(
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
    [],
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db().query(`SELECT FROM ${name} t WHERE t::text ILIKE '%' || $1 || '%' LIMIT 1`, [word]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** What this process writes until the test is over. */
function written(): () => string {
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  let all = "";
  for (const { stream, write } of streams) {
    stream.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
      all += Buffer.from(chunk as string).toString("utf8");
      return write.call(stream, chunk as string, ...rest);
    }) as typeof stream.write;
  }
  onTestFinished(() => {
    for (const { stream, write } of streams) stream.write = write;
  });
  return () => all;
}

const TEXTS = {
  ...{ summary: "Busy", description: "", attendees: [], organizer: null, categories: [], event_private: false },
};

async function synced(place: Place, access?: Access) {
  const person = await place.connect(access);
  await person.sync();
  const calendarId = await person.calendarId(place.calendar);
  const path = `/v1/calendars/${calendarId}/events`;
  const calendar = async () => {
    const { calendars } = (await person.get("/v1/calendars")).json;
    return calendars.find((one: { calendar_id: string }) => one.calendar_id === calendarId);
  };
  const says = async () => (await person.events(calendarId)).map(({ summary }) => summary);
  const spans = async () => (await person.events(calendarId)).map(({ start, end }) => [start, end]);
  return { person, calendarId, path, calendar, says, spans };
}

describe.each(places)("read access at %s", (_, placeAt) => {
  it("reads everything and writes nothing", async () => {
    const place = await placeAt();
    const { word } = place;
    const { person, calendarId, path, calendar, says } = await synced(place, "read");
    expect(await calendar()).toMatchObject({ calendar_readonly: true });
    expect(await says()).toEqual([word, word, `${word}!`, word]);
    const before = await place.there();
    expect((await person.post(path, ours("refused"))).status).toBe(403);
    expect((await person.remove(path, { event_id: "refused" })).status).toBe(403);
    const rules = [{ frequency: "daily", count: 3 }];
    const series = ours("refused", { tzid: "Etc/UTC", recurrence: { rules, exceptions: { add: [{ date: day(3) }] } } });
    expect((await person.post(path, series)).status).toBe(403);
    const event = { ...ours("refused"), start: `${day(9)}T09:00:00Z`, end: `${day(9)}T10:00:00Z` };
    const booking = { calendar_id: calendarId, event, require_free: [{ sub: person.accountId }] };
    const headers = basic(person.application);
    expect((await call("POST", "/v1/bookings", { json: booking, headers })).status).toBe(403);
    await person.push();
    expect(await place.there()).toEqual(before);
  });

  it("survives syncs, and is lifted by the next link without it", async () => {
    const place = await placeAt();
    const { person, path, calendar, says } = await synced(place, "read");
    await place.add();
    await person.sync();
    expect(await says()).toHaveLength(5);
    expect(await calendar()).toMatchObject({ calendar_readonly: true });
    await place.again(person, "full");
    expect(await calendar()).toMatchObject({ calendar_readonly: false });
    expect((await person.post(path, ours("written"))).status).toBe(202);
    await person.push();
    expect(await place.there()).toContain("Ours written");
  });

  it("refuses what was written before it and has not arrived", async () => {
    const place = await placeAt();
    const { person, path, says } = await synced(place);
    expect((await person.post(path, ours("late"))).status).toBe(202);
    await place.again(person, "read");
    await person.push();
    expect(await place.there()).not.toContain("Ours late");
    expect(await storedWrites(person.profileId)).toMatchObject([
      { lastError: "read_only", refusedAt: expect.any(Date) },
    ]);
    expect((await person.get(`${path}/late/receipt`)).json).toMatchObject({ state: "refused", reason: "read_only" });
    await person.sync();
    expect(await says()).not.toContain("Ours late");
  });
});

describe.each(places)("free/busy access at %s", (_, placeAt) => {
  it("leaves of the events their times, in reads, in notifications, in the database and in logs", async () => {
    const logs = written();
    const place = await placeAt();
    const { word } = place;
    const { person, path, calendarId, calendar } = await synced(place, "free_busy");
    const { settled } = await watch(person, made.receiver);
    await place.add();
    await person.sync();
    expect(await settled()).toEqual(["change"]);
    const events = await person.events(calendarId);
    expect(events).toHaveLength(5);
    for (const event of events) expect(event).toMatchObject(TEXTS);
    for (const key of ["location", "url", "conferencing", "join_url"])
      for (const event of events) expect(event).not.toHaveProperty(key);
    expect(JSON.stringify(events)).not.toContain(word);
    const { json: feed } = await person.get("/v1/changes", { from: "beginning", include: "event" });
    expect(feed.changes.length).toBeGreaterThan(0);
    expect(JSON.stringify([feed, made.receiver.got])).not.toContain(word);
    expect(await tablesWith(word)).toEqual([]);
    expect(logs()).not.toContain(word);
    expect(await calendar()).toMatchObject({ calendar_readonly: true });
    expect((await person.post(path, ours("refused"))).status).toBe(403);
  });

  it("counts events as they count with all their texts", async () => {
    const place = await placeAt();
    const range = { tzid: "Etc/UTC", from: day(-1), to: day(30) };
    const [full, less] = [await synced(place), await synced(place, "free_busy")];
    const busy = async ({ person, calendarId }: typeof full) =>
      (await person.get("/v1/free_busy", { ...range, "calendar_ids[]": calendarId })).json.free_busy.map(
        ({ start, end, free_busy_status }: Record<string, string>) => [start, end, free_busy_status],
      );
    expect(await busy(less)).toHaveLength(4);
    expect(await busy(less)).toEqual(await busy(full));
    expect(await less.spans()).toEqual(await full.spans());
  });

  it("brings the texts when it is lifted", async () => {
    const place = await placeAt();
    const { word } = place;
    const { person, path, says } = await synced(place, "free_busy");
    expect(await says()).toEqual(["Busy", "Busy", "Busy", "Busy"]);
    await place.again(person, "full");
    await person.sync();
    expect(await says()).toEqual([word, word, `${word}!`, word]);
    expect((await person.post(path, ours("written"))).status).toBe(202);
  });

  it("removes all texts from the moment the user agrees to it, the application's own too, and tells of it", async () => {
    const place = await placeAt();
    const { word } = place;
    const { person, path, calendarId, says, spans } = await synced(place);
    const summary = `${word} too`;
    const rules = [{ frequency: "daily", count: 3 }];
    const exceptions = { change: [{ date: day(6), summary: `${word} once` }] };
    const series = { start: `${day(5)}T18:00:00Z`, end: `${day(5)}T19:00:00Z`, tzid: "Etc/UTC" };
    const own = { summary, description: word, recurrence: { rules, exceptions } };
    const posted = await person.post(path, ours("own", { ...own, ...series }));
    expect([posted.status, posted.text]).toEqual([202, ""]);
    await person.push();
    await person.sync();
    expect(await says()).toContain(`${word} once`);
    const before = await spans();
    const { json: read } = await person.get("/v1/changes", { "calendar_ids[]": calendarId });
    const { settled } = await watch(person, made.receiver);
    await place.again(person, "free_busy");
    expect([...new Set(await says())]).toEqual(["Busy"]);
    expect(await tablesWith(word)).toEqual([]);
    expect(await settled()).toEqual(["change"]);
    const { json: changed } = await person.get("/v1/changes", { cursor: read.cursor });
    expect(changed.changes).toContainEqual(expect.objectContaining({ kind: "updated", by: "others" }));
    await person.sync();
    expect(await spans()).toEqual(before);
    expect([...new Set(await says())]).toEqual(["Busy"]);
    expect(await tablesWith(word)).toEqual([]);
    await place.again(person, "full");
    await person.sync();
    expect(new Set(await says())).toEqual(new Set([word, `${word}!`, summary, `${word} once`]));
  });
});

it("a sync that was reading when the user agreed to less stores no texts", async () => {
  const provider = await google();
  const { primary } = provider.account(atGoogle.ADA);
  const person = await connectGooglePerson(provider);
  await person.sync();
  const word = newWord();
  primary.putEvent({ summary: word, description: word, ...atGoogle.timed(2) });
  const agreed = latch();
  provider.faults.next({ path: /\/events$/, until: agreed.opened });
  const sync = person.sync();
  await expect.poll(() => provider.faults.left()).toBe(0);
  await person.connectAgain(null, "free_busy");
  agreed.open();
  await sync;
  await person.sync();
  const events = await person.events(await person.calendarId(atGoogle.ADA));
  expect(events).toMatchObject([{ summary: "Busy", description: "" }]);
  expect(await tablesWith(word)).toEqual([]);
});

it("writes that wait for their provider leave no texts and no addresses either", async () => {
  const provider = await google();
  const person = await connectGooglePerson(provider);
  await person.sync();
  const word = newWord();
  const calendarId = await person.calendarId(atGoogle.ADA);
  const attendees = { invite: [{ email: `${word}@example.com`, display_name: word }] };
  const write = (more: object) => person.post(`/v1/calendars/${calendarId}/events`, ours("late", more));
  await write({});
  await person.push();
  const { status, text } = await write({ summary: word, attendees });
  expect([status, text]).toEqual([202, ""]);
  expect(await tablesWith(word)).toContain("provider_writes");
  await person.connectAgain(null, "free_busy");
  expect(await tablesWith(word)).toEqual([]);
  await person.push();
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([{ summary: "Busy", event_id: "late", attendees: [] }]);
  expect(await tablesWith(word)).toEqual([]);
});
