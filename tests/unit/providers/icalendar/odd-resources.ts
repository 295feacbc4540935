import { calendar, vevent } from "./given-state";

/** A resource as no standard has it, and the occurrences that are read: `start/end` in UTC, or days. */
export interface OddResource {
  ics: string;
  occurrences: readonly string[];
}

const hours = (...starts: string[]) =>
  starts.map((start) => {
    const end = new Date(Date.parse(`2026-${start}:00Z`) + 3_600_000).toISOString().replace(".000", "");
    return `2026-${start}:00Z/${end}`;
  });
const days = (...all: string[]) =>
  all.map((day) => `2026-${day}/${new Date(Date.parse(`2026-${day}`) + 86_400_000).toISOString().slice(0, 10)}`);
const event = (...lines: string[]) => calendar(vevent(...lines));
/** An hour at ten on the clock that some parameters name. */
const at = (params: string) => [`DTSTART${params}:20261202T100000`, `DTEND${params}:20261202T110000`];
const inZone = (params: string, start: string): OddResource => ({
  ics: event(...at(params)),
  occurrences: hours(start),
});
const ten = at(";TZID=Europe/Berlin");
const daily = (...lines: string[]) => event(...ten, "RRULE:FREQ=DAILY;COUNT=4", ...lines);
const ruled = (rule: string) => event(...ten, `RRULE:${rule}`);
const [two, three, four, five] = ["12-02T09:00", "12-03T09:00", "12-04T09:00", "12-05T09:00"];

/** A VTIMEZONE with one offset, or with the summer time of Europe. */
const fixed = (tzid: string, offset: string) =>
  `BEGIN:VTIMEZONE\r\nTZID:${tzid}\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:${offset}\r\nTZOFFSETTO:${offset}\r\nEND:STANDARD\r\nEND:VTIMEZONE`;
