import type { Database } from "@/server/db/client";
import type { EventState } from "@/server/domain/events/event-state";
import {
  type Connector,
  type Mailbox,
  type MailboxAccess,
  type PartVersion,
  ProviderError,
  type WriteInput,
  type Written,
} from "@/server/providers/connector";
import { notePart } from "@/server/store/provider-writes/note-part";
import { readForPush } from "@/server/store/provider-writes/read-for-push";
import type { ClaimedWrite } from "@/server/sync/claim-writes";

export interface Pushing {
  db: Database;
  connector: Connector;
  access: MailboxAccess;
  write: ClaimedWrite;
}

/** What the provider made of what the application said of the event. */
export type PushedWrite = Written & { pushedState?: EventState | null };

/** Makes the provider say what the event says, or not say it any more. Throws ProviderError; gives null when the event is gone with its calendar. */
export async function pushWrite({ db, connector, access, write }: Pushing): Promise<PushedWrite | null> {
  const event = await readForPush(db.query, write);
  if (!event) return null;
  const { calendar, ...content } = event;
  const { removedGuests, notify } = write;
  const name = event.name ?? connector.nameOf(event.uid);
  const input = { ...content, name, calendarId: calendar, removedGuests, notify };
  const note = (part: PartVersion) => notePart(db, write, part);
  const answer = await written(connector.open(access), input, note);
  return { ...answer, pushedState: event.state };
}

type Note = (part: PartVersion) => Promise<void>;

/** Creates the event again if others deleted it in the meantime: the application still has it. */
async function written(mailbox: Mailbox, input: WriteInput, note: Note): Promise<Written> {
  try {
    return await mailbox.write(input, note);
  } catch (error) {
    const isGone = error instanceof ProviderError && error.fault.kind === "gone";
    if (!isGone || input.externalId === null) throw error;
    if (input.state === null) return { kind: "done", externalId: input.externalId, version: null, state: null };
    return await mailbox.write({ ...input, externalId: null, version: null, parts: {} }, note);
  }
}
