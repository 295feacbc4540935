import { describe, expect, it } from "vitest";
import type { EventState, RuleSeries, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { readResource } from "@/server/providers/caldav/icalendar/read/read-resource";
import { rule } from "@/tests/unit/recurrence/given";
import { calendar, guest, lines, owner, read, single, vevent, written } from "./given-state";

const HOUR_MS = 3_600_000;
const at = (text: string) => Date.parse(text) as Instant;
const ann = guest("ann@acme.io", { display_name: "Ann" });
const withGuests = (...attendees: EventState["attendees"]) => single({ organizer: owner, attendees });
const linesOf = (ics: string, name: string) => lines(ics).filter((line) => line.startsWith(name));
const series = (short: string, more: Partial<RuleSeries> = {}): RuleSeries => ({
  rules: [],
  rule: rule(short),
  skipped: [],
  changed: [],
  ...more,
});

describe("a new resource", () => {
  it("is one event of Almanac's making with its time zone", () => {
    const ics = written(single({ location: "Room 1, upstairs", categories: ["a,b", "c"], private: true }));
    expect(lines(ics).slice(0, 4)).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Almanac//Almanac//EN",
      "CALSCALE:GREGORIAN",
    ]);
    for (const line of [
      "TZID:Europe/Berlin",
      "UID:evt-1@almanac",
      "DTSTAMP:20261121T120000Z",
      "CREATED:20261121T120000Z",
      "LAST-MODIFIED:20261121T120000Z",
      "SEQUENCE:0",
      "DTSTART;TZID=Europe/Berlin:20261123T090000",
      "DTEND;TZID=Europe/Berlin:20261123T100000",
      "SUMMARY:Planning",
      "LOCATION:Room 1\\, upstairs",
      "CATEGORIES:a\\,b,c",
      "CLASS:PRIVATE",
      "STATUS:CONFIRMED",
    ]) {
      expect(lines(ics)).toContain(line);
    }
    expect(linesOf(ics, "ORGANIZER")).toEqual([]);
  });

  it.each([
    ["UTC without a zone", { tzid: null }, "DTSTART:20261123T080000Z"],
    ["UTC for the second of two equal local times", { starts: "2026-10-25T01:30:00Z" }, "DTSTART:20261025T013000Z"],
    [
      "local time for the first of them",
      { starts: "2026-10-25T00:30:00Z" },
      "DTSTART;TZID=Europe/Berlin:20261025T023000",
    ],
  ])(
    "has %s",
    (_, {
      tzid = "Europe/Berlin",
      starts = "2026-11-23T08:00:00Z",
    }: { tzid?: string | null; starts?: string }, line) => {
      const state = single({
        tzid,
        span: { starts: at(starts), ends: (at(starts) + HOUR_MS) as Instant, allDay: false },
      });
      expect(lines(written(state))).toContain(line);
      expect(read(written(state)).span).toEqual(state.span);
    },
  );

  it("has dates for an all-day event, also for one of no day", () => {
    const [starts, ends] = [at("2026-11-23T00:00:00Z"), at("2026-11-23T00:00:00Z")];
    const ics = written(single({ tzid: null, span: { starts, ends, allDay: true } }));
    expect(linesOf(ics, "DT").slice(1)).toEqual(["DTSTART;VALUE=DATE:20261123", "DTEND;VALUE=DATE:20261124"]);
  });

  it("holds no line that a text could break", () => {
    const ics = written(
      single({ summary: "a\r\nBEGIN:VEVENT\u0000\u0007", url: "https://a.example/\r\nX:1", location: "\ud800" }),
    );
    expect(linesOf(ics, "BEGIN:VEVENT")).toHaveLength(1);
    expect(read(ics)).toMatchObject({ summary: "a\nBEGIN:VEVENT", url: "https://a.example/ X:1", location: "\ufffd" });
  });
});

