import { createHash } from "node:crypto";
import { inSlices } from "@/server/event-loop";
import type { Account } from "@/server/providers/caldav/account";
import { ifMatch, isDone, put, refusal } from "@/server/providers/caldav/conditional";
import { withoutEvent } from "@/server/providers/caldav/icalendar/write/without-event";
import { storedIfAny } from "@/server/providers/caldav/stored";
import type { ChangedSince, EventParts, KnownWrite, WriteInput } from "@/server/providers/writing";

/** Gives the external id of a further event of a resource: its path with a fragment. */
export function furtherId(resource: string, name: string): string {
  return `${resource}#${encodeURIComponent(name)}`;
}

export function resourceOf(externalId: string): string {
  return externalId.split("#", 1)[0] ?? externalId;
}

/** Gives the name of an event in its resource. Undefined: it is the first. */
export function nameIn(externalId: string): string | undefined {
  const [, fragment] = externalId.split("#");
  return fragment === undefined ? undefined : decodeURIComponent(fragment);
}

/** Names the further events of a resource, which are stored with its own: nothing else says whose they are when it is gone. */
export function furtherParts(resource: string, events: readonly Named[]): EventParts {
  return Object.fromEntries(events.map(({ name }) => [furtherId(resource, name), ""]));
}

interface Named {
  uid: string;
  name: string;
}

/**
 * Gives the event that an external id means among those of its resource. Without a fragment that is the one that was created under the
 * resource's name, else the first that is not known as a further one, wherever in the text it stands.
 */
export function eventOf<Event extends Named>(
  events: readonly Event[],
  externalId: string,
  further: readonly string[],
): Event | undefined {
  const name = nameIn(externalId);
  if (name !== undefined) return events.find((one) => one.name === name);
  if (events.length < 2) return events[0];
  const segment = externalId.split("/").at(-1);
  const known = new Set(further);
  return (
    events.find(({ uid }) => resourceName(uid) === segment) ??
    events.find((one) => !known.has(furtherId(externalId, one.name))) ??
    events[0]
  );
}

/** Gives the name in its calendar of the resource that an event's row becomes. */
export function resourceName(uid: string): string {
  return `${createHash("sha256").update(uid).digest("hex")}.ics`;
}

/** Tells whether an event is in one resource with others. */
export function isShared({ externalId, parts }: Pick<WriteInput, "externalId" | "parts">): boolean {
  return externalId !== null && (externalId.includes("#") || Object.keys(parts ?? {}).length > 0);
}

/** Takes an event out of a resource that has others. */
export async function removeFromShared(
  account: Account,
  { externalId, calendarId, parts = {} }: KnownWrite,
  since: ChangedSince | null,
): Promise<void> {
  const url = account.at(resourceOf(externalId));
  const further = Object.keys(parts);
  const existing = await storedIfAny(account, url);
  const ics =
    existing && (await inSlices(withoutEvent(existing.ics, (events) => eventOf(events, externalId, further))));
  if (!existing || ics === null) return;
  const condition = ifMatch(existing.etag, since);
  const answer =
    ics === ""
      ? await account.ask({ method: "DELETE", url, headers: condition })
      : await put(account, url, { ics, condition });
  if (!isDone(answer)) throw await refusal(account, calendarId, { answer, etag: existing.etag });
}
