const LINE = "\r\n";
const MINUTE_MS = 60_000;

function event(lines: readonly string[], more: readonly string[] = []): string {
  const head = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:1"];
  const times = lines.some((line) => line.startsWith("DTSTART"))
    ? []
    : ["DTSTART:20261101T100000Z", "DTEND:20261101T110000Z"];
  return [...head, ...times, ...lines, "END:VEVENT", ...more, "END:VCALENDAR", ""].join(LINE);
}

function many(count: number, text: (i: number) => string): string[] {
  return Array.from({ length: Math.floor(count) }, (_, i) => text(i));
}

function utc(i: number): string {
  return new Date(Date.UTC(2026, 10, 1) + i * 10 * MINUTE_MS).toISOString().replace(/[-:]|\.\d+/g, "");
}

function year(i: number): string {
  return String(1 + (i % 9_990)).padStart(4, "0");
}

function override(i: number, of: (i: number) => string): string {
  return ["BEGIN:VEVENT", "UID:1", `RECURRENCE-ID${of(i)}`, `DTSTART${of(i)}`, "SUMMARY:x", "END:VEVENT"].join(LINE);
}

function observance(i: number): string {
  const lines = [
    `DTSTART:1970010${1 + (i % 9)}T0000${String(i % 60).padStart(2, "0")}`,
    `TZOFFSETFROM:+0${i % 9}17`,
    `TZOFFSETTO:+0${(i * 7) % 9}00`,
    "RRULE:FREQ=SECONDLY",
  ];
  return ["BEGIN:STANDARD", ...lines, "END:STANDARD"].join(LINE);
}

const positions = many(366, (i) => `${i + 1},-${i + 1}`).join(",");

