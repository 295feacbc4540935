import { type Duration, readDuration } from "@/server/domain/recurrence/rfc5545/duration";
import { type Leniency, readLeniently } from "@/server/providers/caldav/icalendar/lenient/leniency";

const MAX_LENGTH = 64;
const SECONDS = { W: 604_800, D: 86_400, H: 3_600, M: 60, S: 1 };
const DAY = SECONDS.D;

/** What is read beside RFC 5545 §3.3.6. */
export const durations: readonly Leniency[] = [
  {
    name: "quotes or blanks in it",
    why: "Nothing else can be meant.",
    example: ["PT1H 30M", "PT1H30M"],
    respell: (text) => text.replace(/[\s"']+/g, ""),
  },
  {
    name: "a negative length",
    why: "An event does not end before it starts. The length is understood: the sign is the odd part.",
    example: ["-PT1H", "PT1H"],
    respell: (text) => text.replace(/^-/, ""),
  },
  {
    name: "a P or T with nothing behind it",
    why: "Written for a part that is zero.",
    example: ["P1DT", "P1D"],
    respell: (text) => text.replace(/^(?:PT?|T)$/i, "PT0S").replace(/T$/i, ""),
  },
  {
    name: "hours and minutes as on a clock",
    why: "How calendars display a length.",
    example: ["01:30:00", "PT1H30M0S"],
    respell: (text) => text.replace(/^P?T?(\d{1,3}):(\d\d)(?::(\d\d))?$/i, (_, h, m, s = "0") => `PT${h}H${m}M${s}S`),
  },
  {
    name: "no unit",
    why: "The unit is the one that follows the last, and seconds if there is none.",
    example: ["PT1H30", "PT1H30M"],
    respell: (text) =>
      text.replace(/(?:([WDHM])T?|^P?T?)(\d+)$/i, (found, unit = "") => `${found}${nextUnit[unit.toUpperCase()]}`),
  },
  {
    name: "units in another order, without P or T, or with fractions",
    why: "Each number still has its unit.",
    example: ["P1.5H1D", "P1DT5400S"],
    respell: ordered,
  },
];

const nextUnit: Readonly<Record<string, string>> = { W: "D", D: "H", H: "M", M: "S", "": "S" };

/** Reads a length in any spelling of the table. Null for any other text. */
export function readLength(text: string): Duration | null {
  return text.length > MAX_LENGTH ? null : readLeniently(text, durations, readDuration);
}

function ordered(text: string): string {
  const value = text.toUpperCase();
  if (!/^P?T?(?:T?\d+(?:[.,]\d+)?[WDHMS]T?)+$/.test(value)) return text;
  let [days, seconds] = [0, 0];
  for (const [, number = "", unit] of value.matchAll(/(\d+(?:[.,]\d+)?)([WDHMS])/g)) {
    const length = Number(number.replace(",", ".")) * SECONDS[unit as keyof typeof SECONDS];
    const isWhole = (unit === "W" || unit === "D") && length % DAY === 0;
    if (isWhole) days += length / DAY;
    else seconds += length;
  }
  return `P${days}DT${Math.round(seconds)}S`;
}
