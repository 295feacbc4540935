import { db } from "@/server/db/client";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { loopOf } from "@/server/jobs/work-kinds";
import { receiveEvents } from "@/server/store/events/receive";
import { fanOut } from "@/server/webhooks/fan-out";
import { storedDeliveries } from "../../fakes/stored-deliveries";
import type { Opened } from "../service";

const HOUR = 3_600_000;
/** As long as a test may take. */
export const PATIENCE_MS = 60_000;

/** POST /v1/channels, expecting 200. */
export async function openChannel(opened: Opened, url: string, filters?: object) {
  const answer = await opened.post("/v1/channels", { callback_url: url, ...(filters && { filters }) });
  if (answer.status !== 200) throw new Error(`a channel was not opened: ${answer.status} ${answer.text}`);
  return answer.json.channel as { channel_id: string; callback_url: string; filters: object; signing_secret?: string };
}

/** An event of somebody else comes into the calendar, as its provider's sync would bring it. */
export async function theyWrite(
  opened: Pick<Opened, "calendarId">,
  externalId: string,
  changes: Partial<EventState> = {},
): Promise<void> {
  const starts = (Math.ceil(Date.now() / HOUR) * HOUR + HOUR) as Instant;
  const state: EventState = {
    summary: `Theirs ${externalId}`,
    description: "",
    location: null,
    url: null,
    span: { starts, ends: (starts + HOUR) as Instant, allDay: false },
    tzid: "Etc/UTC",
    transparency: "opaque",
    private: false,
    status: "confirmed",
    participationStatus: "accepted",
    organizer: null,
    attendees: [],
    categories: [],
    conferencing: null,
    ruleSeries: null,
    icalRecurrence: null,
    ...changes,
  };
  const faults = await receiveEvents(db(), {
    calendarId: opened.calendarId,
    events: [{ externalId, version: null, state }],
    gone: [],
    now: Date.now() as Instant,
  });
  if (faults.length > 0) throw new Error(`an event was not taken: ${JSON.stringify(faults)}`);
}

/** Does all that is due by the clock now: signals become deliveries, deliveries are attempted. */
export async function work(): Promise<void> {
  await fanOut(db());
  await loopOf("deliver").drain(PATIENCE_MS);
}

export async function deliveriesOf(channelId: string) {
  const rows = await storedDeliveries({ channelId });
  return rows.map(({ id, type, state, attempts, nextAttemptAt, lastStatus, lastError }) => ({
    ...{ id, type, state, attempts },
    ...{ next_attempt_at: nextAttemptAt, last_status: lastStatus, last_error: lastError },
  }));
}

export async function attemptsOf(deliveryId: string) {
  return await db().prisma.attempt.findMany({ where: { deliveryId }, orderBy: { number: "asc" } });
}
