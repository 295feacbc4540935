import { describe, expect, it } from "vitest";
import { readResource } from "@/server/providers/caldav/icalendar/read/read-resource";
import { calendar, read, vevent } from "./given-state";

const at = (text: string) => Date.parse(text);
const start = "DTSTART;TZID=Europe/Berlin:20261123T090000";
const span = (...more: string[]) => {
  const { span, tzid } = read(calendar(vevent(...more)));
  return [new Date(span.starts).toISOString(), new Date(span.ends).toISOString(), span.allDay, tzid];
};

describe("when an event is", () => {
  it.each([
    ["a zoned time", [start, "DTEND;TZID=Europe/Berlin:20261123T100000"], "08:00", "09:00", "Europe/Berlin"],
    ["a time in UTC", ["DTSTART:20261123T090000Z", "DTEND:20261123T093000Z"], "09:00", "09:30", null],
    ["a floating time", ["DTSTART:20261123T090000", "DTEND:20261123T093000"], "09:00", "09:30", null],
    ["a length", [start, "DURATION:PT1H30M"], "08:00", "09:30", "Europe/Berlin"],
    ["no end", [start], "08:00", "08:00", "Europe/Berlin"],
    ["an end before the start", [start, "DTEND:20261122T090000Z"], "08:00", "09:00", "Europe/Berlin"],
    [
      "an end in another zone",
      [start, "DTEND;TZID=America/New_York:20261123T050000"],
      "08:00",
      "10:00",
      "Europe/Berlin",
    ],
    ["a Windows name", ["DTSTART;TZID=W. Europe Standard Time:20261123T090000"], "08:00", "08:00", "Europe/Berlin"],
    [
      "a Windows name whose first city has left its time",
      ["DTSTART;TZID=Mountain Standard Time (Mexico):20261123T090000"],
      "16:00",
      "16:00",
      "America/Mazatlan",
    ],
    [
      "a maker's path",
      ["DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20261123T090000"],
      "08:00",
      "08:00",
      "Europe/Berlin",
    ],
    ["a quoted name", ['DTSTART;TZID="Europe/Berlin":20261123T090000'], "08:00", "08:00", "Europe/Berlin"],
    ["an offset", ["DTSTART;TZID=GMT+01:00:20261123T090000".replace("+01:00", "+0100")], "08:00", "08:00", "Etc/GMT-1"],
    ["lower case", ["dtstart;tzid=Europe/Berlin:20261123t090000"], "08:00", "08:00", "Europe/Berlin"],
  ])("is read from %s", (_, given, starts, ends, tzid) => {
    expect(span(...given)).toEqual([`2026-11-23T${starts}:00.000Z`, `2026-11-23T${ends}:00.000Z`, false, tzid]);
  });

  it.each([
    ["a date", ["DTSTART;VALUE=DATE:20261123"], "24"],
    ["a date and its end", ["DTSTART;VALUE=DATE:20261123", "DTEND;VALUE=DATE:20261126"], "26"],
    ["a date and a length", ["DTSTART;VALUE=DATE:20261123", "DURATION:P2D"], "25"],
    ["a date that ends on itself", ["DTSTART;VALUE=DATE:20261123", "DTEND;VALUE=DATE:20261123"], "24"],
    ["a date without VALUE", ["DTSTART:20261123"], "24"],
  ])("is all-day from %s, and never of no day", (_, given, ends) => {
    expect(span(...given)).toEqual(["2026-11-23T00:00:00.000Z", `2026-11-${ends}T00:00:00.000Z`, true, null]);
  });

  it("stands on the calendar's zone where it has none of its own", () => {
    const state = read(calendar(vevent("DTSTART:20261123T090000")), { ownAddresses: [], tzid: "Asia/Tokyo" });
    expect([state.span.starts, state.tzid]).toEqual([at("2026-11-23T00:00:00Z"), "Asia/Tokyo"]);
    const said = calendar("X-WR-TIMEZONE:Asia/Tokyo", vevent("DTSTART:20261123T090000"));
    expect(read(said).tzid).toBe("Asia/Tokyo");
  });
});

