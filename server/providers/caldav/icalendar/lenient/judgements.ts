/** What is decided about a whole event where its parts, each readable, leave a choice. */
export interface Judgement {
  name: string;
  why: string;
  /** Lines of an event, or whole components, and the occurrences that are read: `start/end`, in UTC, or days. */
  example: { lines: readonly string[]; occurrences: readonly string[] };
}

/** How long an event is whose end cannot be read, or lies before its start: calendars offer an hour. */
export const USUAL_LENGTH_MS = 3_600_000;

/** What marks an event as all-day whose times go from midnight to midnight. */
export const allDayMarks: readonly string[] = [
  "X-MICROSOFT-CDO-ALLDAYEVENT",
  "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT",
  "X-FUNAMBOL-ALLDAY",
];

const start = "DTSTART;TZID=Europe/Berlin:20261202T100000";
const hour = ["2026-12-02T09:00:00Z/2026-12-02T10:00:00Z"];
const daily = [start, "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3"];
const first = "2026-12-02T09:00:00Z/2026-12-02T10:00:00Z";
const third = "2026-12-04T09:00:00Z/2026-12-04T10:00:00Z";

export const judgements: readonly Judgement[] = [
  {
    name: "midnight where VALUE=DATE is written",
    why: "The date was printed by a program that knows times alone.",
    example: {
      lines: ["DTSTART;VALUE=DATE:20261202T000000", "DTEND;VALUE=DATE:20261203T000000"],
      occurrences: ["2026-12-02/2026-12-03"],
    },
  },
  {
    name: "another time where VALUE=DATE is written",
    why: "Nobody prints an hour that is not meant: libical and dateutil read it.",
    example: {
      lines: ["DTSTART;VALUE=DATE;TZID=Europe/Berlin:20261202T100000", "DTEND;VALUE=DATE:20261202T110000"],
      occurrences: hour,
    },
  },
  {
    name: "midnight to midnight with Exchange's mark of an all-day event",
    why: "Exchange and its clients show it as all-day wherever the reader is.",
    example: {
      lines: [
        "DTSTART;TZID=Europe/Berlin:20261202T000000",
        "DTEND;TZID=Europe/Berlin:20261203T000000",
        "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
      ],
      occurrences: ["2026-12-02/2026-12-03"],
    },
  },
  {
    name: "an end without a zone",
    why: "It is on the clock of the start, as dateutil reads it. So is a start beside an end with a zone.",
    example: { lines: [start, "DTEND:20261202T110000"], occurrences: hour },
  },
  {
    name: "an end before the start",
    why: "The event takes place, and how long nobody knows: it is busy for an hour.",
    example: { lines: [start, "DTEND;TZID=Europe/Berlin:20261201T100000"], occurrences: hour },
  },
  {
    name: "an end that cannot be read",
    why: "As above. An event without an end has no length (RFC 5545 §3.6.1).",
    example: { lines: [start, "DTEND:later"], occurrences: hour },
  },
  {
    name: "a time without a zone in a series with one",
    why: "EXDATE, RDATE, RECURRENCE-ID and the times of an override are on the clock of DTSTART (RFC 5545 §3.8.5.1).",
    example: { lines: [...daily, "EXDATE:20261203T100000"], occurrences: [first, third] },
  },
  {
    name: "semicolons between dates",
    why: "No date has one.",
    example: { lines: [...daily, "EXDATE;TZID=Europe/Berlin:20261202T100000;20261203T100000"], occurrences: [third] },
  },
  {
    name: "an EXDATE or RECURRENCE-ID at midnight that is no occurrence",
    why: "The day is meant, as by a date. Not where a day may have several occurrences.",
    example: { lines: [...daily, "EXDATE;TZID=Europe/Berlin:20261203T000000"], occurrences: [first, third] },
  },
  {
    name: "a time in UTC in an all-day series",
    why: "Midnight in UTC is that date. Any other time is the nearest midnight of the calendar's own zone, which is what its writer converted.",
    example: {
      lines: ["DTSTART;VALUE=DATE:20261202", "RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20261202T230000Z"],
      occurrences: ["2026-12-02/2026-12-03"],
    },
  },
  {
    name: "an odd part in an EXRULE",
    why: "Left out, it would take away more than was meant, so that the whole EXRULE is.",
    example: {
      lines: [...daily, "EXRULE:FREQ=DAILY;INTERVAL=0"],
      occurrences: [first, "2026-12-03T09:00:00Z/2026-12-03T10:00:00Z", third],
    },
  },
];
