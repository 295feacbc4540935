import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import ICAL from "ical.js";

const MOST = 200;
const DEADLINE_MS = 10_000;

/** Reads calendar files with ical.js. Each line of input is `<from> <to> <path>` (years), each line of output one JSON object. */
for await (const line of createInterface({ input: process.stdin })) {
  const [from, to, ...path] = line.split(" ");
  process.stdout.write(`${JSON.stringify(readFile(path.join(" "), Number(from), Number(to)))}\n`);
}

function readFile(path, from, to) {
  try {
    const parsed = ICAL.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
    const roots = Array.isArray(parsed[0]) ? parsed : [parsed];
    return { events: roots.flatMap((root) => eventsOf(new ICAL.Component(root), from, to)) };
  } catch (error) {
    return { error: String(error).slice(0, 200) };
  }
}

function eventsOf(calendar, from, to) {
  ICAL.TimezoneService.reset();
  for (const one of calendar.getAllSubcomponents("vtimezone")) {
    const zone = new ICAL.Timezone(one);
    ICAL.TimezoneService.register(zone.tzid, zone);
  }
  return [...grouped(calendar.getAllSubcomponents("vevent"))].flatMap(([key, components]) => {
    const uid = typeof key === "string" ? key : "";
    try {
      const spans = spansOf(components, from, to);
      return spans ? [{ uid, spans }] : [];
    } catch (error) {
      return [{ uid, error: String(error).slice(0, 200) }];
    }
  });
}

/** By UID. Each component without one is an event of its own. */
function grouped(components) {
  const byUid = new Map();
  for (const one of components) {
    const key = uidOf(one) || one;
    byUid.set(key, [...(byUid.get(key) ?? []), one]);
  }
  return byUid;
}

function uidOf(component) {
  return String(component.getFirstPropertyValue("uid") ?? "");
}

function spansOf(components, from, to) {
  const overrides = components.filter((one) => one.hasProperty("recurrence-id"));
  const masters = components.filter((one) => !one.hasProperty("recurrence-id"));
  const sequenceOf = (one) => one.getFirstPropertyValue("sequence") ?? 0;
  masters.sort((a, b) => sequenceOf(a) - sequenceOf(b));
  const main = masters.at(-1);
  if (main?.getFirstPropertyValue("status") === "CANCELLED") return null;
  const spans = [];
  const [begin, end] = [Date.UTC(from, 0, 1), Date.UTC(to, 0, 1)];
  const add = (start, ends) => {
    if (instantOf(start) < end && instantOf(ends) >= begin) spans.push([shown(start), shown(ends)]);
  };
  if (!main) {
    for (const one of overrides) {
      const event = new ICAL.Event(one, { strictExceptions: true });
      if (one.getFirstPropertyValue("status") !== "CANCELLED") add(event.startDate, event.endDate);
    }
    return spans.sort();
  }
  const event = new ICAL.Event(main, { strictExceptions: true });
  for (const one of overrides) event.relateException(one);
  if (!event.isRecurring()) {
    add(event.startDate, event.endDate);
    return spans;
  }
  const iterator = event.iterator();
  const until = performance.now() + DEADLINE_MS;
  for (let next = iterator.next(); next && spans.length < MOST; next = iterator.next()) {
    if (performance.now() > until) throw new Error("too long");
    if (instantOf(next) >= end) break;
    const { startDate, endDate, item } = event.getOccurrenceDetails(next);
    if (item.component.getFirstPropertyValue("status") !== "CANCELLED") add(startDate, endDate);
  }
  return spans.sort();
}

function instantOf(time) {
  return time.isDate ? Date.UTC(time.year, time.month - 1, time.day) : time.toUnixTime() * 1000;
}

function shown(time) {
  const text = new Date(instantOf(time)).toISOString();
  return time.isDate ? text.slice(0, 10) : `${text.slice(0, 19)}Z`;
}
