import { randomUUID } from "node:crypto";
import { isPending } from "@/server/domain/events/conferencing";
import type { EventState } from "@/server/domain/events/event-state";
import type { WriteInput } from "@/server/providers/connector";
import type { GraphApi } from "@/server/providers/microsoft/api";
import { attendeesAfter, contentBodyOf, newProperties, withProperties } from "@/server/providers/microsoft/event-body";
import { type Item, itemsOf } from "@/server/providers/microsoft/item";
import { EVENT_ID_PROPERTY } from "@/server/providers/microsoft/properties";
import { AS_TEXT, itemOf } from "@/server/providers/microsoft/series-items";
import { textBody } from "@/server/providers/microsoft/write-body";
import { itemIn, Refused, responses } from "@/server/providers/microsoft/write-faults";
import { newMeeting } from "@/server/providers/microsoft/write-meeting";
import { recurrenceOf } from "@/server/providers/microsoft/write-recurrence";

type NewEvent = Pick<WriteInput, "calendarId" | "name"> & { state: EventState };

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
    api({ method: "POST", path, body: { ...body, transactionId }, prefer: [AS_TEXT], accepts: responses });
  const response = await post(name);
  if (response.status !== 409) return { isNew: true, main: withProperties(itemIn(response), null, properties) };
  const id = await namedId(api, input);
  const before = id && (await itemOf(api, calendarId, id));
  if (before) return { isNew: false, main: before };
  return { isNew: true, main: withProperties(itemIn(await post(randomUUID())), null, properties) };
}

/** The id of the event that was created under a name. Null: there is none. */
export async function namedId(
  api: GraphApi,
  { calendarId, name }: Pick<WriteInput, "calendarId" | "name">,
): Promise<string | null> {
  const named = `ep/id eq '${EVENT_ID_PROPERTY}' and ep/value eq '${name}'`;
  const query = { $filter: `singleValueExtendedProperties/Any(ep: ${named})`, $select: "id", $top: 1 };
  const { body } = await api({ path: `${calendarPath(calendarId)}/events`, query });
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
