import { randomUUID } from "node:crypto";
import { isPending } from "@/server/domain/events/conferencing";
import type { EventState } from "@/server/domain/events/event-state";
import { objectOf, textOf } from "@/server/providers/json-values";
import type { GraphApi } from "@/server/providers/microsoft/api";
import { attendeesAfter, contentBodyOf, newProperties, withProperties } from "@/server/providers/microsoft/event-body";
import { type Item, itemsOf } from "@/server/providers/microsoft/item";
import { EVENT_ID_PROPERTY } from "@/server/providers/microsoft/properties";
import { AS_TEXT, itemOf } from "@/server/providers/microsoft/series-items";
import { textBody } from "@/server/providers/microsoft/write-body";
import { handled, itemIn } from "@/server/providers/microsoft/write-faults";
import { newMeeting } from "@/server/providers/microsoft/write-meeting";
import { recurrenceOf } from "@/server/providers/microsoft/write-recurrence";
import { type EventToWrite, Refused } from "@/server/providers/writing";

const MOST_DEPTH = 5;

type NewEvent = Pick<EventToWrite, "calendarId" | "name" | "state">;

/** `isNew`: no earlier try has created it. */
export type Created = { isNew: true; main: Item } | { isNew: false; main: Item };

/**
 * Creates an event under its name ("transactionId: … to avoid redundant POST operations in case of client retries to create the same
 * event"). A name that was used is found by our property; if its event was deleted since, no event can have it again, and the property
 * alone says which event it is.
 */
export async function created(api: GraphApi, input: NewEvent): Promise<Created> {
  const { calendarId, name, state } = input;
  const properties = newProperties(state, name);
  const body = { ...newBody(state), singleValueExtendedProperties: properties };
  const path = `${calendarPath(calendarId)}/events`;
  const post = (transactionId: string) =>
    api({
      ...{ kind: "create_event", method: "POST", path, body: { ...body, transactionId } },
      ...{ prefer: [AS_TEXT], accepts: handled },
    });
  const response = await post(name);
  if (response.verdict !== "exists") return { isNew: true, main: withProperties(itemIn(response), null, properties) };
  const before = await createdBefore(api, input, response.body);
  if (before) return { isNew: false, main: before };
  return { isNew: true, main: withProperties(itemIn(await post(randomUUID())), null, properties) };
}

/**
 * Finds the event of an earlier try by the id that the refusal names (`existingEventId`), and otherwise by our
 * property.
 */
async function createdBefore(api: GraphApi, input: NewEvent, refusal: Record<string, unknown>): Promise<Item | null> {
  const { calendarId } = input;
  const named = existingId(refusal);
  const known = named && (await itemOf(api, calendarId, named));
  if (known) return known;
  const id = await namedId(api, input);
  return id === null || id === named ? null : await itemOf(api, calendarId, id);
}

/** Finds `existingEventId` wherever it stands in the error. */
function existingId(value: unknown, depth = 0): string | null {
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return null;
  const own = textOf(objectOf(value).existingEventId);
  if (own) return own;
  return Object.values(value).reduce<string | null>((found, one) => found ?? existingId(one, depth + 1), null);
}

/** Gives the id of the event that was created under a name. Null: there is none. */
export async function namedId(
  api: GraphApi,
  { calendarId, name }: Pick<EventToWrite, "calendarId" | "name">,
): Promise<string | null> {
  const named = `ep/id eq '${EVENT_ID_PROPERTY}' and ep/value eq '${name}'`;
  const query = { $filter: `singleValueExtendedProperties/Any(ep: ${named})`, $select: "id", $top: 1 };
  const { body } = await api({ kind: "read_event", path: `${calendarPath(calendarId)}/events`, query });
  return itemsOf(body.value)[0]?.id ?? null;
}

function newBody(state: EventState): Record<string, unknown> {
  const recurrence = recurrenceOf(state, null);
  if (recurrence && "refused" in recurrence) throw new Refused(recurrence.refused);
  const attendees = attendeesAfter(null, { guests: state.attendees, removed: [] });
  return {
    ...contentBodyOf(state),
    body: textBody(state.description),
    ...(attendees && { attendees }),
    ...recurrence,
    ...(isPending(state.conferencing) && newMeeting),
  };
}

function calendarPath(calendarId: string): string {
  return `/me/calendars/${encodeURIComponent(calendarId)}`;
}
