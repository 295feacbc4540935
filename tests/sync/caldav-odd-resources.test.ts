import ICAL from "ical.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { fakeClock } from "../fakes/clock";
import { type PlainDav, startPlainDav } from "../fakes/plain-dav";
import { changeCalendar, storedCalendar } from "../fakes/stored";
import { changeWrites } from "../fakes/stored-writes";
import { fileEnvironment } from "./file-environment";
import { connectPerson, day, ical, ours, vevent } from "./world";

const login = { user: "anna@example.com", password: "secret" };
const HOUR_MS = 3_600_000;
let plain: PlainDav;
let tokens: PlainDav;

beforeAll(async () => {
  [plain, tokens] = await Promise.all([startPlainDav(), startPlainDav({ hasTokens: true })]);
});
fileEnvironment(() => ({ LOG_LEVEL: "error", ICLOUD_CALDAV_URL: plain.url }));
afterAll(() => Promise.all([plain, tokens].map((one) => one.close())));

const calendar = (...parts: string[]) => ["BEGIN:VCALENDAR", "VERSION:2.0", ...parts, "END:VCALENDAR", ""].join("\r\n");
const without = (ics: string, ...names: string[]) =>
  ics
    .split("\r\n")
    .filter((line) => !names.some((name) => line.startsWith(name)))
    .join("\r\n");
const timed = (uid: string, start: string, ...more: string[]) =>
  without(vevent(uid, [`DTSTART${start}`, "DURATION:PT1H", ...more]), "DTEND");
const bad = (uid: string) => `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:secret\r\nEND:VEVENT`;
const task = calendar("BEGIN:VTODO", "UID:t", "SUMMARY:secret", "END:VTODO");

/** Somebody at a server of odd resources, with the calendar's id. What a test before left there is gone. */
async function personAt(server: PlainDav, resources: Record<string, string | Buffer>) {
  for (const name of server.names()) server.put(name, null);
  for (const [name, ics] of Object.entries(resources)) server.put(name, ics);
  const person = await connectPerson({ url: server.url }, login);
  await person.sync();
  const calendarId = await person.calendarId("Team");
  const summaries = async () => (await person.events(calendarId)).map(({ summary }) => summary).sort();
  const skipped = async () =>
    (await db().prisma.skippedResource.findMany({ where: { calendarId }, orderBy: { externalId: "asc" } })).map(
      ({ externalId, reason, isEvent }) => ({ name: externalId.split("/").at(-1), reason, isEvent }),
    );
  return { person, calendarId, summaries, skipped };
}

describe("odd resources", () => {
  it("are read by GET /v1/events, at their times", async () => {
    const photo = `ATTACH;ENCODING=BASE64;VALUE=BINARY:${"QUJD".repeat(900_000).replace(/.{70}/g, "$&\r\n ")}`;
    const split = Buffer.from(
      calendar(vevent("split", ["SUMMARY:Gr|ße"]))
        .replace("|", "\u00c3\r\n \u00bc")
        .replace("ß", "\u00c3\u009f"),
      "latin1",
    );
    const { person, calendarId } = await personAt(plain, {
      "a.ics": calendar(timed("tzone", `;TZID=tzone://Microsoft/Utc:${ical(2, "100000")}`)),
      "b.ics": calendar(timed("outlook", `;TZID="(UTC-11:00) Coordinated Universal Time-11":${ical(2, "100000")}`)),
      "c.ics": calendar(timed("iso", `:${day(2)}T10:00:00+01:00`)),
      "d.ics": calendar(timed("large", `:${ical(2, "100000Z")}`, photo)),
      "e.ics": split,
      "f.ics": `${calendar()}${calendar(timed("two", `:${ical(2, "100000Z")}`), timed("uids", `:${ical(3, "100000Z")}`))}--\r\n`,
      "g.ics": without(calendar(timed("endless", `:${ical(2, "240000Z")}`)), "END"),
      "h.ics": calendar(
        timed("rule", `:${ical(2, "100000Z")}`, `RRULE:FREQ=DAILY;INTERVAL=0;UNTIL=${ical(3, "240000Z")}`),
      ),
    });
    const events = await person.events(calendarId);
    expect(events.map(({ summary, start }) => `${summary} ${start}`).sort()).toEqual([
      `Grüße ${day(2)}T10:00:00Z`,
      `endless ${day(3)}T00:00:00Z`,
      `iso ${day(2)}T09:00:00Z`,
      `large ${day(2)}T10:00:00Z`,
      `outlook ${day(2)}T21:00:00Z`,
      `rule ${day(2)}T10:00:00Z`,
      `rule ${day(3)}T10:00:00Z`,
      `two ${day(2)}T10:00:00Z`,
      `tzone ${day(2)}T10:00:00Z`,
      `uids ${day(3)}T10:00:00Z`,
    ]);
  });
});