const european = (tzid: string, from: string, to: string) =>
  [
    "BEGIN:VTIMEZONE",
    `TZID:${tzid}`,
    ...["BEGIN:STANDARD", "DTSTART:16010101T030000", `TZOFFSETFROM:${to}`, `TZOFFSETTO:${from}`],
    ...["RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "END:STANDARD"],
    ...["BEGIN:DAYLIGHT", "DTSTART:16010101T020000", `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`],
    ...["RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT", "END:VTIMEZONE"],
  ].join("\r\n");
const described = (zones: readonly string[], params: string) => calendar(...zones, vevent(...at(params)));
const two32 = [
  european("(UTC+01:00) Amsterdam\\, Berlin", "+0100", "+0200"),
  european("(UTC+02:00) Helsinki\\, Kyiv", "+0200", "+0300"),
];

export const oddResources: Readonly<Record<string, Readonly<Record<string, OddResource>>>> = {
  "the name of a zone": {
    "escaped in its VTIMEZONE, quoted at the event": {
      ics: described([fixed("A\\, B", "+0100"), fixed("C", "+0500")], ';TZID="A, B"'),
      occurrences: hours("12-02T09:00"),
    },
    "a display name that two VTIMEZONEs have": {
      ics: described(two32, ';TZID="(UTC+01:00) Amsterdam, Berlin"'),
      occurrences: hours("12-02T09:00"),
    },
    "a display name without quotes": {
      ics: described(two32.slice(0, 1), ";TZID=(UTC+01:00) Amsterdam, Berlin"),
      occurrences: hours("12-02T09:00"),
    },
    "in other letter case than its VTIMEZONE": {
      ics: described([fixed("My Zone", "+0300"), fixed("Other", "-0300")], ";TZID=MY ZONE"),
      occurrences: hours("12-02T07:00"),
    },
    "of another place, described by its VTIMEZONE": {
      ics: described([fixed("Eastern", "+1000"), fixed("Other", "-0300")], ";TZID=Eastern"),
      occurrences: hours("12-02T00:00"),
    },
    "an address with a colon": inZone(";TZID=tzone://Microsoft/Utc", "12-02T10:00"),
    "Outlook's display name": inZone(';TZID="(UTC-05:00) Eastern Time (US & Canada)"', "12-02T15:00"),
    "Exchange's display name with a dot": inZone(';TZID="(GMT-05.00) Eastern Time (US & Canada)"', "12-02T15:00"),
    "a display name of cities": inZone(
      ';TZID="(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"',
      "12-02T09:00",
    ),
    "a display name, unquoted, of Lisbon": inZone(";TZID=(UTC) Dublin, Edinburgh, Lisbon, London", "12-02T10:00"),
    "a display name of half an hour": inZone(';TZID="(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi"', "12-02T04:30"),
    "a display name without its offset": inZone(";TZID=Eastern Time (US & Canada)", "12-02T15:00"),
    "a region alone": inZone(";TZID=Eastern", "12-02T15:00"),
    "a Windows name in small letters": inZone(";TZID=w. europe standard time", "12-02T09:00"),
    "a Windows name with underscores": inZone(";TZID=W._Europe_Standard_Time", "12-02T09:00"),
    "a Windows name of summer": inZone(";TZID=Eastern Daylight Time", "12-02T15:00"),
    "a blank for an underscore": inZone(";TZID=America/New York", "12-02T15:00"),
    "single quotes": inZone(";TZID='Europe/Berlin'", "12-02T09:00"),
    "behind a path": inZone(";TZID=/softwarestudio.org/Tzfile/America/Argentina/Buenos_Aires", "12-02T13:00"),
    "an offset of hours and minutes": inZone(";TZID=GMT+0530", "12-02T04:30"),
    "an offset with a colon, quoted": inZone(';TZID="+01:00"', "12-02T09:00"),
    "an offset with a colon, unquoted": inZone(";TZID=GMT+01:00", "12-02T09:00"),
    "an offset of hours": inZone(";TZID=UTC+1", "12-02T09:00"),
    "an offset that no zone has": inZone(";TZID=UTC-03:30", "12-02T13:30"),
    "the offsets of winter and summer": {
      ics: event("DTSTART;TZID=GMT-05.00/-04.00:20260702T100000", "DURATION:PT1H"),
      occurrences: hours("07-02T14:00"),
    },
    "an abbreviation": inZone(";TZID=PST", "12-02T18:00"),
    "Z beside a zone": {
      ics: event("DTSTART;TZID=Europe/Berlin:20261202T100000Z", "DURATION:PT1H"),
      occurrences: hours("12-02T10:00"),
    },
  },
  "a line": {
    "a quote round the value": {
      ics: event(
        'DTSTART;TZID="W. Europe Standard Time:20261202T100000"',
        "DTEND;TZID=W. Europe Standard Time:20261202T110000",
      ),
      occurrences: hours("12-02T09:00"),
    },
    "blanks round its signs": {
      ics: event("DTSTART ;TZID=Europe/Berlin: 20261202T100000", "DURATION : PT1H"),
      occurrences: hours(two),
    },
    "parameters behind the colon": {
      ics: event("DTSTART:TZID=Europe/Berlin:20261202T100000", "DURATION:PT1H"),
      occurrences: hours(two),
    },
    "an empty parameter": { ics: event("DTSTART;:20261202T090000Z", "DURATION;X:PT1H"), occurrences: hours(two) },
    "tabs for blanks in folds": {
      ics: event("DTSTART:2026\r\n\t1202T09\r\n\t0000Z", "DURATION:PT1H"),
      occurrences: hours(two),
    },
  },
  "a date": {
    "ISO 8601 with an offset": {
      ics: event("DTSTART:2026-12-02T10:00:00+01:00", "DTEND:2026-12-02T11:00:00+01:00"),
      occurrences: hours(two),
    },
    "an offset behind it": {
      ics: event("DTSTART:20261202T100000+0100", "DTEND:20261202T110000+01"),
      occurrences: hours(two),
    },
    "hour 24": {
      ics: event("DTSTART;TZID=Europe/Berlin:20261202T100000", "DTEND;TZID=Europe/Berlin:20261202T240000"),
      occurrences: ["2026-12-02T09:00:00Z/2026-12-02T23:00:00Z"],
    },
    "24:00:00 as a start": {
      ics: event("DTSTART:2026-12-01T24:00:00Z", "DURATION:PT1H"),
      occurrences: hours("12-02T00:00"),
    },
    "small letters": { ics: event("dtstart:20261202t090000z", "duration:pt1h"), occurrences: hours(two) },
    "no seconds": { ics: event("DTSTART:20261202T0900Z", "DTEND:2026-12-02T10:00Z"), occurrences: hours(two) },
    "VALUE=DATE with a time": {
      ics: event("DTSTART;VALUE=DATE:20261202T000000", "DTEND;VALUE=DATE:20261203T000000"),
      occurrences: days("12-02"),
    },
    "VALUE=DATE with an hour": {
      ics: event("DTSTART;VALUE=DATE:20261202T090000", "DTEND;VALUE=DATE:20261202T100000"),
      occurrences: hours(two),
    },
    "VALUE=DATE with midnight and an hour": {
      ics: event("DTSTART;VALUE=DATE:20261202T000000", "DTEND;VALUE=DATE:20261202T235900"),
      occurrences: days("12-02"),
    },
    "a T behind a time": { ics: event("DTSTART:20261202T090000T", "DTEND:20261202T100000T"), occurrences: hours(two) },
    "a period of two days": {
      ics: event("DTSTART:20261202T180000Z", "RDATE;VALUE=PERIOD:20261202/20261203"),
      occurrences: ["2026-12-02T18:00:00Z/2026-12-03T18:00:00Z"],
    },
    "VALUE=DATE-TIME with a date": { ics: event("DTSTART;VALUE=DATE-TIME:20261202"), occurrences: days("12-02") },
    "a time that is none": { ics: event("DTSTART:20261202T9961", "DTEND:20261202T9962"), occurrences: days("12-02") },
    "29 February": { ics: event("DTSTART;VALUE=DATE:20260229"), occurrences: days("03-01") },
    "Exchange's mark of an all-day event": {
      ics: event(
        "DTSTART;TZID=Europe/Berlin:20261202T000000",
        "DTEND;TZID=Europe/Berlin:20261203T000000",
        "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
      ),
      occurrences: days("12-02"),
    },
    "Exchange's mark, in UTC": {
      ics: event("DTSTART:20261201T230000Z", "DTEND:20261202T230000Z", "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE"),
      occurrences: days("12-02"),
    },
    "Exchange's mark on an hour": {
      ics: event(...ten, "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE"),
      occurrences: hours(two),
    },
    "an all-day event that ends in the evening": {
      ics: event("DTSTART;VALUE=DATE:20261202", "DTEND:20261203T180000"),
      occurrences: ["2026-12-02/2026-12-04"],
    },
  },
  "a length": {
    "below nothing": { ics: event("DTSTART:20261202T090000Z", "DURATION:-PT1H"), occurrences: hours(two) },
    "without T": { ics: event("DTSTART:20261202T090000Z", "DURATION:P1H"), occurrences: hours(two) },
    "without P": { ics: event("DTSTART:20261202T090000Z", "DURATION:1h"), occurrences: hours(two) },
    "in a fraction": { ics: event("DTSTART:20261202T090000Z", "DURATION:PT0.5H30M"), occurrences: hours(two) },
    "in seconds alone": { ics: event("DTSTART:20261202T090000Z", "DURATION:3600"), occurrences: hours(two) },
    "an end before the start": {
      ics: event("DTSTART:20261202T090000Z", "DTEND:20261202T080000Z"),
      occurrences: hours(two),
    },
    "an end that is none": { ics: event("DTSTART:20261202T090000Z", "DTEND:soon"), occurrences: hours(two) },
    "an end without a zone": {
      ics: event("DTSTART;TZID=Europe/Berlin:20261202T100000", "DTEND:20261202T110000"),
      occurrences: hours(two),
    },
    "a start without a zone": {
      ics: event("DTSTART:20261202T100000", "DTEND;TZID=Europe/Berlin:20261202T110000"),
      occurrences: hours(two),
    },
  },
  "a rule": {
    "UNTIL with an offset": {
      ics: ruled("FREQ=DAILY;UNTIL=20261204T100000+0100"),
      occurrences: hours(two, three, four),
    },
    "UNTIL with hour 24": { ics: ruled("FREQ=DAILY;UNTIL=20261203T240000Z"), occurrences: hours(two, three) },
    "UNTIL a day": { ics: ruled("FREQ=DAILY;UNTIL=20261203"), occurrences: hours(two, three) },
    "UNTIL a time, all-day": {
      ics: event("DTSTART;VALUE=DATE:20261202", "RRULE:FREQ=DAILY;UNTIL=20261203T220000Z"),
      occurrences: days("12-02", "12-03"),
    },
    "UNTIL never": { ics: ruled("FREQ=DAILY;UNTIL=never;COUNT=2"), occurrences: hours(two, three) },
    "INTERVAL=0": { ics: ruled("FREQ=DAILY;INTERVAL=0;COUNT=3"), occurrences: hours(two, three, four) },
    "INTERVAL below nothing": { ics: ruled("FREQ=DAILY;INTERVAL=-2;COUNT=2"), occurrences: hours(two, three) },
    "COUNT below nothing": {
      ics: ruled("FREQ=DAILY;COUNT=-1;UNTIL=20261204T230000Z"),
      occurrences: hours(two, three, four),
    },
    "COUNT=0": { ics: ruled("FREQ=DAILY;COUNT=0;UNTIL=20261203T230000Z"), occurrences: hours(two, three) },
    "a part twice": { ics: ruled("FREQ=DAILY;COUNT=9;INTERVAL=1;INTERVAL=1;COUNT=2"), occurrences: hours(two, three) },
    "unknown parts": { ics: ruled("FREQ=DAILY;X-WHY=1;COUNT=2;SOMETHING"), occurrences: hours(two, three) },
    "small letters, blanks, semicolons": { ics: ruled(" ;freq = daily ; count = 2 ;"), occurrences: hours(two, three) },
    "days that do not exist among others": {
      ics: ruled("FREQ=WEEKLY;BYDAY=WE,XX,TH;COUNT=2"),
      occurrences: hours(two, three),
    },
    "days that do not exist": { ics: ruled("FREQ=DAILY;BYDAY=XX;COUNT=2"), occurrences: hours(two, three) },
    "days by their names": { ics: ruled("FREQ=WEEKLY;BYDAY=Wed,Thursday;COUNT=2"), occurrences: hours(two, three) },
    "hours that do not exist": { ics: ruled("FREQ=DAILY;BYHOUR=25;COUNT=2"), occurrences: hours(two, three) },
    "months that do not exist": { ics: ruled("FREQ=DAILY;BYMONTH=13;COUNT=2"), occurrences: hours(two, three) },
    quotes: { ics: ruled('"FREQ=DAILY;COUNT=2"'), occurrences: hours(two, three) },
    "no frequency that exists": { ics: ruled("FREQ=SOMETIMES;COUNT=2"), occurrences: hours(two) },
  },
  "a date of a series": {
    "an EXDATE without a zone": { ics: daily("EXDATE:20261203T100000"), occurrences: hours(two, four, five) },
    "an RDATE without a zone": { ics: event(...ten, "RDATE:20261203T100000"), occurrences: hours(two, three) },
    "a RECURRENCE-ID without a zone": {
      ics: calendar(
        vevent(...ten, "RRULE:FREQ=DAILY;COUNT=3"),
        vevent("RECURRENCE-ID:20261203T100000", "DTSTART;TZID=Europe/Berlin:20261203T120000", "DURATION:PT1H"),
      ),
      occurrences: hours(two, "12-03T11:00", four),
    },
    "an override without a zone at all": {
      ics: calendar(
        vevent(...ten, "RRULE:FREQ=DAILY;COUNT=3"),
        vevent("RECURRENCE-ID:20261203T100000", "DTSTART:20261203T120000", "DTEND:20261203T130000"),
      ),
      occurrences: hours(two, "12-03T11:00", four),
    },
    "an EXDATE at midnight": {
      ics: daily("EXDATE;TZID=Europe/Berlin:20261203T000000"),
      occurrences: hours(two, four, five),
    },
    "an EXDATE at midnight in a series by the hour": {
      ics: event(...ten, "RRULE:FREQ=HOURLY;INTERVAL=24;COUNT=2", "EXDATE;TZID=Europe/Berlin:20261203T000000"),
      occurrences: hours(two, three),
    },
    "a RECURRENCE-ID at midnight": {
      ics: calendar(
        vevent(...ten, "RRULE:FREQ=DAILY;COUNT=2"),
        vevent("RECURRENCE-ID;TZID=Europe/Berlin:20261203T000000", "DTSTART:20261203T110000Z", "DURATION:PT1H"),
      ),
      occurrences: hours(two, "12-03T11:00"),
    },
    "EXDATEs between semicolons": {
      ics: daily("EXDATE;TZID=Europe/Berlin:20261203T100000;20261204T100000"),
      occurrences: hours(two, five),
    },
    "an EXDATE in ISO 8601": { ics: daily("EXDATE:2026-12-03T10:00:00+01:00"), occurrences: hours(two, four, five) },
    "an EXDATE in UTC in an all-day series": {
      ics: calendar(
        "X-WR-TIMEZONE:Europe/Berlin",
        vevent("DTSTART;VALUE=DATE:20261202", "RRULE:FREQ=DAILY;COUNT=4", "EXDATE:20261202T230000Z"),
      ),
      occurrences: days("12-02", "12-04", "12-05"),
    },
    "an EXDATE at midnight in UTC in an all-day series": {
      ics: calendar(
        "X-WR-TIMEZONE:America/New_York",
        vevent("DTSTART;VALUE=DATE:20261202", "RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20261203T000000Z"),
      ),
      occurrences: days("12-02"),
    },
    "a PERIOD with an odd length": {
      ics: event(...ten, "RDATE;VALUE=PERIOD:20261203T090000Z/P1H"),
      occurrences: hours(two, three),
    },
    "the rule of a series that is not here": {
      ics: event("RECURRENCE-ID:20261201T090000Z", ...ten, "RRULE:FREQ=DAILY"),
      occurrences: hours(two),
    },
    "an EXDATE of a start that the rule does not meet": {
      ics: event(...ten, "RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=1", "EXDATE;TZID=Europe/Berlin:20261202T100000"),
      occurrences: hours(four),
    },
    "the same in whole days": {
      ics: event("DTSTART;VALUE=DATE:20261202", "RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=1", "EXDATE;VALUE=DATE:20261202"),
      occurrences: days("12-04"),
    },
    "an EXRULE with an odd part": {
      ics: event(...ten, "RRULE:FREQ=DAILY;COUNT=2", "EXRULE:FREQ=DAILY;INTERVAL=0"),
      occurrences: hours(two, three),
    },
  },
};
