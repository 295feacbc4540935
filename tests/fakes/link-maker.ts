import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { settleMeetingLink } from "@/server/store/events/settle-conferencing";

/** A calendar that makes meeting links of its own, after it has been asked `patience` times; or fails to. */
export function linkMaker(calendarId: string, { patience, fails = false }: { patience: number; fails?: boolean }) {
  const asked = new Map<string, number>();
  return {
    /** One look at what it was asked to make, as a connector polls. */
    async work(): Promise<void> {
      const waiting = await db().query<{ event_id: string }>(
        "SELECT event_id FROM events WHERE calendar_id = $1 AND conferencing ? 'pending' AND deleted_at IS NULL",
        [calendarId],
      );
      for (const { event_id: eventId } of waiting) {
        const times = (asked.get(eventId) ?? 0) + 1;
        asked.set(eventId, times);
        if (times < patience) continue;
        const link = { provider: "google_meet" as const, join_url: `https://meet.acme.io/${eventId}` };
        await settleMeetingLink(db(), {
          calendarId,
          eventId,
          made: fails ? "failed" : link,
          now: Date.now() as Instant,
        });
      }
    },
  };
}