describe("a series", () => {
  it.each([
    ["daily", "FREQ=DAILY"],
    ["weekly 2 mon,thu count=5", "FREQ=WEEKLY;INTERVAL=2;COUNT=5;BYDAY=MO,TH;WKST=MO"],
    ["monthly 4mon,-1fri", "FREQ=MONTHLY;BYDAY=4MO,-1FR"],
    ["yearly until=2030-07-01", "FREQ=YEARLY;UNTIL=20300701T215959Z"],
  ])("%s is %s: UNTIL in UTC at the end of its last local day", (short, text) => {
    expect(linesOf(written(single({ ruleSeries: series(short) })), "RRULE:").at(-1)).toBe(`RRULE:${text}`);
  });

  it("has UNTIL and EXDATE as dates where it is all-day", () => {
    const [starts, ends] = [at("2026-11-23T00:00:00Z"), at("2026-11-24T00:00:00Z")];
    const state = single({
      tzid: null,
      span: { starts, ends, allDay: true },
      ruleSeries: series("daily until=2026-12-01", { skipped: ["2026-11-25"] }),
    });
    const ics = written(state);
    expect([...linesOf(ics, "RRULE"), ...linesOf(ics, "EXDATE")]).toEqual([
      "RRULE:FREQ=DAILY;UNTIL=20261201",
      "EXDATE;VALUE=DATE:20261125",
    ]);
  });

  const changed = (texts: object, span: [string, string] | null = null) => ({
    day: "2026-11-25",
    span: span && { starts: at(span[0]), ends: at(span[1]), allDay: false },
    texts,
  });

  it("has skipped days as EXDATE and changed ones as full copies without the rule, named in DTSTART's form", () => {
    const moved = changed({ summary: "Moved" }, ["2026-11-25T14:00:00Z", "2026-11-25T15:00:00Z"]);
    const state = withGuests(ann);
    const ics = written({
      ...state,
      location: "Room 1",
      ruleSeries: series("daily", { skipped: ["2026-11-24"], changed: [moved] }),
    });
    expect(linesOf(ics, "EXDATE")).toEqual(["EXDATE;TZID=Europe/Berlin:20261124T090000"]);
    const override = lines(ics.slice(ics.lastIndexOf("BEGIN:VEVENT")));
    for (const line of [
      "UID:evt-1@almanac",
      "RECURRENCE-ID;TZID=Europe/Berlin:20261125T090000",
      "DTSTART;TZID=Europe/Berlin:20261125T150000",
      "DTEND;TZID=Europe/Berlin:20261125T160000",
      "SUMMARY:Moved",
      "LOCATION:Room 1",
      "ATTENDEE;CN=Ann;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:ann@acme.io",
    ]) {
      expect(override).toContain(line);
    }
    expect(override.filter((line) => /^(?:RRULE|EXDATE)/.test(line))).toEqual([]);
  });

  it("that begins in the second of two equal local times keeps its first occurrence there", () => {
    const starts = at("2026-10-25T01:30:00Z");
    const span = { starts, ends: (starts + HOUR_MS) as Instant, allDay: false };
    const { icalRecurrence } = read(written(single({ span, ruleSeries: series("daily") })));
    expect(icalRecurrence?.overrides).toMatchObject([{ recurrenceId: at("2026-10-25T02:30:00Z"), starts, fields: {} }]);
  });

  it("loses changes that the application took back, and keeps those that others made, with the event's new words", () => {
    const first = written(single({ ruleSeries: series("daily", { changed: [changed({ summary: "Ours" })] }) }));
    const theirs = vevent(
      "RECURRENCE-ID;TZID=Europe/Berlin:20261127T090000",
      "DTSTART;TZID=Europe/Berlin:20261127T110000",
      "DTEND;TZID=Europe/Berlin:20261127T120000",
      "SUMMARY:Planning",
      "LOCATION:Elsewhere",
      "X-THEIRS:1",
    ).replace("UID:a", "UID:evt-1@almanac");
    const existing = first.replace("END:VCALENDAR", `${theirs}\r\nEND:VCALENDAR`);
    const again = written(single({ summary: "New words", ruleSeries: series("daily") }), { existing });
    expect(linesOf(again, "RECURRENCE-ID")).toEqual(["RECURRENCE-ID;TZID=Europe/Berlin:20261127T090000"]);
    expect(linesOf(again, "SUMMARY")).toEqual(["SUMMARY:New words", "SUMMARY:New words"]);
    expect(lines(again)).toEqual(expect.arrayContaining(["LOCATION:Elsewhere", "X-THEIRS:1"]));
    const skipped = written(single({ ruleSeries: series("daily", { skipped: ["2026-11-27"] }) }), { existing });
    expect(linesOf(skipped, "RECURRENCE-ID")).toEqual([]);
    const other = written(single({ ruleSeries: series("weekly") }), { existing });
    expect(linesOf(other, "RECURRENCE-ID")).toEqual([]);
  });

  it("becomes a single event again", () => {
    const first = written(
      single({ ruleSeries: series("daily", { skipped: ["2026-11-24"], changed: [changed({ summary: "B" })] }) }),
    );
    const again = written(single(), { existing: first });
    expect(read(again)).toEqual(single());
    expect(linesOf(again, "SEQUENCE")).toEqual(["SEQUENCE:1"]);
  });

  it("keeps a rule that its server wrote in other words", () => {
    const first = written(single({ ruleSeries: series("weekly") }));
    const existing = first.replace("RRULE:FREQ=WEEKLY", "RRULE:FREQ=WEEKLY;WKST=SU;INTERVAL=1;BYDAY=MO");
    const again = written(single({ summary: "New", ruleSeries: series("weekly") }), { existing });
    expect(linesOf(again, "RRULE:FREQ=WEEKLY")).toEqual(["RRULE:FREQ=WEEKLY;WKST=SU;INTERVAL=1;BYDAY=MO"]);
    expect(linesOf(again, "SEQUENCE")).toEqual(["SEQUENCE:0"]);
  });
});

