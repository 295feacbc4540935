import { db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import type { Instant } from "@/server/domain/time/instant";
import { openJobs } from "@/server/jobs/start";
import { putSignal } from "@/server/store/channels/outbox";
import { receiveEvents } from "@/server/store/events/receive";
import type { Listener } from "@/tests/bench/webhook-seed";
import { passed } from "@/tests/rig/until";

const HOUR = 3_600_000;

export interface Causes {
  kind: "verification" | "change";
  listeners: readonly Listener[];
  paceMs: number;
}

/** When each channel's notification was caused: right after the commit, by the machine's clock. */
export type Committed = readonly { channelId: string; at: number }[];

/** Runs the background work of a service in this process, and causes notifications beside it, one after another. */
export async function causing(): Promise<(causes: Causes) => Promise<Committed>> {
  await openJobs().begin();
  return async ({ kind, listeners, paceMs }) => {
    const committed = [];
    for (const listener of listeners) {
      const at = kind === "verification" ? await verify(listener) : await change(listener);
      committed.push({ channelId: listener.channelId, at });
      await passed(paceMs);
    }
    return committed;
  };
}

/** As the opening of a channel does it. */
async function verify({ accountId, channelId }: Listener): Promise<number> {
  await db().transaction((query) =>
    putSignal(query, { kind: "verification", accountId, subject: channelId, payload: {} }),
  );
  const at = Date.now();
  wake("notify");
  return at;
}

/** As a provider's sync does it. */
async function change({ calendarId }: Listener): Promise<number> {
  const starts = (Math.ceil(Date.now() / HOUR) * HOUR) as Instant;
  const state = {
    summary: "Theirs",
    description: "",
    location: null,
    url: null,
    span: { starts, ends: (starts + HOUR) as Instant, allDay: false },
    tzid: "Etc/UTC",
    transparency: "opaque" as const,
    private: false,
    status: "confirmed",
    participationStatus: "accepted",
    organizer: null,
    attendees: [],
    categories: [],
    conferencing: null,
    ruleSeries: null,
    icalRecurrence: null,
  };
  const events = [{ externalId: `theirs ${starts}`, version: null, state }];
  const faults = await receiveEvents(db(), { calendarId, events, gone: [], now: Date.now() as Instant });
  if (faults.length > 0) throw new Error(`an event was not taken: ${JSON.stringify(faults)}`);
  return Date.now();
}
