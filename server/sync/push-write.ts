import type { Database } from "@/server/db/client";
import type { EventState } from "@/server/domain/events/event-state";
import {
  type Connector,
  type Mailbox,
  type MailboxAccess,
  ProviderError,
  type WriteInput,
  type Written,
} from "@/server/providers/connector";
import { readForPush } from "@/server/store/provider-writes/read-for-push";
import type { ClaimedWrite } from "@/server/sync/claim-writes";

export interface Pushing {
  db: Database;
  connector: Connector;
  access: MailboxAccess;
  write: ClaimedWrite;
}

/** What the provider made of what the application said of the event. */
export type PushedWrite = Written & { said?: EventState | null };

/** Makes the provider say what the event says, or not say it any more. Throws ProviderError; gives null when the event is gone with its calendar. */
export async function pushWrite({ db, connector, access, write }: Pushing): Promise<PushedWrite | null> {
  const event = await readForPush(db.query, write.eventRow);
  if (!event) return null;
  const { calendar, ...said } = event;
  const { removedGuests, notify } = write;
  const name = connector.nameOf(event.uid);
  const input = { ...said, name, calendarId: calendar, removedGuests, notify };
  const answer = await written(connector.open(access), input);
  return { ...answer, said: event.state };
}

/** What others deleted meanwhile is made again: the application's last word is that it is there. */
async function written(mailbox: Mailbox, asked: WriteInput): Promise<Written> {
  try {
    return await mailbox.write(asked);
  } catch (error) {
    const isGone = error instanceof ProviderError && error.fault.kind === "gone";
    if (!isGone || asked.externalId === null) throw error;
    if (asked.state === null) return { kind: "done", externalId: asked.externalId, version: null, state: null };
    return await mailbox.write({ ...asked, externalId: null, version: null });
  }
}
