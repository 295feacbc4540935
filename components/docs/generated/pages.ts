import { onePage, recordedEvent, writtenEvent } from "@/components/docs/generated/responses";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { stableId } from "@/server/http/openapi/examples/stable";

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_LEFT = 1;

/** Shows what the guide to time zones has written, as it is read. */
export function eventsInTokyo(document: OpenApiDocument) {
  return onePage("events", [breakfast(document), recordedEvent(document)]);
}

/** Shows the occurrences that remain after the guide to recurrence. */
export function occurrences(document: OpenApiDocument) {
  return onePage(
    "events",
    [1, 2, 3, 4].map((nth) => standup(document, nth)),
  );
}

/** Builds an occurrence of the series above, so many days after its first, which was skipped. */
function standup(document: OpenApiDocument, nth: number) {
  const uid = (day: number) => stableId("evt", 20 + day);
  return writtenEvent(document, 20 + nth, (start) => {
    const day = new Date(Date.parse(start) + nth * DAY_MS).toISOString().slice(0, 10);
    return {
      event_id: "standup",
      summary: "Standup",
      start: `${day}T09:00:00Z`,
      end: `${day}T09:15:00Z`,
      recurring: true,
      ...(nth === FIRST_LEFT && { recurrence: { rules: [{ frequency: "daily", count: 5 }] } }),
      series_identifier: stableId("evt", 20),
      series_master: { event_id: "standup", event_uid: uid(FIRST_LEFT) },
      occurrence_date: day,
    };
  });
}

function breakfast(document: OpenApiDocument) {
  return writtenEvent(document, 20, (day) => ({
    event_id: "breakfast-1",
    summary: "Breakfast",
    start: `${day}T08:00:00+09:00`,
    end: `${day}T09:00:00+09:00`,
  }));
}
