import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { EventState } from "@/server/domain/events/event-state";
import type { Pieces } from "@/server/domain/pieces";
import type { Instant } from "@/server/domain/time/instant";
import { resourceRead } from "@/server/providers/caldav/icalendar/read/read-resource";
import { icalRows } from "@/server/store/events/ical-occurrences";
import { threadTime } from "@/tests/fakes/thread-time";

const MOST = 200;

interface Span {
  starts: number;
  ends: number;
  allDay: boolean;
}

/** The longest piece of work so far, in milliseconds of this thread. */
let longest = 0;

/** Reads calendar files as a sync does. Each line of input is `<from> <to> <path>` (years), each line of output one JSON object. */
for await (const line of createInterface({ input: process.stdin })) {
  const [from = "", to = "", ...path] = line.split(" ");
  longest = 0;
  const began = threadTime();
  const events = readFile(path.join(" "), { from: Date.UTC(Number(from), 0, 1), to: Date.UTC(Number(to), 0, 1) });
  const ms = threadTime() - began;
  const memory = Math.round(process.memoryUsage.rss() / 1024 / 1024);
  process.stdout.write(`${JSON.stringify({ ...events, ms, longest, memory })}\n`);
}

function readFile(path: string, window: { from: number; to: number }) {
  const read = measured(resourceRead(readFileSync(path, "utf8"), { ownAddresses: [] }));
  if ("fault" in read) return { error: read.fault, events: [] };
  const events = [read, ...read.others].flatMap(({ uid, state }) => {
    if (state.status === "cancelled") return [];
    const spans = spansOf(state, window).map(({ starts, ends, allDay }) => [
      shown(starts, allDay),
      shown(ends, allDay),
    ]);
    return [{ uid, spans: spans.sort().slice(0, MOST) }];
  });
  return { events };
}

function spansOf(state: EventState, { from, to }: { from: number; to: number }): Span[] {
  const { icalRecurrence, span } = state;
  if (!icalRecurrence) return span.starts < to && span.ends >= from ? [span] : [];
  const range = { from: from as Instant, to: to as Instant };
  const { rows } = measured(icalRows("evt", icalRecurrence, { range, state }));
  return rows.filter(({ starts, ends }) => starts < to && ends >= from);
}

function measured<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const began = threadTime();
    const step = work.next();
    longest = Math.max(longest, threadTime() - began);
    if (step.done) return step.value;
  }
}

function shown(at: number, allDay: boolean): string {
  const text = new Date(at).toISOString();
  return allDay ? text.slice(0, 10) : `${text.slice(0, 19)}Z`;
}
