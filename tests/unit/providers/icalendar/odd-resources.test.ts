import { describe, expect, it } from "vitest";
import { readResource } from "@/server/providers/caldav/icalendar/read/read-resource";
import { calendar, read, vevent } from "./given-state";
import { occurrencesOf } from "./occurrences-of";
import { oddResources } from "./odd-resources";

const at = ["DTSTART:20261202T100000Z", "DTEND:20261202T110000Z"];

describe.each(Object.entries(oddResources))("%s that is odd is read:", (_, resources) => {
  it.each(Object.entries(resources))("%s", (_, { ics, occurrences }) => {
    expect(occurrencesOf(read(ics, { ownAddresses: [] }))).toEqual(occurrences);
  });
});

describe("a series by the weekday in a zone of an odd name", () => {
  it("repeats on the days of that zone", () => {
    const rule = "RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2";
    const ics = calendar(vevent("DTSTART;TZID=GMT+0530:20261202T010000", "DURATION:PT1H", rule));
    expect(occurrencesOf(read(ics))).toEqual([
      "2026-12-01T19:30:00Z/2026-12-01T20:30:00Z",
      "2026-12-08T19:30:00Z/2026-12-08T20:30:00Z",
    ]);
  });
});

describe("people in odd spellings", () => {
  it.each([
    ["a comma in a name", "ATTENDEE;CN=Doe, Jane;PARTSTAT=ACCEPTED:mailto:jane@example.com", "Doe, Jane", "accepted"],
    ["a colon in a name", "ATTENDEE;CN=Foo: Bar;PARTSTAT=ACCEPTED:mailto:jane@example.com", "Foo: Bar", "accepted"],
    [
      "a semicolon in a name",
      "ATTENDEE;CN=Doe; Jane;PARTSTAT=ACCEPTED:mailto:jane@example.com",
      "Doe; Jane",
      "accepted",
    ],
    ["an escape in a name", 'ATTENDEE;CN="Doe\\, Jane":mailto:jane@example.com', "Doe, Jane", "needs_action"],
    ["a quote that never ends", 'ATTENDEE;CN="Jane:mailto:jane@example.com', "Jane", "needs_action"],
    [
      "an address without quotes",
      "ATTENDEE;SENT-BY=mailto:b@x.io;CN=Jane:mailto:jane@example.com",
      "Jane",
      "needs_action",
    ],
    ["a blank before the address", "ATTENDEE;CN=Jane:mailto: jane@example.com", "Jane", "needs_action"],
    ["brackets", "ATTENDEE;CN=Jane:mailto:<jane@example.com>", "Jane", "needs_action"],
    ["quotes", 'ATTENDEE;CN=Jane:MAILTO:"jane@example.com"', "Jane", "needs_action"],
    ["no scheme", "ATTENDEE;CN=Jane:jane@example.com", "Jane", "needs_action"],
    ["the scheme twice", "ATTENDEE;CN=Jane:mailto:mailto:jane@example.com", "Jane", "needs_action"],
    ["a name in the value", "ATTENDEE;CN=Jane:mailto:Jane Doe <jane@example.com>", "Jane", "needs_action"],
  ])("are guests: %s", (_, line, display_name, status) => {
    const { attendees } = read(calendar(vevent(...at, line)));
    expect(attendees).toEqual([{ email: "jane@example.com", display_name, status }]);
  });

  it("are all guests of one line", () => {
    const { attendees } = read(
      calendar(vevent(...at, "ATTENDEE:mailto:a@example.com, mailto:b@example.com;mailto:c@example.com")),
    );
    expect(attendees.map(({ email }) => email)).toEqual(["a@example.com", "b@example.com", "c@example.com"]);
  });
});

describe("several events in one resource", () => {
  const namesOf = (ics: string) => {
    const found = readResource(ics, { ownAddresses: [] });
    if ("fault" in found) return found.fault;
    return [
      found.state.summary,
      ...found.others.map(({ name, state }) => `${name}: ${state.summary}`),
      ...found.unread,
    ];
  };
  const named = (uid: string, ...more: string[]) =>
    ["BEGIN:VEVENT", ...(uid === "" ? [] : [`UID:${uid}`]), `SUMMARY:of ${uid}`, ...at, ...more, "END:VEVENT"].join(
      "\r\n",
    );

  it("are read under their UIDs, each with its overrides", () => {
    const override = named("b", "RECURRENCE-ID:20261203T100000Z");
    expect(namesOf(calendar(named("a"), named("b", "RRULE:FREQ=DAILY;COUNT=2"), override))).toEqual([
      "of a",
      "b: of b",
    ]);
  });

  it("are read without UIDs, each on its own", () => {
    expect(namesOf(calendar(named(""), named("")))).toEqual(["of ", "1: of "]);
  });

  it("are read although one has no start, which is said", () => {
    const bad = "BEGIN:VEVENT\r\nUID:bad\r\nSUMMARY:secret\r\nEND:VEVENT";
    expect(namesOf(calendar(bad, named("b")))).toEqual(["of b", "an event without a start"]);
  });

  it("are as many as 3,000", () => {
    const all = namesOf(calendar(...Array.from({ length: 3_001 }, (_, i) => named(`u${i}`))));
    expect(all).toHaveLength(3_001);
    expect(all.at(-1)).toBe("more than 3000 events in one resource");
  });
});

describe("what is missing", () => {
  it.each([
    [
      "VERSION, PRODID and DTSTAMP",
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20261202T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR",
    ],
    ["a UID", calendar(`BEGIN:VEVENT\r\n${at.join("\r\n")}\r\nEND:VEVENT`)],
    ["all ends", `BEGIN:VCALENDAR\nBEGIN:VEVENT\n${at.join("\n")}\nBEGIN:VALARM\nTRIGGER:-PT5M`],
  ])("does not cost the event: %s", (_, ics) => {
    expect(read(ics).span.starts).toBe(Date.UTC(2026, 11, 2, 10));
  });

  it("is a fault where it is the start, even beside a DUE", () => {
    expect(readResource(calendar(vevent("DUE:20261202T100000Z")), { ownAddresses: [] })).toEqual({
      fault: "an event without a start",
    });
  });
});

describe("a resource that is too large", () => {
  it("is read without what nobody reads of it", () => {
    const photo = `ATTACH;ENCODING=BASE64;VALUE=BINARY:${"QUJD".repeat(500_000).replace(/.{74}/g, "$&\r\n ")}`;
    const page = `X-ALT-DESC;FMTTYPE=text/html:${"<p>".repeat(500_000)}`;
    const state = read(calendar(vevent("SUMMARY:Case", photo, page, ...at, "DESCRIPTION:kept")));
    expect(state).toMatchObject({ summary: "Case", description: "kept", span: { starts: Date.UTC(2026, 11, 2, 10) } });
  });
});
