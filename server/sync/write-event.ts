import { ProviderError } from "@/server/providers/connector";
import {
  ChangedSince,
  type CurrentEvent,
  type EventToWrite,
  type KnownWrite,
  type Note,
  type ProviderWriteResult,
  Refused,
  type StoreOutcome,
  type WriteInput,
  type Writing,
} from "@/server/providers/writing";

/** How often a write is tried because others changed the event in the meantime. */
const TRIES = 3;
/** How often one try stores the event over what its last request has made of it: more than any connector asks for. */
const MOST_REQUESTS = 5;

/**
 * Writes an event to its provider, or deletes it: over what the provider has at that moment, so that what others changed stays (ADR 17).
 * Throws ProviderError: `gone` when its calendar is, and `conflict` when others changed it at each of three tries.
 */
export async function writeToProvider(mailbox: Writing, event: WriteInput, note: Note): Promise<ProviderWriteResult> {
  try {
    if (!isToBeStored(event)) return await removed(mailbox, event);
    return event.replies?.length ? await replied(mailbox, event, note) : await stored(mailbox, event, note);
  } catch (error) {
    if (error instanceof Refused) return { kind: "refused", reason: error.reason };
    throw error;
  }
}

/**
 * Sends the user's replies, after what else is to be stored. An event that the provider removes once it is declined is
 * done with.
 */
async function replied(mailbox: Writing, event: EventToWrite, note: Note): Promise<StoreOutcome> {
  const { replies = [], changedFields } = event;
  if (!isKnown(event)) throw new ProviderError({ kind: "gone" }, "not_created");
  const isOther = changedFields === null || changedFields === undefined || changedFields.length > 0;
  const before = isOther ? await stored(mailbox, event, note) : null;
  for (const reply of replies) await tried((since) => mailbox.reply(event, reply, since));
  // What was stored has another version since the reply: the next sync reads it.
  if (before) return { ...before, version: null };
  try {
    return await stored(mailbox, { ...event, isConditional: false }, note);
  } catch (error) {
    if (!isGone(error) || !replies.some(({ status }) => status === "declined")) throw error;
    return { kind: "done", externalId: event.externalId, version: null, state: null };
  }
}

/** Creates the event again if others deleted it in the meantime: the application still has it. */
async function stored(mailbox: Writing, event: EventToWrite, note: Note): Promise<StoreOutcome> {
  try {
    return await tried((since) => attempt(mailbox, event, { since, note }));
  } catch (error) {
    if (!isGone(error) || event.externalId === null || event.isForeign) throw error;
    return await stored(mailbox, { ...event, externalId: null, version: null, parts: {} }, note);
  }
}

/** Stores the event over what there is, and over what that has made of it, until it is done. */
async function attempt(
  mailbox: Writing,
  event: EventToWrite,
  { since, note }: { since: ChangedSince | null; note: Note },
): Promise<StoreOutcome> {
  let current = isKnown(event) ? await read(mailbox, event, since) : null;
  let isNews = false;
  for (let requests = 1; requests <= MOST_REQUESTS; requests += 1) {
    const result = current ? await current.store(event, note) : await mailbox.create(event, since, note);
    isNews ||= result.tookRemote === true && !isTaken(event, current);
    const { tookRemote: _, ...rest } = result;
    if (rest.kind === "done") {
      const isPassedOver = event.isRemoteChangeDeferred && current !== null && current.version === rest.version;
      return { ...rest, ...(isNews && { tookRemote: true }), ...(isPassedOver && { isPassedOver }) };
    }
    current = rest.current;
  }
  throw new ChangedSince();
}

async function read(mailbox: Writing, event: KnownWrite, since: ChangedSince | null): Promise<CurrentEvent> {
  const current = await mailbox.read(event, since);
  if (!current) throw new ProviderError({ kind: "gone" }, "http_404");
  if (event.isConditional && hasOther(event, current)) throw new Refused(CHANGED_SINCE);
  return current;
}

/** Deletes the event, whatever others changed in it. What they have deleted is. */
async function removed(mailbox: Writing, event: WriteInput): Promise<StoreOutcome> {
  const done = { kind: "done", version: null, state: null } as const;
  try {
    const isChecked = event.isConditional && isKnown(event);
    const remove = async (since: ChangedSince | null) => {
      if (isChecked) await read(mailbox, event, since);
      return await mailbox.remove(event, since);
    };
    return { ...done, externalId: await tried(remove) };
  } catch (error) {
    if (!isGone(error) || event.externalId === null) throw error;
    return { ...done, externalId: event.externalId };
  }
}

/** Tries again while others change the event. */
async function tried<Result>(attempted: (since: ChangedSince | null) => Promise<Result>): Promise<Result> {
  let since: ChangedSince | null = null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await attempted(since);
    } catch (error) {
      if (!(error instanceof ChangedSince)) throw error;
      since = error;
    }
  }
  throw new ProviderError({ kind: "conflict" }, "http_412");
}

function isKnown<Event extends WriteInput>(event: Event): event is Event & KnownWrite {
  return event.externalId !== null;
}

function isToBeStored(event: WriteInput): event is EventToWrite {
  return event.state !== null;
}

function isGone(error: unknown): boolean {
  return error instanceof ProviderError && error.fault.kind === "gone";
}

/** The application wrote over a version that it had read, and others have changed the event before the provider learned of it. */
const CHANGED_SINCE = "changed_since";

/** Reports whether the provider has another version than the one that was read. */
function hasOther({ version, isRemoteChangeDeferred }: WriteInput, current: CurrentEvent): boolean {
  return isRemoteChangeDeferred === true || (version !== null && current.version !== version);
}

/** Reports whether the provider's version was already taken, so that nobody else has said anything in it. */
function isTaken({ version, isRemoteChangeDeferred }: WriteInput, current: CurrentEvent | null): boolean {
  return !isRemoteChangeDeferred && version !== null && current?.version === version;
}