describe("what cannot be read", () => {
  it("is kept with its reason, and is not asked for again until it changes, without sync tokens", async () => {
    const { person, summaries, skipped } = await personAt(plain, {
      "a.ics": calendar(vevent("a")),
      "b.ics": calendar(bad("b")),
      "c.ics": task,
      "d.ics": "hello secret",
    });
    expect(await skipped()).toEqual([
      { name: "b.ics", reason: "an event without a start", isEvent: true },
      { name: "c.ics", reason: "a calendar object without an event", isEvent: false },
      { name: "d.ics", reason: "not a calendar object", isEvent: true },
    ]);
    plain.fetched();
    plain.put("a.ics", calendar(vevent("a2")));
    await person.sync();
    expect(plain.fetched()).toEqual(["a.ics"]);
    plain.put("b.ics", calendar(vevent("b")));
    plain.put("d.ics", null);
    await person.sync();
    expect(plain.fetched()).toEqual(["b.ics"]);
    expect(await summaries()).toEqual(["a2", "b"]);
    expect((await skipped()).map(({ name }) => name)).toEqual(["c.ics"]);
  });

  it("is not asked for again either where an event can no longer be read, which stays as it was", async () => {
    const { person, summaries, skipped } = await personAt(plain, { "a.ics": calendar(vevent("a")) });
    plain.put("a.ics", calendar(bad("a")));
    await person.sync();
    plain.fetched();
    plain.put("b.ics", calendar(vevent("b")));
    await person.sync();
    expect(plain.fetched()).toEqual(["b.ics"]);
    expect(await summaries()).toEqual(["a", "b"]);
    expect(await skipped()).toHaveLength(1);
  });

  it("is forgotten with sync tokens, too, when it is read or gone", async () => {
    const { person, summaries, skipped } = await personAt(tokens, { "a.ics": calendar(bad("a")), "b.ics": task });
    expect(await skipped()).toHaveLength(2);
    tokens.put("a.ics", calendar(vevent("a")));
    tokens.put("b.ics", null);
    await person.sync();
    expect(await skipped()).toEqual([]);
    expect(await summaries()).toEqual(["a"]);
  });

  it("is one of several events, which are read", async () => {
    const { summaries, skipped } = await personAt(tokens, { "a.ics": calendar(vevent("a"), bad("b")) });
    expect(await summaries()).toEqual(["a"]);
    expect(await skipped()).toEqual([{ name: "a.ics", reason: "an event without a start", isEvent: true }]);
  });
});

describe.each(["without sync tokens", "with sync tokens"])("several events of a resource, %s", (how) => {
  const server = () => (how === "with sync tokens" ? tokens : plain);

  it("come, change and go with it", async () => {
    const { person, summaries } = await personAt(server(), {
      "a.ics": calendar(vevent("a"), vevent("b"), vevent("c")),
    });
    expect(await summaries()).toEqual(["a", "b", "c"]);
    server().put("d.ics", calendar(vevent("d")));
    await person.sync();
    expect(await summaries()).toEqual(["a", "b", "c", "d"]);
    server().put("a.ics", calendar(vevent("a"), vevent("c", ["SUMMARY:c2"])));
    await person.sync();
    expect(await summaries()).toEqual(["a", "c2", "d"]);
    server().put("a.ics", null);
    await person.sync();
    expect(await summaries()).toEqual(["d"]);
  });

  it("are written and deleted one by one", async () => {
    const { person, calendarId, summaries } = await personAt(server(), {});
    await person.post(`/v1/calendars/${calendarId}/events`, ours("1"));
    await person.push();
    const name = await nameIn(calendarId);
    const before = server().textOf(name) ?? "";
    server().put(name, before.replace("END:VCALENDAR", `${vevent("theirs")}\r\nEND:VCALENDAR`));
    await person.sync();
    expect(await summaries()).toEqual(["Ours 1", "theirs"]);
    await person.post(`/v1/calendars/${calendarId}/events`, ours("1", { summary: "Renamed" }));
    await person.push();
    await person.sync();
    expect(await summaries()).toEqual(["Renamed", "theirs"]);
    await person.remove(`/v1/calendars/${calendarId}/events`, { event_id: "1" });
    await person.push();
    expect(server().textOf(name)).toContain("SUMMARY:theirs");
    expect(server().textOf(name)).not.toContain("SUMMARY:Renamed");
    await person.sync();
    expect(await summaries()).toEqual(["theirs"]);
  });
});

