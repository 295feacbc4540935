import { describe, expect, it } from "vitest";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { inSlices } from "@/server/event-loop";
import { EVENT_BODY, readBody } from "@/server/http/read-body";
import { resourceRead } from "@/server/providers/caldav/icalendar/read/read-resource";
import { resourceMerged } from "@/server/providers/caldav/icalendar/write/write-resource";
import { multistatusReader } from "@/server/providers/caldav/multistatus-reader";
import { eventBody } from "@/server/services/events/write/input";
import { inputOf } from "@/server/services/input";
import { icalRows } from "@/server/store/events/ical-occurrences";
import { least, longestRound } from "../../fakes/thread-time";
import { worstCalendars } from "./worst-calendars";
import { worstBodies, worstDocuments } from "./worst-documents";

/** Nothing that comes from outside may hold the event loop for longer. */
const MOST_MS = 50;
const TIMES = 6;
const NOW = Date.UTC(2026, 10, 22);
const DAY_MS = 86_400_000;
const CHUNK = 64 * 1024;
const about = { ownAddresses: ["anna@acme.io"] };

describe("the event loop goes round while there is read", () => {
  it.each(Object.entries(worstCalendars))("a calendar object with %s", async (_, shape) => {
    const text = shape(1_000_000);
    const longest = await least(TIMES, MOST_MS, () =>
      longestRound(async () => {
        const read = await inSlices(resourceRead(text, about));
        if (!("state" in read) || !read.state.icalRecurrence) return;
        const range = { from: (NOW - 49 * DAY_MS) as Instant, to: (NOW + 231 * DAY_MS) as Instant };
        await inSlices(icalRows("evt_1", read.state.icalRecurrence, { range, state: read.state }));
      }),
    );
    expect(longest).toBeLessThan(MOST_MS);
  });

  it.each(Object.entries(worstDocuments))("a document with %s", async (_, shape) => {
    const bytes = Buffer.from(shape(4_000_000));
    const longest = await least(TIMES, MOST_MS, () =>
      longestRound(async () => {
        const reader = multistatusReader("https://dav.acme.io/", ["DAV: getetag"]);
        for (const chunk of chunksOf(bytes)) if (await reader.take(chunk).catch(() => true)) break;
        await reader.end();
      }),
    );
    expect(longest).toBeLessThan(MOST_MS);
  });

  it.each(Object.entries(worstBodies))("a JSON body with %s", async (_, shape) => {
    const bytes = Buffer.from(shape(16_000_000));
    const longest = await least(TIMES, MOST_MS, () =>
      longestRound(async () => {
        const body = await readBody(inChunks(bytes), { limit: EVENT_BODY });
        if (body.kind === "read") refusedOrNot(body.value);
      }),
    );
    expect(longest).toBeLessThan(MOST_MS);
  });
});

describe("the event loop goes round while there is written", () => {
  it.each(Object.entries(worstCalendars))("over a calendar object with %s", async (_, shape) => {
    const existing = shape(1_000_000);
    const state = stateOf();
    const asked = {
      existing,
      uid: "1",
      state,
      base: state.ruleSeries,
      changedFields: ["summary", "2026-12-01"],
      now: NOW,
    };
    const longest = await least(TIMES, MOST_MS, () =>
      longestRound(() => inSlices(resourceMerged({ ...asked, owner: null, removedGuests: [], notify: false }))),
    );
    expect(longest).toBeLessThan(MOST_MS);
  });
});

function refusedOrNot(value: unknown): void {
  try {
    inputOf(eventBody)(value);
  } catch {
    // How long it takes is what is asked.
  }
}

/** A daily event of the application's. */
function stateOf(): EventState {
  const starts = Date.UTC(2026, 10, 1, 10) as Instant;
  return {
    ...{ summary: "Ours", description: "", location: null, url: null, transparency: "opaque", private: false },
    ...{ status: "confirmed", organizer: null, attendees: [], participationStatus: "accepted", categories: [] },
    ...{ conferencing: null, icalRecurrence: null, tzid: "Etc/UTC" },
    span: { starts, ends: (starts + 3_600_000) as Instant, allDay: false },
    ruleSeries: {
      rules: [{ frequency: "daily", interval: 1 }],
      rule: { frequency: "daily", interval: 1, count: null, until: null, byDay: [] },
      skipped: ["2026-12-01"],
      changed: [],
    },
  };
}

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}

function inChunks(bytes: Uint8Array): Request {
  const chunks = chunksOf(bytes);
  const body = new ReadableStream({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Request("http://localhost/", { method: "POST", body, duplex: "half" } as RequestInit);
}
