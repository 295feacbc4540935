import type { Leniency } from "@/server/providers/caldav/icalendar/lenient/leniency";

/** More colons than a line has whose parameters are read. */
const MOST_COLONS = 30;
/** So far into a line odd parameters are looked for, and so much of a value is looked at. */
const LONGEST_START = 4_096;
const LOOKED_AT = 200;

const date = /^[\s"'<(]*(?:(?:VALUE=)?DATE(?:-TIME)?:)?\d{4}[-/.]?\d{1,2}/i;
const person = /^[\s"'<]*(?:mailto:|urn:|https?:|\/|[^\s:;="]+@)/i;
/**
 * Returns the pattern that the values of a property begin with. Returns null for all other properties, whose values may
 * be anything.
 */
function formOf(name: string): RegExp | null {
  switch (name) {
    case "DTSTART":
    case "DTEND":
    case "RECURRENCE-ID":
    case "EXDATE":
    case "RDATE":
      return date;
    case "ATTENDEE":
    case "ORGANIZER":
      return person;
    default:
      return null;
  }
}

/** How lines are read whose parameters are not quoted as RFC 5545 §3.2 says. */
export const lineSpellings: readonly Leniency[] = [
  {
    name: "blanks around the name",
    why: "Nothing else can be meant.",
    example: ["DTSTART ; TZID=Europe/Berlin:20261202T100000", "DTSTART;TZID=Europe/Berlin:20261202T100000"],
    respell: (text) => text.replace(/^([\w-]+)\s*([;:])\s*/, "$1$2"),
  },
  {
    name: "quotes within quotes",
    why: "Something quoted a name that had its quotes already.",
    example: ['DTSTART;TZID=""Europe/Berlin"":20261202T100000', 'DTSTART;TZID="Europe/Berlin":20261202T100000'],
    respell: (text) => text.replace(/="{2,}([^":;,]+)"{2,}(?=[:;])/g, '="$1"'),
  },
  {
    name: "a parameter behind the colon",
    why: "A colon was written for a semicolon.",
    example: ["DTSTART:TZID=Europe/Berlin:20261202T100000", "DTSTART;TZID=Europe/Berlin:20261202T100000"],
    respell: (text) => text.replace(/^([\w-]+):(?=(?:TZID|VALUE|CN)=[^:]*:)/i, "$1;"),
  },
  {
    name: "an address in a parameter without quotes",
    why: "Exchange writes TZID=tzone://Microsoft/Utc, and many write SENT-BY=mailto:name@host.",
    example: [
      "ORGANIZER;SENT-BY=mailto:ben@example.com:mailto:ada@example.com",
      'ORGANIZER;SENT-BY="mailto:ben@example.com":mailto:ada@example.com',
    ],
    respell: (text) =>
      text.replace(/=((?:mailto|cid):[^\s:;,"]+|[a-z][a-z0-9+.-]*:\/\/[^\s:;,"]+)(?=[:;,])/gi, '="$1"'),
  },
  {
    name: "a semicolon in a parameter without quotes",
    why: "Names of people have them. What has no equals sign belongs to the value before it.",
    example: [
      "ATTENDEE;CN=Doe; Jane;RSVP=TRUE:mailto:jane@example.com",
      'ATTENDEE;CN="Doe; Jane";RSVP=TRUE:mailto:jane@example.com',
    ],
    respell: (text) => {
      const end = endOfHead(text);
      return quoted(text.slice(0, end)) + text.slice(end);
    },
  },
  {
    name: "a colon in a parameter without quotes",
    why: "Names of zones and people have them. The value begins where its form does.",
    example: [
      "DTSTART;TZID=(UTC+01:00) Amsterdam, Berlin:20261202T100000",
      'DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin":20261202T100000',
    ],
    respell: (text) => divided(text, (isQuoted) => !isQuoted),
  },
  {
    name: "a quote that ends too late or never",
    why: "The value begins where its form does, even within quotes.",
    example: ['DTSTART;TZID="Europe/Berlin:20261202T100000"', 'DTSTART;TZID="Europe/Berlin":20261202T100000"'],
    respell: (text) => divided(text, () => true),
  },
];

/** Tells whether a value may be one of its property. */
export function hasForm(name: string, value: string): boolean {
  return formOf(name)?.test(value.length > LOOKED_AT ? value.slice(0, LOOKED_AT) : value) ?? true;
}

/**
 * Corrects the parameters of a line, one spelling after the other, until the line is good. Returns the line unchanged
 * if no spelling makes it good.
 */
export function standardLine(text: string, isGood: (text: string) => boolean): string {
  let start = text.slice(0, LONGEST_START);
  const rest = text.slice(LONGEST_START);
  for (const { respell } of lineSpellings) {
    const next = respell(start);
    if (next === start) continue;
    start = next;
    if (isGood(start + rest)) return start + rest;
  }
  return text;
}

/**
 * Divides a line at the first colon after which the value has the form of its property. A property without a form is
 * divided at the first colon of all.
 */
function divided(text: string, mayBeAt: (isQuoted: boolean) => boolean): string {
  const name = /^[\w-]+/.exec(text)?.[0].toUpperCase() ?? "";
  let [isQuoted, colons] = [false, 0];
  for (let at = name.length; at < text.length && colons < MOST_COLONS; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') isQuoted = !isQuoted;
    if (sign !== ":") continue;
    colons += 1;
    if (mayBeAt(isQuoted) && hasForm(name, text.slice(at + 1))) return quoted(text.slice(0, at)) + text.slice(at);
  }
  return text;
}

/** Finds the first colon outside of quotes. */
function endOfHead(text: string): number {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '"') isQuoted = !isQuoted;
    if (sign === ":" && !isQuoted) return at;
  }
  return 0;
}

/** Quotes the value of each parameter, unless its quotes are complete. */
function quoted(head: string): string {
  return head
    .split(/;(?=[\w-]+=)/)
    .map((part) => {
      const equals = part.indexOf("=");
      const isClosed = part.split('"').length % 2 === 1;
      if (equals < 0 || (isClosed && !/[:;,]/.test(part.replace(/"[^"]*"/g, "")))) return part;
      return `${part.slice(0, equals + 1)}"${part.slice(equals + 1).replaceAll('"', "")}"`;
    })
    .join(";");
}