describe("a series as its provider has it", () => {
  const icalRecurrence: StoredIcalRecurrence = {
    allDay: false,
    start: at("2026-11-23T09:00:00Z") as number as LocalTime,
    tzid: "Europe/Berlin",
    duration: { days: 1, exact: HOUR_MS },
    rrules: ["FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1", "FREQ=YEARLY"],
    exrules: ["FREQ=YEARLY;BYMONTH=3"],
    rdates: [{ text: "20261130T090000" }, { text: "20261201T080000Z/PT2H" }],
    exdates: [{ text: "20261221" }, { text: "20270125T090000" }],
    overrides: [
      {
        recurrenceId: at("2027-02-22T09:00:00Z") as number as LocalTime,
        starts: at("2027-02-23T09:00:00Z"),
        ends: at("2027-02-23T10:00:00Z"),
        fields: { summary: "B", transparency: "transparent", location: null },
      },
      {
        recurrenceId: at("2027-03-29T09:00:00Z") as number as LocalTime,
        starts: at("2027-03-29T07:00:00Z"),
        ends: at("2027-03-29T08:00:00Z"),
        cancelled: true,
        fields: {},
      },
    ],
  };
  const starts = at("2026-11-23T08:00:00Z");
  const state = single({
    location: "A",
    span: { starts, ends: (starts + 25 * HOUR_MS) as Instant, allDay: false },
    icalRecurrence,
  });

  it("goes back as it came", () => {
    expect(read(written(state))).toEqual(state);
    const again = written({ ...state, summary: "New" }, { existing: written(state) });
    expect(read(again)).toEqual({ ...state, summary: "New" });
    expect(linesOf(again, "SEQUENCE")).toEqual(["SEQUENCE:0", "SEQUENCE:0", "SEQUENCE:0"]);
  });
});

