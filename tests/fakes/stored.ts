import { db } from "@/server/db/client";

// What a test arranges in the rows themselves or reads there, because nothing of the service does just that.

/** As a provider's refusal, or a connection that is renewed, leaves the profiles: whether they are connected, and nothing else. */
export async function setConnected(profileIds: string | readonly string[], isConnected: boolean): Promise<void> {
  await db().query("UPDATE profiles SET connected = $2 WHERE id = ANY ($1::text[])", [
    [profileIds].flat(),
    isConnected,
  ]);
}

export async function setSyncDue(profileId: string, at: Date): Promise<void> {
  await db().query("UPDATE profiles SET sync_due_at = $2 WHERE id = $1", [profileId, at]);
}

/** Whether the calendar's provider adds meeting links to its events. */
export async function setMeetingLinks(calendarId: string, addsLinks: boolean): Promise<void> {
  await db().query("UPDATE calendars SET integrated_conferencing = $2 WHERE id = $1", [calendarId, addsLinks]);
}

/** The ids of a calendar's events, deleted ones too. */
export async function eventIds(calendarId: string): Promise<string[]> {
  const rows = await db().query<{ id: string }>("SELECT id FROM events WHERE calendar_id = $1", [calendarId]);
  return rows.map(({ id }) => id);
}

/** As a receiver that answers 410 leaves its channel. */
export async function closeChannelAsGone(channelId: string): Promise<void> {
  await db().query("UPDATE channels SET closed_at = now(), closed_by = 'gone' WHERE id = $1", [channelId]);
}

/** One that POST /v1/channels would refuse. */
export async function setCallbackUrl(channelId: string, url: string): Promise<void> {
  await db().query("UPDATE channels SET callback_url = $2 WHERE id = $1", [channelId, url]);
}
