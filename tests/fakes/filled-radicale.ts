import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Login } from "./dav-server";
import { type Radicale, startRadicale } from "./radicale";

const DAY_MS = 86_400_000;
const MEMORY = "/dev/shm";

export interface FilledRadicale extends Radicale {
  /** So many events in a person's calendar. */
  fill(login: Login, calendar: string, events: number): void;
}

/** Radicale with its data in memory where there is such a folder: it waits for the disk once for each event otherwise. */
export async function startFilledRadicale(others: readonly Login[] = []): Promise<FilledRadicale> {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(readable(MEMORY) ? MEMORY : tmpdir(), "almanac-bench-"));
  process.env.TMPDIR = folder;
  const radicale = await startRadicale(undefined, others);
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  const data = join(folder, readdirSync(folder)[0] ?? "", "data", "collection-root");
  const { close } = radicale;
  return Object.assign(radicale, {
    close: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
    fill: ({ user }: Login, calendar: string, events: number) => {
      const at = join(data, user, new URL(calendar).pathname.split("/").at(-2) ?? "");
      mkdirSync(at, { recursive: true });
      for (let i = 0; i < events; i++) writeFileSync(join(at, `${nameOf(i)}.ics`), resource(i, `Planning round ${i}`));
    },
  });
}

function readable(folder: string): boolean {
  try {
    return readdirSync(folder).length >= 0;
  } catch {
    return false;
  }
}

export function nameOf(i: number): string {
  return `event-${i}`;
}

/** The i-th event: a meeting of two, in the 240 days that are read or as a weekly series; the zone's rules with it, as clients send it. */
export function resource(i: number, summary: string): string {
  const day = new Date(Date.now() + ((i % 240) - 40) * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "");
  const hour = String(8 + (i % 10)).padStart(2, "0");
  return [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//Client//EN", ...berlin, "BEGIN:VEVENT"],
    ...[`UID:${nameOf(i)}`, "DTSTAMP:20260101T000000Z", `SUMMARY:${summary}`, `LOCATION:Room ${i % 40}`],
    ...[`DTSTART;TZID=Europe/Berlin:${day}T${hour}0000`, `DTEND;TZID=Europe/Berlin:${day}T${hour}4500`],
    ...(i % 20 === 0 ? ["RRULE:FREQ=WEEKLY;COUNT=10"] : []),
    `DESCRIPTION:${"What was said last time\\, and what comes of it. ".repeat(3)}`,
    "ORGANIZER;CN=Ann:mailto:ann@example.org",
    "ATTENDEE;CN=Ann;PARTSTAT=ACCEPTED:mailto:ann@example.org",
    "ATTENDEE;CN=Bo;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:bo@example.org",
    ...["END:VEVENT", "END:VCALENDAR", ""],
  ].join("\r\n");
}

const berlin = [
  ...["BEGIN:VTIMEZONE", "TZID:Europe/Berlin"],
  ...["BEGIN:STANDARD", "DTSTART:19961027T030000", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10"],
  ...["TZNAME:CET", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "END:STANDARD"],
  ...["BEGIN:DAYLIGHT", "DTSTART:19810329T020000", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3"],
  ...["TZNAME:CEST", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "END:DAYLIGHT", "END:VTIMEZONE"],
];
