import { code, recorded } from "@/components/docs/guide";
import type { SampleText } from "@/components/docs/sample";
import type { OpenApiDocument } from "@/server/http/openapi/document-shape";
import { stableId } from "@/server/http/openapi/examples/stable";

/** The quickstart's name for its application calendar. The document's examples use another one. */
const FIRST_CALENDAR = "my-first";

type Json = Record<string, unknown>;

/** Formats a response with a body, as all others are shown. */
export function responded(status: number, body: Json): SampleText {
  return code("json", `Response ${status}`, [JSON.stringify(body, null, 2)]);
}

/**
 * Returns what `recorded` does, in the calendar that the quickstart opens, for its receiver. `printed`: the field that
 * the block prints, if it does not print all.
 */
export function recordedFirst(
  document: OpenApiDocument,
  operationId: string,
  example: string,
  printed?: string,
): SampleText {
  const sample = recorded(document, operationId, example);
  return printing(printed, {
    ...sample,
    text: sample.text.replaceAll("room-42", FIRST_CALENDAR).replaceAll("https://app.acme.io", receiverOf(document)),
  });
}

/** Returns the quickstart receiver's address: on the reader's own machine, if Almanac is. */
export function receiverOf({ servers }: OpenApiDocument): string {
  const isLocal = /^http:\/\/(localhost|127\.0\.0\.1)(:|$)/.test(servers[0]?.url ?? "");
  return isLocal ? "http://127.0.0.1:9999" : "https://your-tunnel.acme.io";
}

function printing(printed: string | undefined, sample: SampleText): SampleText {
  return printed ? { ...sample, name: `${sample.name}, of which ${printed} is printed` } : sample;
}

interface RecordedEvent extends Json {
  event_id: string;
  calendar_id: string;
  created: string;
}

/**
 * Builds an event written to the quickstart's calendar with nothing but `content`. A day is the one on which it was
 * written.
 */
export function writtenEvent(document: OpenApiDocument, nth: number, content: (day: string) => Json): Json {
  const event = recordedEvent(document);
  const opaque = { transparency: "opaque", extended_transparency: "opaque" };
  return { ...event, event_uid: stableId("evt", nth), ...opaque, ...content(event.created.slice(0, 10)) };
}

/** Returns the all-day event of the document's examples, as it is read. */
export function recordedEvent(document: OpenApiDocument): RecordedEvent {
  const { events } = JSON.parse(recordedFirst(document, "listEvents", "month").text) as { events: RecordedEvent[] };
  const found = events.find(({ event_id }) => event_id === "offsite");
  if (!found) throw new Error("the document's examples have no all-day event");
  return found;
}

/** Builds a read's response with events that all fit on one page. */
export function onePage(list: "events" | "free_busy", entries: readonly Json[]): SampleText {
  return responded(200, { pages: { current: 1, total: 1 }, [list]: entries });
}

/** Returns the one calendar of an application calendar. */
export function firstCalendars(document: OpenApiDocument, printed?: string): SampleText {
  const { sub, ...shown } = JSON.parse(recordedFirst(document, "showUserinfo", "application_calendar").text);
  const [{ provider_name, profile_id, profile_name, profile_calendars }] = shown["svc.data"].profiles;
  const calendar = { provider_name, profile_id, profile_name, ...profile_calendars[0] };
  return printing(printed, responded(200, { calendars: [calendar], sub }));
}

/** Builds the first two events of the quickstart's calendar: the one added by the sandbox's person, and its own. */
function firstEvents(document: OpenApiDocument): { kickOff: Json; lunch: Json } {
  const { event_id, ...others } = writtenEvent(document, 20, (day) => ({
    summary: "Kick-off",
    start: `${day}T14:00:00Z`,
    end: `${day}T15:00:00Z`,
    participation_status: "needs_action",
    organizer: { email: "ada@acme.io", display_name: "Ada" },
    options: { delete: false, update: false, change_participation_status: false },
  }));
  const lunch = writtenEvent(document, 21, (day) => ({
    event_id: "lunch-1",
    summary: "Lunch",
    start: `${day}T11:30:00Z`,
    end: `${day}T12:30:00Z`,
    location: { description: "The canteen" },
  }));
  return { kickOff: others, lunch };
}

/** Builds the first page of its events: without the sandbox, nobody else adds one. */
export function firstPage(document: OpenApiDocument, list: "events" | "free_busy"): SampleText {
  const { kickOff, lunch } = firstEvents(document);
  const events = document["x-sandbox"] === "off" ? [lunch] : [lunch, kickOff];
  return onePage(list, list === "events" ? events : events.map(busy));
}

/** Reduces an event to its times, as free/busy has them. */
function busy({ calendar_id, event_uid, start, end }: Json): Json {
  return { calendar_id, event_uid, start, end, free_busy_status: "busy" };
}

/** Builds the changes that someone else made to it: none without the sandbox. */
export function changesPage(document: OpenApiDocument): SampleText {
  return onePage("events", document["x-sandbox"] === "off" ? [] : [firstEvents(document).kickOff]);
}

/** Builds the errors of an event without a summary that ends on a date that doesn't exist. */
export function invalidEvent(): SampleText {
  return responded(422, {
    errors: {
      summary: [{ key: "errors.required", description: "summary is required" }],
      end: [{ key: "errors.invalid", description: "end is invalid: this date doesn't exist" }],
    },
  });
}
