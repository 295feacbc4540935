import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { seriesAsRead } from "@/server/domain/merge/same-series";
import type { Instant } from "@/server/domain/time/instant";
import { inTime } from "@/server/in-time";
import { type ChangePage, ProviderError } from "@/server/providers/connector";
import { connectorOf } from "@/server/providers/connectors";
import { receiveEvents } from "@/server/store/events/receive";
import { type EventAtProvider, eventAtProvider } from "@/server/store/live/refresh-event.sql";
import { beginSpending } from "@/server/store/mailboxes/provider-budgets";
import { noteThrottling } from "@/server/store/mailboxes/throttling";
import { mailboxAccess } from "@/server/store/profiles/mailbox-access";

export interface EventToRefresh {
  calendarId: string;
  /** The id of the event's row. */
  id: string;
  now: Instant;
}

/** How long a caller waits for the provider. */
const PATIENCE_MS = 5_000;

/**
 * Asks the provider whether others have changed an event that no sync has read yet, and stores and signals what they
 * have, as a sync does. A provider that cannot be asked, or takes longer than five seconds, is no error.
 */
export async function refreshEvent(db: Database, { calendarId, id, now }: EventToRefresh): Promise<void> {
  const [event] = await run(db.query, eventAtProvider, [calendarId, id, databaseTime()]);
  const page = event && !event.isThrottled ? await inTime(PATIENCE_MS, pageOf(db, event), () => null) : null;
  if (!event || !page) return;
  const { events, gone } = page;
  await receiveEvents(db, { calendarId, events, gone, now, keepsSeries: seriesAsRead, since: event.since });
}

/** Reads the event at its provider. Null: it could not be asked. */
async function pageOf(db: Database, event: EventAtProvider): Promise<ChangePage | null> {
  const { provider, calendar, externalId, sealedCredential, ownClient, parts, tzid } = event;
  const connector = connectorOf(provider);
  if (!connector || externalId === null || sealedCredential === null) return null;
  const spending = beginSpending("now", { provider, applicationId: null, ownClient });
  const mailbox = connector.open(mailboxAccess(db, connector, { ...event, sealedCredential }, spending));
  return await mailbox.event({ calendarId: calendar, externalId, parts, tzid }).catch(async (error) => {
    if (!(error instanceof ProviderError)) throw error;
    await noteThrottling(db, event, error);
    return null;
  });
}