/** Calendar objects that are as bad as can be in one way, of about so many bytes. */
export const worstCalendars: Readonly<Record<string, (bytes: number) => string>> = {
  "components that are never closed": (n) => event([...many(n / 18, () => "BEGIN:A"), ...many(n / 18, () => "END:B")]),
  "components that are closed at once": (n) => event(many(n / 16, () => `BEGIN:A${LINE}END:A`)),
  "an address with brackets behind it": (n) => event([`DESCRIPTION:https://x.y/${")".repeat(n)}x`]),
  "addresses without an end": (n) => event([`DESCRIPTION:${"http://".repeat(n / 7)}`]),
  "links of meetings": (n) => event([`DESCRIPTION:${"https://zoom.us/x ".repeat(n / 18)}`]),
  "properties that are links": (n) => event(many(n / 32, () => "CONFERENCE:https://zoom.us/j/1")),
  "a rule by the second": () => event(["RRULE:FREQ=SECONDLY"]),
  "a rule by the second that hits nothing": () =>
    event(["DTSTART:19700101T000000Z", "RRULE:FREQ=SECONDLY;COUNT=2147483647;BYMONTHDAY=31;BYMONTH=2"]),
  "a rule by the hour with spans of six years": () =>
    event(["DTSTART;TZID=Europe/Berlin:20261101T100000", "DTEND:20321101T110000Z", "RRULE:FREQ=HOURLY"]),
  "a rule with every position": () =>
    event(["DTSTART:19500101T100000Z", `RRULE:FREQ=DAILY;COUNT=2147483647;BYSETPOS=${positions}`]),
  "rules, and rules that take away": (n) =>
    event(many(n / 80, () => `RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5${LINE}EXRULE:FREQ=MINUTELY;BYDAY=MO`)),
  dates: (n) => event([`RDATE:${many(n / 34, utc).join(",")}`, `EXDATE:${many(n / 34, utc).join(",")}`]),
  "dates of as many years in another zone": (n) =>
    event([`RDATE;TZID=Europe/Berlin:${many(n / 16, (i) => `${year(i)}0101T100000`).join(",")}`]),
  "commas for dates": (n) => event([`RDATE:${",".repeat(n)}`]),
  overrides: (n) =>
    event(
      ["RRULE:FREQ=DAILY"],
      many(n / 96, (i) => override(i, () => `:${utc(i * 144)}`)),
    ),
  "overrides of as many years in another zone": (n) =>
    event(
      ["RRULE:FREQ=DAILY"],
      many(n / 130, (i) => override(i, () => `;TZID=Asia/Tokyo:${year(i)}0601T100000`)),
    ),
  "overrides of one occurrence, and no master": (n) =>
    event(
      ["RECURRENCE-ID:20261201T100000Z"],
      many(n / 96, (i) => override(i, () => ":20261201T100000Z")),
    ),
  masters: (n) =>
    event(
      [],
      many(n / 60, (i) => `BEGIN:VEVENT${LINE}UID:1${LINE}SEQUENCE:${i}${LINE}END:VEVENT`),
    ),
  "parameters of one line": (n) => event([`DESCRIPTION${many(n / 8, (i) => `;X=${i}`).join("")}:x`]),
  "quoted parameters": (n) => event([`DESCRIPTION${';A="b"'.repeat(n / 6)}:x`]),
  "quoted lists": (n) => event([`DESCRIPTION${';A="b",'.repeat(n / 7)}:x`]),
  quotes: (n) => event([`DESCRIPTION;A=${'""'.repeat(n / 2)}:x`]),
  "a quote that never ends": (n) => event([`X;A="${":".repeat(n)}x`]),
  guests: (n) => event(many(n / 30, (i) => `ATTENDEE;CN=A:mailto:a${i}@b.cc`)),
  "a guest of many percent signs": (n) => event([`ATTENDEE:mailto:${"%41".repeat(n / 3)}@b.cc`]),
  "a guest of many at signs": (n) => event([`ATTENDEE:mailto:${"@".repeat(n)}`]),
  categories: (n) => event([`CATEGORIES:${many(n / 7, (i) => `a${i}`).join(",")}`]),
  "one category": (n) => event([`CATEGORIES:${"a".repeat(n)}`]),
  escapes: (n) => event([`DESCRIPTION:${"\\n".repeat(n / 2)}`]),
  backslashes: (n) => event([`DESCRIPTION:${"\\".repeat(n)}`]),
  spaces: (n) => event([`DESCRIPTION:x${" ".repeat(n / 2)}x`, `END:VEVENT${" ".repeat(n / 2)}x`]),
  "halves of surrogate pairs": (n) => event([`DESCRIPTION:${"\ud800".repeat(n / 3)}`]),
  folds: (n) => event([`DESCRIPTION:${`a${LINE} `.repeat(n / 4)}`]),
  "ends of lines": (n) => event(["\r".repeat(n)]),
  lines: (n) => event(many(n / 10, (i) => `X:${i}`)),
  "names of zones": (n) => event(many(n / 36, (i) => `DTEND;TZID=x${i}:20261101T100000`)),
  "a zone of its own that changes by the second": (n) =>
    event(
      ["DTSTART;TZID=X:20261101T100000", `RDATE;TZID=X:${many(n / 32, (i) => `${year(i)}0101T100000`).join(",")}`],
      ["BEGIN:VTIMEZONE", "TZID:X", ...many(n / 240, observance), "END:VTIMEZONE"],
    ),
  "zones that are meant by odd names": (n) =>
    event(
      ["DTSTART;TZID=(UTC+01:00) Nowhere:20261101T100000"],
      [
        `BEGIN:VEVENT${LINE}UID:1`,
        ...many(
          n / 90,
          (i) => `RDATE;TZID="(UTC+0${i % 9}:00) Place ${i}, Town ${i}, City ${i}":2026/1/2 9:${10 + (i % 50)}`,
        ),
        "END:VEVENT",
      ],
    ),
  "dates in odd spellings": (n) =>
    event([`EXDATE:${many(n / 30, (i) => `2026-1-${1 + (i % 28)}T9:00 GMT+01:0${i % 9}`).join(";")}`]),
  "rules with odd parts": (n) => event(many(n / 4_000, () => `RRULE:FREQ=DAILY;BYHOUR=${"25,".repeat(1_300)}1;X=1`)),
  "rules of nothing but odd parts": (n) => event(many(n / 4_000, () => `RRULE:FREQ=DAILY;${"COUNT=-1;".repeat(430)}`)),
  "guests with colons in their names": (n) =>
    event(many(n / 90, (i) => `ATTENDEE;CN=${"a:".repeat(35)}${i}:mailto:a${i}@b.cc`)),
  "a guest of nothing but colons": (n) => event([`ATTENDEE;CN=${":".repeat(n)}x`]),
  "a guest of nothing but semicolons": (n) => event([`ATTENDEE${";a".repeat(n / 2)}:x`]),
  "guests of one line": (n) => event([`ATTENDEE:${many(n / 16, (i) => `mailto:a${i}@b.cc`).join(",")}`]),
  "lengths in odd spellings": (n) => event(many(n / 60, (i) => `DURATION:P${"1H".repeat(20)}${i}x`)),
  "events of their own": (n) =>
    event(
      [],
      many(n / 70, (i) => `BEGIN:VEVENT${LINE}UID:u${i}${LINE}DTSTART:20261101T100000Z${LINE}END:VEVENT`),
    ),
  "events that are never closed": (n) =>
    event(
      [],
      many(n / 50, (i) => `BEGIN:VEVENT${LINE}UID:u${i}${LINE}DTSTART:20261101T100000Z`),
    ),
  calendars: (n) => `BEGIN:VCALENDAR${LINE}BEGIN:VEVENT${LINE}`.repeat(n / 32),
  "zones of its own": (n) =>
    event(
      ["DTSTART;TZID=X1:20261101T100000", ...many(n / 300, (i) => `RDATE;TZID=X${i}:20261101T100000`)],
      many(n / 300, (i) => ["BEGIN:VTIMEZONE", `TZID:X${i}`, observance(i), "END:VTIMEZONE"].join(LINE)),
    ),
  "a zone with dates": (n) =>
    event(
      ["DTSTART;TZID=X:20261101T100000", "RRULE:FREQ=DAILY"],
      [
        ...["BEGIN:VTIMEZONE", "TZID:X", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0117"],
        ...["TZOFFSETTO:+0200", `RDATE:${many(n / 17, utc).join(",")}`, "END:STANDARD", "END:VTIMEZONE"],
      ],
    ),
};