describe("what an event says", () => {
  it("is read as written, with its escapes, in any order and with folded lines", () => {
    const state = read(
      calendar(
        vevent(
          "SUMMARY;LANGUAGE=en:Lunch\\, then a",
          "  walk",
          "DESCRIPTION:one\\ntwo\\Nthree \\\\ \\;",
          'LOCATION;ALTREP="http://a.example/x;y":Room 1',
          "URL:https://a.example/?a=1,2;b",
          "CATEGORIES:Work,Fun\\, games",
          "CATEGORIES:Work",
          "TRANSP:TRANSPARENT",
          "CLASS:CONFIDENTIAL",
          "STATUS:TENTATIVE",
          start,
        ),
      ),
    );
    expect(state).toMatchObject({
      summary: "Lunch, then a walk",
      description: "one\ntwo\nthree \\ ;",
      location: "Room 1",
      url: "https://a.example/?a=1,2;b",
      categories: ["Work", "Fun, games"],
      transparency: "transparent",
      private: true,
      status: "tentative",
      ruleSeries: null,
      icalRecurrence: null,
    });
  });

  it("is without what the database cannot keep", () => {
    expect(read(calendar(vevent("SUMMARY:a\u0000b\ud800c", start))).summary).toBe("ab\ufffdc");
  });

  it("is kept at any length", () => {
    const long = "x".repeat(200_000);
    expect(read(calendar(vevent(`DESCRIPTION:${long}`, start))).description).toBe(long);
  });

  it("cancelled is cancelled", () => {
    expect(read(calendar(vevent("STATUS:cancelled", start))).status).toBe("cancelled");
  });

  it.each([
    ["a property of its own", ["X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij"], "google_meet"],
    ["CONFERENCE", ["CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://video.example/1"], "other"],
    ["URL", ["URL:https://teams.microsoft.com/l/meetup-join/19%3ameeting/0?context=x"], "microsoft_teams"],
    ["LOCATION", ["LOCATION:https://acme.zoom.us/j/123?pwd=x"], "other"],
    ["DESCRIPTION", ["DESCRIPTION:Join <https://meet.lync.com/acme/ann/ABC>\\, please"], "skype_for_business"],
    ["a link in Skype", ["DESCRIPTION:https://join.skype.com/AbCd"], "skype"],
    ["a hangout", ["DESCRIPTION:https://hangouts.google.com/call/abc."], "google_hangouts"],
  ])("has a meeting link by %s", (_, given, provider) => {
    const { conferencing } = read(calendar(vevent(start, ...given)));
    expect(conferencing).toMatchObject({ provider });
    expect(conferencing).toHaveProperty("join_url", expect.stringMatching(/^https:\/\/[^\s<>]*[^.,>]$/));
  });

  it.each([
    "https://meet.google.com.evil.example/abc-defg-hij",
    "https://example.com/zoom.us/j/1",
    "https://zoom.us/pricing",
  ])("has no meeting link by %s", (text) => {
    expect(read(calendar(vevent(start, `DESCRIPTION:${text}`))).conferencing).toBeNull();
  });
});

describe("who is there", () => {
  const people = (...given: string[]) => {
    const { organizer, attendees, participationStatus } = read(calendar(vevent(start, ...given)), {
      ownAddresses: ["Me@acme.io"],
    });
    return { organizer, attendees, participationStatus };
  };

  it("is read in lower case with names and answers; the organizer is no guest", () => {
    expect(
      people(
        'ORGANIZER;CN="Boss, The":MAILTO:Boss@Acme.io',
        "ATTENDEE;PARTSTAT=ACCEPTED:mailto:boss@acme.io",
        "ATTENDEE;CN=Me;PARTSTAT=DECLINED:Mailto:ME@acme.io",
        "ATTENDEE;PARTSTAT=tentative:mailto:c@acme.io",
        "ATTENDEE;PARTSTAT=DELEGATED:mailto:d@acme.io",
        "ATTENDEE;EMAIL=E@acme.io:urn:uuid:0-0-0",
        'ATTENDEE;CN=F;DELEGATED-FROM="mailto:a@x.io","mailto:b@x.io","mailto:c@x.io","mailto:d@x.io":mailto:f@acme.io',
        "ATTENDEE:/principals/nobody",
        "ATTENDEE;PARTSTAT=ACCEPTED:mailto:c@acme.io",
      ),
    ).toEqual({
      organizer: { email: "boss@acme.io", display_name: "Boss, The" },
      participationStatus: "declined",
      attendees: [
        { email: "me@acme.io", display_name: "Me", status: "declined" },
        { email: "c@acme.io", display_name: null, status: "tentative" },
        { email: "d@acme.io", display_name: null, status: "unknown" },
        { email: "e@acme.io", display_name: null, status: "needs_action" },
        { email: "f@acme.io", display_name: "F", status: "needs_action" },
      ],
    });
  });

  it.each([
    ["accepted where nobody is named", [], "accepted"],
    [
      "accepted where the owner is the organizer",
      ["ORGANIZER:mailto:me@acme.io", "ATTENDEE:mailto:a@acme.io"],
      "accepted",
    ],
    [
      "the organizer's own answer",
      ["ORGANIZER:mailto:me@acme.io", "ATTENDEE;PARTSTAT=TENTATIVE:mailto:me@acme.io"],
      "tentative",
    ],
    ["needs_action before there is one", ["ORGANIZER:mailto:a@acme.io", "ATTENDEE:mailto:me@acme.io"], "needs_action"],
    ["unknown where others are named only", ["ORGANIZER:mailto:a@acme.io", "ATTENDEE:mailto:b@acme.io"], "unknown"],
  ])("the owner's reply is %s", (_, given, status) => {
    expect(people(...given).participationStatus).toBe(status);
  });
});

