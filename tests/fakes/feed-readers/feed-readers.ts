import { spawnSync } from "node:child_process";
import { join } from "node:path";
import ICAL from "ical.js";

/** An event of a feed, as a calendar program sees it: dates, or instants in UTC. */
export interface SeenEvent {
  uid: string;
  start: string;
  end: string;
  summary: string;
}

/** Reads a feed with ical.js, which knows a time zone only from the VTIMEZONE beside the events. */
export function readByIcalJs(ics: string): SeenEvent[] {
  ICAL.TimezoneService.reset();
  const calendar = new ICAL.Component(ICAL.parse(ics));
  return calendar.getAllSubcomponents("vevent").map((component) => {
    const { uid, summary, startDate, endDate } = new ICAL.Event(component);
    return { uid, start: shown(startDate), end: shown(endDate), summary: summary ?? "" };
  });
}

function shown(time: ICAL.Time): string {
  return time.isDate ? time.toString() : new Date(time.toUnixTime() * 1000).toISOString().replace(".000Z", "Z");
}

/** Reads a feed with icalendar, which Xandikos is made of. */
export function readByIcalendar(ics: string): SeenEvent[] {
  return readByProgram("/usr/bin/python3", "read.py", ics);
}

/** Reads a feed with sabre/vobject, which Nextcloud is made of. */
export function readByVobject(ics: string): SeenEvent[] {
  return readByProgram("php", "read.php", ics);
}

function readByProgram(command: string, script: string, ics: string): SeenEvent[] {
  const options = { input: ics, encoding: "utf8", maxBuffer: 64 * 1024 ** 2 } as const;
  const { status, stdout, stderr, error } = spawnSync(command, [join(import.meta.dirname, script)], options);
  if (status !== 0) throw new Error(`${command} did not read the feed: ${error ?? stderr}`);
  return JSON.parse(stdout) as SeenEvent[];
}
