import type { GraphApi } from "@/server/providers/microsoft/api";
import { type Item, itemsOf } from "@/server/providers/microsoft/item";
import { MEETING_PROPERTY, NO_MEETING, propertyOf } from "@/server/providers/microsoft/properties";
import { eventPath } from "@/server/providers/microsoft/series-items";
import {
  mayHoldMeeting,
  textBody,
  type WrittenBody,
  withoutBlob,
  withText,
} from "@/server/providers/microsoft/write-body";
import { itemIn } from "@/server/providers/microsoft/write-faults";
import type { BodyFor } from "@/server/providers/microsoft/write-occurrences";

interface BodyToWrite {
  calendarId: string;
  main: Item;
  /** Null: it stays. */
  description: string | null;
  /** What the meeting has appended is to go. */
  takesOff: boolean;
}

/** Gives the body that an event is to have. Only where a meeting may have appended something, the document is read first. Null: it stays. */
export async function bodyToWrite(
  api: GraphApi,
  { calendarId, main, description, takesOff }: BodyToWrite,
): Promise<WrittenBody | null> {
  if (description === null && !takesOff) return null;
  if (description !== null && (takesOff || isHidden(main) || !mayHoldMeeting(main))) return textBody(description);
  const document = await documentOf(api, calendarId, main.id);
  return description === null ? withoutBlob(document) : withText(document, description);
}

/** Gives the bodies of occurrences, which have what the meeting has appended to their series. */
export function bodyFor(api: GraphApi, { calendarId, main }: { calendarId: string; main: Item }): BodyFor {
  const documents = new Map<string, Promise<Item>>();
  return async ({ before, description }) => {
    if (description === null || isHidden(main) || !mayHoldMeeting(main)) return null;
    const id = before?.id ?? main.id;
    const document = documents.get(id) ?? documentOf(api, calendarId, id);
    documents.set(id, document);
    return withText(await document, description);
  };
}

function isHidden(main: Item): boolean {
  return propertyOf(main, MEETING_PROPERTY) === NO_MEETING;
}

/** Requests the body as Exchange has it, and the meeting's link, which locates what the meeting has appended. */
async function documentOf(api: GraphApi, calendarId: string, id: string): Promise<Item> {
  const query = { $select: "body,isOnlineMeeting,onlineMeeting,onlineMeetingUrl" };
  const response = await api({ kind: "read_event", path: eventPath(calendarId, id), query, accepts: ["gone"] });
  return itemsOf([response.body])[0] ?? itemIn(response);
}