describe("a series", () => {
  it("comes with its rules and dates as text, on its own clock", () => {
    const { icalRecurrence } = read(
      calendar(
        vevent(
          start,
          "DURATION:P1DT1H",
          "RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20271231T080000Z",
          "EXRULE:FREQ=MONTHLY;BYDAY=1MO",
          "RDATE;TZID=Europe/Berlin:20261125T090000,20261126T090000",
          "RDATE;TZID=America/New_York;VALUE=PERIOD:20261127T030000/PT1H",
          "EXDATE;VALUE=DATE:20261130",
          "EXDATE;TZID=W. Europe Standard Time:20261207T090000",
        ),
      ),
    );
    expect(icalRecurrence).toEqual({
      allDay: false,
      start: at("2026-11-23T09:00:00Z"),
      tzid: "Europe/Berlin",
      duration: { days: 1, exact: 3_600_000 },
      rrules: ["FREQ=WEEKLY;BYDAY=MO;UNTIL=20271231T080000Z"],
      exrules: ["FREQ=MONTHLY;BYDAY=1MO"],
      rdates: [{ text: "20261125T090000" }, { text: "20261126T090000" }, { text: "20261127T080000Z/PT1H" }],
      exdates: [{ text: "20261130" }, { text: "20261207T090000" }],
      overrides: [],
    });
  });

  it.each([
    ["a zoned time", "RECURRENCE-ID;TZID=Europe/Berlin:20261130T090000"],
    ["a time in UTC", "RECURRENCE-ID:20261130T080000Z"],
    ["a time of another zone", "RECURRENCE-ID;TZID=America/New_York:20261130T030000"],
    ["a date", "RECURRENCE-ID;VALUE=DATE:20261130"],
  ])("has overrides with what differs only, named by %s", (_, id) => {
    const master = vevent(start, "DURATION:PT1H", "SUMMARY:A", "LOCATION:B", "RRULE:FREQ=WEEKLY");
    const override = vevent(id, "DTSTART:20261201T100000Z", "DTEND:20261201T110000Z", "SUMMARY:A", "LOCATION:C");
    expect(read(calendar(override, master)).icalRecurrence?.overrides).toEqual([
      {
        recurrenceId: at("2026-11-30T09:00:00Z"),
        starts: at("2026-12-01T10:00:00Z"),
        ends: at("2026-12-01T11:00:00Z"),
        fields: { location: "C" },
      },
    ]);
  });

  it("has cancelled overrides, and overrides without times that lie where they were", () => {
    const { icalRecurrence } = read(
      calendar(
        vevent(start, "DURATION:PT1H", "RRULE:FREQ=DAILY"),
        vevent("RECURRENCE-ID:20261124T080000Z", "STATUS:CANCELLED"),
        vevent("RECURRENCE-ID:20261125T080000Z", "SUMMARY:B"),
      ),
    );
    expect(icalRecurrence?.overrides).toMatchObject([
      { cancelled: true, fields: {} },
      { starts: at("2026-11-25T08:00:00Z"), ends: at("2026-11-25T09:00:00Z"), fields: { summary: "B" } },
    ]);
  });

  it("whose master is cancelled, without a start, does not take place, whatever occurrences are left", () => {
    const occurrence = vevent("RECURRENCE-ID:20261201T090000Z", "DTSTART:20261201T100000Z");
    expect(read(calendar(vevent("STATUS:CANCELLED"), occurrence)).status).toBe("cancelled");
    expect(read(calendar(vevent("SUMMARY:No start"), occurrence)).status).toBe("confirmed");
  });

  it("of which only single occurrences are here is those occurrences", () => {
    const one = vevent("RECURRENCE-ID:20261124T080000Z", "DTSTART;TZID=Europe/Berlin:20261124T110000", "DURATION:PT1H");
    const two = vevent("RECURRENCE-ID:20261201T080000Z", "DTSTART;TZID=Europe/Berlin:20261201T090000", "SUMMARY:B");
    const { icalRecurrence, tzid, status } = read(calendar(one, two));
    expect({ tzid, status }).toEqual({ tzid: "Europe/Berlin", status: "confirmed" });
    expect(icalRecurrence).toMatchObject({
      start: at("2026-11-24T09:00:00Z"),
      rrules: [],
      overrides: [
        { recurrenceId: at("2026-11-24T09:00:00Z"), starts: at("2026-11-24T10:00:00Z"), fields: {} },
        { recurrenceId: at("2026-12-01T09:00:00Z"), starts: at("2026-12-01T08:00:00Z"), fields: { summary: "B" } },
      ],
    });
    expect(read(calendar(vevent("RECURRENCE-ID:20261124T080000Z", start, "STATUS:CANCELLED"))).status).toBe(
      "cancelled",
    );
  });
});