describe("an event in a resource that isn't framed as the standard says", () => {
  const cut = (ics: string) => ics.slice(0, ics.lastIndexOf("END:VEVENT"));
  const framings: [string, (ics: string) => string][] = [
    ["has text behind its end", (ics) => `${ics}--\r\nSent from my calendar\r\nBEGIN:NOTHING\r\n`],
    ["has no end", cut],
    ["has no end and a line that is cut", (ics) => `${cut(ics)}X-OTHER`],
    ["has a second calendar in it", (ics) => `${ics}${calendar(vevent("theirs"))}`],
  ];
  it.each(framings)("that %s is changed by the application, and keeps what others wrote", async (_, framed) => {
    const { person, calendarId, summaries } = await personAt(plain, {});
    await person.post(`/v1/calendars/${calendarId}/events`, ours("1"));
    await person.push();
    const name = await nameIn(calendarId);
    const ours1 = plain.textOf(name) ?? "";
    plain.put(
      name,
      framed(ours1.replace("END:VEVENT", "X-THEIRS:kept\r\nBEGIN:VALARM\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT")),
    );
    await person.sync();
    await person.post(`/v1/calendars/${calendarId}/events`, ours("1", { summary: "Renamed" }));
    await person.push();
    const written = plain.textOf(name) ?? "";
    expect(written).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*\r\nEND:VCALENDAR\r\n$/);
    const parsed = new ICAL.Component(ICAL.parse(written));
    expect(parsed.name).toBe("vcalendar");
    const [event] = parsed.getAllSubcomponents("vevent");
    expect(event?.getFirstPropertyValue("summary")).toBe("Renamed");
    expect(event?.getFirstPropertyValue("x-theirs")).toBe("kept");
    expect(event?.getFirstSubcomponent("valarm")).toBeTruthy();
    expect(written).not.toMatch(/Sent from|NOTHING/);
    await person.sync();
    expect(await summaries()).toContain("Renamed");
    expect(await db().prisma.providerWrite.count({ where: { calendarId } })).toBe(0);
  });

  it("that arrives without its end although the server keeps it whole is not written over", async () => {
    const { person, calendarId } = await personAt(plain, {});
    await person.post(`/v1/calendars/${calendarId}/events`, ours("1"));
    await person.push();
    const name = await nameIn(calendarId);
    plain.put(name, (plain.textOf(name) ?? "").replace("END:VEVENT", "X-LAST:kept\r\nEND:VEVENT"));
    const before = plain.textOf(name);
    plain.cutGets(true);
    await person.post(`/v1/calendars/${calendarId}/events`, ours("1", { summary: "Renamed" }));
    await person.push();
    expect(plain.textOf(name)).toBe(before);
    plain.cutGets(false);
    await changeWrites(person.profileId, { dueAt: new Date(0) });
    await person.push();
    expect(plain.textOf(name)).toMatch(/SUMMARY:Renamed[\s\S]*END:VCALENDAR/);
    expect(plain.textOf(name)).toContain("X-LAST:kept");
  });
});

/** The name of the calendar's only resource. */
async function nameIn(calendarId: string): Promise<string> {
  const { externalId } = await db().prisma.event.findFirstOrThrow({ where: { calendarId, externalId: { not: null } } });
  return externalId?.split("/").at(-1) ?? "";
}

describe("a calendar that an older version of the reader has read", () => {
  it("is read once more, whole, in its hour of the day", async () => {
    const clock = fakeClock();
    const { person, calendarId } = await personAt(tokens, { "a.ics": calendar(vevent("a")), "b.ics": task });
    expect((await storedCalendar(calendarId)).reader).toBe(2);
    await changeCalendar(calendarId, { reader: 0 });
    await db().prisma.event.updateMany({ where: { calendarId }, data: { summary: "misread" } });
    tokens.fetched();
    const fetched: string[][] = [];
    for (let hour = 0; hour < 24; hour += 1) {
      await person.sync();
      fetched.push(tokens.fetched());
      clock.advance(HOUR_MS);
    }
    expect(fetched.filter((names) => names.length > 0)).toEqual([["a.ics", "b.ics"]]);
    expect(await db().prisma.event.findMany({ select: { summary: true }, where: { calendarId } })).toEqual([
      { summary: "a" },
    ]);
    expect((await storedCalendar(calendarId)).reader).toBe(2);
  });
});