describe("an existing resource", () => {
  const existing = calendar(
    "PRODID:-//Theirs//EN",
    "X-WR-CALNAME:Theirs",
    vevent(
      "SEQUENCE:3",
      "CREATED:20250101T000000Z",
      "DTSTART;TZID=W. Europe Standard Time;X-P=1:20261123T090000",
      "DURATION:PT1H",
      'SUMMARY;LANGUAGE=en;X-Q="a:b":Planning',
      "DESCRIPTION:Old",
      "X-ALT-DESC;FMTTYPE=text/html:<b>Old</b>",
      "GEO:52.5;13.4",
      "ATTACH;FMTTYPE=text/plain:https://a.example/x",
      'X-SOMETHING;A=1;B="2,3":kept: as it, was\\;',
      "a line that is none",
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      "TRIGGER:-PT15M",
      "END:VALARM",
    ),
    "BEGIN:X-COMPONENT",
    "X-Y:1",
    "END:X-COMPONENT",
  );

  it("keeps all that the state does not say otherwise", () => {
    const again = written(single({ description: "New" }), { existing });
    const gone = ["DTSTAMP", "DESCRIPTION", "X-ALT-DESC", "SEQUENCE", "a line that is none"];
    const kept = lines(existing).filter((line) => !gone.some((name) => line.startsWith(name)));
    expect(lines(again)).toEqual(expect.arrayContaining(kept));
    expect(linesOf(again, "DESCRIPTION")).toEqual(["DESCRIPTION:New"]);
    expect(linesOf(again, "X-ALT-DESC")).toEqual([]);
    expect(linesOf(again, "a line")).toEqual([]);
    expect(linesOf(again, "SEQUENCE")).toEqual(["SEQUENCE:3"]);
    expect(linesOf(again, "UID")).toEqual(["UID:a"]);
  });

  it("has its sequence raised when it is moved, and the end that it had is gone", () => {
    const starts = at("2026-11-24T08:00:00Z");
    const again = written(single({ span: { starts, ends: (starts + HOUR_MS) as Instant, allDay: false } }), {
      existing,
    });
    expect(linesOf(again, "SEQUENCE")).toEqual(["SEQUENCE:4"]);
    expect(linesOf(again, "DURATION")).toEqual([]);
    expect(linesOf(again, "DTEND")).toEqual(["DTEND;TZID=Europe/Berlin:20261124T100000"]);
  });

  it("that cannot be read is written again", () => {
    expect(read(written(single(), { existing: "nothing" }))).toEqual(single());
  });

  it("loses its meeting link only when the state has none any more", () => {
    const linked = existing.replace("GEO", "CONFERENCE;VALUE=URI:https://meet.google.com/abc-defg-hij\r\nGEO");
    const { conferencing } = read(linked);
    expect(linesOf(written(single({ conferencing }), { existing: linked }), "CONFERENCE")).toHaveLength(1);
    expect(linesOf(written(single(), { existing: linked }), "CONFERENCE")).toHaveLength(0);
  });
});