describe("a resource with something wrong in it", () => {
  it("loses that alone", () => {
    const state = read(
      calendar(
        "this is no line",
        vevent(
          "SUMMARY:A",
          "GEO",
          "DTSTART:tomorrow",
          start,
          "DTEND;TZID=Europe/Berlin:20261340T990000",
          "DURATION:-PT1H",
          'ATTENDEE;CN="unclosed:mailto:b@acme.io',
          "ATTENDEE;CN=C:mailto:c@acme.io",
          "RRULE:FREQ=SOMETIMES",
          "EXDATE:never",
          "BEGIN:VALARM",
          "TRIGGER:-PT5M",
        ),
        vevent("RECURRENCE-ID:once", "SUMMARY:bad"),
        vevent("RECURRENCE-ID:20261124T080000Z", "SUMMARY:B"),
      ),
    );
    expect(state).toMatchObject({
      summary: "A",
      span: { starts: at("2026-11-23T08:00:00Z") },
      attendees: [
        { email: "b@acme.io", display_name: "unclosed" },
        { email: "c@acme.io", display_name: "C" },
      ],
      icalRecurrence: { rrules: ["FREQ=SOMETIMES"], overrides: [{ fields: { summary: "B" } }] },
    });
  });

  it.each([
    ["no text", " \r\n", "an empty resource"],
    ["text that is none", "hello secret", "not a calendar object"],
    ["a card", "BEGIN:VCARD\r\nFN:secret\r\nEND:VCARD", "not a calendar object"],
    [
      "a list of things to do",
      calendar("BEGIN:VTODO", "SUMMARY:secret", "END:VTODO"),
      "a calendar object without an event",
    ],
    ["an event without a start", calendar(vevent("SUMMARY:secret")), "an event without a start"],
    ["more than 1 MiB", calendar(vevent(start, `SUMMARY:secret${"ä".repeat(525_000)}`)), "larger than 1 MiB"],
  ])("is a fault where it is %s, in words that quote nothing", (_, ics, fault) => {
    expect(readResource(ics, { ownAddresses: [] })).toEqual({ fault });
  });

  it("is read in no time, whatever it is made of", () => {
    const before = process.cpuUsage();
    for (const unit of ['"', ";", ":", "\n ", "BEGIN:A\n", ",", "\\", "ATTENDEE:x\n", "RDATE:20260101,", "https://"]) {
      readResource(calendar(vevent(start, "RRULE:FREQ=DAILY", `DESCRIPTION;X=${unit.repeat(900_000 / unit.length)}`)), {
        ownAddresses: [],
      });
    }
    const { user } = process.cpuUsage(before);
    expect(user / 1000).toBeLessThan(10_000);
  });
});
