/** How the text of a resource is read where its lines and components are not as RFC 5545 §3.1, §3.4 and RFC 4791 §4.1 say. */
export interface Framing {
  name: string;
  why: string;
  /** A text, and the summaries of the events that are read. */
  example: { text: string; summaries: readonly string[] };
}

const event = (uid: string) =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:${uid}\r\nDTSTART:20261202T100000Z\r\nEND:VEVENT\r\n`;
const calendar = (inner: string) => `BEGIN:VCALENDAR\r\n${inner}END:VCALENDAR\r\n`;

export const framings: readonly Framing[] = [
  {
    name: "several events",
    why: "RFC 4791 allows one UID in a resource, and servers keep what they are given.",
    example: { text: calendar(event("A") + event("B")), summaries: ["A", "B"] },
  },
  {
    name: "several calendars, or an empty one before",
    why: "RFC 5545 §3.4 allows a stream of them.",
    example: { text: calendar("") + calendar(event("A")) + calendar(event("B")), summaries: ["A", "B"] },
  },
  {
    name: "an event outside of a calendar",
    why: "libical reads it.",
    example: { text: event("A"), summaries: ["A"] },
  },
  {
    name: "text before and after the calendar",
    why: "A byte order mark, a mail's footer. It is no line of the calendar.",
    example: { text: `\uFEFFhello\r\n${calendar(event("A"))}--\r\nbye`, summaries: ["A"] },
  },
  {
    name: "an end that is missing",
    why: "Events are never in one another: a component ends where one begins that cannot be in it, or with the text.",
    example: {
      text: `BEGIN:VCALENDAR\r\n${event("A").replace("END:VEVENT\r\n", "")}${event("B")}`,
      summaries: ["A", "B"],
    },
  },
  {
    name: "other ends of lines, blank lines",
    why: "Every program of a platform writes its own.",
    example: { text: calendar(event("A")).replaceAll("\r\n", "\r\r"), summaries: ["A"] },
  },
  {
    name: "lines that are none",
    why: "A text whose line ends were not escaped. Its other lines are lost.",
    example: { text: calendar(event("A").replace("UID", "DESCRIPTION:one\r\ntwo, three\r\nUID")), summaries: ["A"] },
  },
  {
    name: "a photo or a page of HTML in it",
    why: "Nobody reads it here: it is left out before the size is measured.",
    example: {
      text: calendar(event("A").replace("UID", `ATTACH;VALUE=BINARY:${"QUJD".repeat(300_000)}\r\nUID`)),
      summaries: ["A"],
    },
  },
];

/** What the reader looks at. All other properties may be long without being read. */
const read = [
  "BEGIN|END|UID|SEQUENCE|SUMMARY|DESCRIPTION|LOCATION|URL|TRANSP|CLASS|STATUS|CATEGORIES|ORGANIZER|ATTENDEE",
  "DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|RECURRENCE-ID|TZID|TZOFFSETTO|TZOFFSETFROM|CONFERENCE",
  "X-WR-TIMEZONE|X-LIC-LOCATION|X-GOOGLE-CONFERENCE",
].join("|");
/** So much of a line that is not read is kept, so that what follows it in the next piece of a text still belongs to it. */
const KEPT = 100;
const unread = new RegExp(
  `^(?!(?:${read})\\s*[;:])([A-Z][A-Z0-9-]{0,63}[;:][^\\r\\n]{0,${KEPT}})[^\\r\\n]*(?:(?:\\r\\n|\\r|\\n)[ \\t][^\\r\\n]*)*`,
  "gim",
);

/** Gives a text, or the beginning of one, with the lines cut short that are not read. */
export function withoutUnread(text: string): string {
  return text.replace(unread, "$1");
}
