import { databaseTime } from "@/server/db/database-time";
import type { EventState } from "@/server/domain/events/event-state";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import type { Provider } from "@/server/domain/providers";
import { connectorOf } from "@/server/providers/connectors";
import type { StoredReplies } from "@/server/store/provider-writes/stored-replies";

export interface QueuedWrite {
  eventRow: string;
  /** The event before the write. Null: it is new. */
  before: EventState | null;
  /** The event after the write. Null: it is deleted. */
  after: EventState | null;
  /** Whether guests are notified. */
  notify: boolean;
  /** Whether the provider is written to only if it has the event as it was read. Null: as a write that waits says. */
  isConditional?: boolean | null;
  /** The user's replies, which are all that the write says. Omitted or null: it says what changed. */
  replies?: StoredReplies | null;
}

/**
 * Gives the values with which the statement of a write queues its event for the calendar's provider. Several writes of one event become
 * one, which notifies the guests if any of them did. A write of a disconnected profile starts suspended. Null: there is no provider to write to.
 * Otherwise call `wake("push")` after the commit.
 */
export function queueValues(provider: Provider, write: QueuedWrite): Record<string, unknown> | null {
  if (provider === "hosted") return null;
  const { eventRow, before, after, notify, isConditional = false, replies = null } = write;
  const guests = (after ?? before)?.attendees.map(({ email }) => email) ?? [];
  return {
    name: connectorOf(provider)?.nameOf(eventRow) ?? null,
    notify,
    removed_guests: before?.attendees.map(({ email }) => email).filter((email) => !guests.includes(email)) ?? [],
    guests,
    changed_fields: replies ? [] : before && after && changedFieldsOf(before, after),
    conditional: isConditional,
    replies: replies && JSON.stringify(replies),
    now: databaseTime(),
  };
}
