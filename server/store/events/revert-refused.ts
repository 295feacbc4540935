import type { Database, Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { putChange, wakeForChange } from "@/server/store/channels/outbox";
import { deleteEvents } from "@/server/store/events/event-rows";
import { lockReceiving, stampNow } from "@/server/store/events/receive-batch";
import { forgetEtags, revertWrites } from "@/server/store/events/received.sql";

export interface Refusals {
  calendarId: string;
  /** The writes that had been rejected when a full pull began: the id and revision of each, with a dot between. */
  refused: readonly string[];
}

/** A write to the calendar waits for at most this many events, however long their series are. */
const AT_A_TIME = 50;

/**
 * Reverts rejected writes once a full pull has read what the provider has. An event that the provider never accepted is deleted and
 * signalled like every change. The write stays listed for staff. An event that the application has written again since stays. An event
 * that could not be read is read by the next full pull.
 */
export async function undoRefused(db: Database, { calendarId, refused }: Refusals): Promise<void> {
  for (let from = 0; from < refused.length; from += AT_A_TIME) {
    const some = { calendarId, refused: refused.slice(from, from + AT_A_TIME) };
    if (await db.transaction((query) => undoPiece(query, some))) wakeForChange();
  }
}

/** Reverts some rejected writes. Returns whether there is a change to notify. */
async function undoPiece(query: Query, { calendarId, refused }: Refusals): Promise<boolean> {
  const calendar = await lockReceiving(query, calendarId);
  if (!calendar) return false;
  const rows = await run(query, revertWrites, [calendarId, refused]);
  await run(query, forgetEtags, [calendarId, rows.map(({ id }) => id)]);
  const ids = rows.flatMap(({ id, isNowhere }) => (isNowhere ? [id] : []));
  if (ids.length === 0) return false;
  const at = await stampNow(query, calendarId);
  await deleteEvents(query, calendarId, ids);
  if (!calendar.isFirstSync)
    await putChange(query, { by: "others", accountId: calendar.accountId, calendarId, managed: true, at });
  return !calendar.isFirstSync;
}