describe("guests", () => {
  it("are invited by the owner, who has accepted", () => {
    const ics = written(withGuests(ann, guest("bob@acme.io", { display_name: 'Bob "B"; Jr: x' })));
    expect([...linesOf(ics, "ORGANIZER"), ...linesOf(ics, "ATTENDEE")]).toEqual([
      "ORGANIZER;CN=Olive Owner:mailto:owner@acme.io",
      "ATTENDEE;CN=Olive Owner;ROLE=CHAIR;PARTSTAT=ACCEPTED:mailto:owner@acme.io",
      "ATTENDEE;CN=Ann;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:ann@acme.io",
      "ATTENDEE;CN=\"Bob ^'B^'; Jr: x\";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:bob@acme.io",
    ]);
  });

  const existing = written(withGuests(ann)).replace(
    /ATTENDEE;CN=Ann.*?ann@acme.io/s,
    'ATTENDEE;CN=Ann;X-P="q:r";PARTSTAT=ACCEPTED:mailto:ANN@acme.io\r\nATTENDEE;PARTSTAT=TENTATIVE:mailto:carl@acme.io',
  );

  it("keep the answer that the calendar holds, and those whom nobody took off stay", () => {
    const again = written(withGuests({ ...ann, status: "declined" }, guest("bob@acme.io")), { existing });
    expect(linesOf(again, "ATTENDEE").slice(1)).toEqual([
      'ATTENDEE;CN=Ann;X-P="q:r";PARTSTAT=ACCEPTED:mailto:ANN@acme.io',
      "ATTENDEE;PARTSTAT=TENTATIVE:mailto:carl@acme.io",
      "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:bob@acme.io",
    ]);
  });

  it("go when they are taken off; the organizer goes once the last one has been told", () => {
    const one = written(withGuests(ann), { existing, removedGuests: [" Carl@acme.io"] });
    expect(read(one).attendees).toEqual([{ ...ann, status: "accepted" }]);
    const people = (ics: string) => [...linesOf(ics, "ORGANIZER"), ...linesOf(ics, "ATTENDEE")];
    const none = written(single(), { existing: one, removedGuests: ["ann@acme.io"] });
    expect(people(none)).toEqual([
      "ORGANIZER;CN=Olive Owner:mailto:owner@acme.io",
      "ATTENDEE;CN=Olive Owner;ROLE=CHAIR;PARTSTAT=ACCEPTED:mailto:owner@acme.io",
    ]);
    expect(people(written(single(), { existing: none }))).toEqual([]);
    expect(people(written(single(), { existing: one, removedGuests: ["ann@acme.io"], notify: false }))).toEqual([]);
  });

  it("taken off and invited again stay; a sent name replaces theirs", () => {
    const again = written(withGuests({ ...ann, display_name: "Ann B." }), { existing, removedGuests: ["ann@acme.io"] });
    expect(linesOf(again, "ATTENDEE")).toContain('ATTENDEE;X-P="q:r";PARTSTAT=ACCEPTED;CN=Ann B.:mailto:ANN@acme.io');
  });

  it("are not told by the server when nobody is to be, and are when they are; whom it told before is not called off", () => {
    const agents = (ics: string) =>
      linesOf(ics, "ATTENDEE").map((line) => line.includes(";SCHEDULE-AGENT=CLIENT:mailto:"));
    const silent = written(withGuests(ann, guest("bob@acme.io")), { existing, notify: false });
    expect(agents(silent)).toEqual([false, false, false, true]);
    expect(agents(written(withGuests(ann), { existing: silent, notify: false }))).toEqual([false, false, false, true]);
    expect(linesOf(written(withGuests(ann), { existing: silent }), "ATTENDEE").join()).not.toContain("SCHEDULE-AGENT");
  });

  it("of single occurrences keep their answers and go with the rest", () => {
    const change = { day: "2026-11-25", span: null, texts: { summary: "B" } };
    const state = { ...withGuests(ann), ruleSeries: series("daily", { changed: [change] }) };
    const first = written(state);
    const at = first.lastIndexOf("PARTSTAT=NEEDS-ACTION");
    const answered = `${first.slice(0, at)}PARTSTAT=DECLINED${first.slice(at + "PARTSTAT=NEEDS-ACTION".length)}`;
    const again = written({ ...state, summary: "C" }, { existing: answered });
    expect(read(again).icalRecurrence?.overrides[0]?.fields.attendees).toEqual([{ ...ann, status: "declined" }]);
    const alone = written(
      { ...state, attendees: [], organizer: null },
      { existing: answered, removedGuests: [ann.email] },
    );
    expect(linesOf(alone, "ATTENDEE").filter((line) => !line.endsWith(":mailto:owner@acme.io"))).toEqual([]);
  });
});

it("a resource that was written is one that can be read", () => {
  expect(readResource(written(single()), { ownAddresses: [] })).toMatchObject({ uid: "evt-1@almanac" });
});
