import type { Database } from "@/server/db/client";
import type { EventState } from "@/server/domain/events/event-state";
import type { Connector, MailboxAccess } from "@/server/providers/connector";
import type { PartVersion, ProviderWriteResult } from "@/server/providers/writing";
import { readForPush } from "@/server/store/provider-writes/read-for-push";
import { notePart } from "@/server/store/provider-writes/stored-push";
import { repliesToWrite, type StoredReplies } from "@/server/store/provider-writes/stored-replies";
import type { ClaimedWrite } from "@/server/sync/claim-writes";
import { writeToProvider } from "@/server/sync/write-event";

export interface Pushing {
  db: Database;
  connector: Connector;
  access: MailboxAccess;
  write: ClaimedWrite;
}

/** What the provider made of what the application said of the event. */
export type PushedWrite = ProviderWriteResult & {
  pushedState?: EventState | null;
  pushedReplies?: StoredReplies | null;
};

/** Makes the provider say what the event says, or not say it any more. Throws ProviderError; gives null when the event is gone with its calendar. */
export async function pushWrite({ db, connector, access, write }: Pushing): Promise<PushedWrite | null> {
  const event = await readForPush(db.query, write);
  if (!event) return null;
  const { calendar, replies, access: allowed, ...content } = event;
  // It was written before the user allowed the application less.
  if (allowed !== "full") return { kind: "refused", reason: "read_only" };
  const { removedGuests, notify } = write;
  const name = event.name ?? connector.nameOf(event.uid);
  const input = {
    ...{ ...content, name, calendarId: calendar, removedGuests, notify },
    // The guests of others' events are theirs: nobody is added who was removed since.
    state: event.isForeign && event.state ? { ...event.state, attendees: [] } : event.state,
    replies: repliesToWrite(replies),
  };
  const note = (part: PartVersion) => notePart(db, write, part);
  const answer = await writeToProvider(connector.open(access), input, note);
  return { ...answer, pushedState: event.state, pushedReplies: replies };
}
