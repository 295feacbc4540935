import { invalid, required } from "./errors";
import type { CalendarRecord, ConferenceData, EventResource, StoredEvent, World } from "./state";

/**
 * The conference of an event after a write.
 * Parameter `conferenceDataVersion`: 0 ignores conference data in the body, 1 copies it and creates conferences.
 */
export function conferenceAfter(
  calendar: CalendarRecord,
  before: EventResource | undefined,
  after: EventResource,
  version: number,
): ConferenceData | undefined {
  const existing = before?.conferenceData;
  if (version === 0) return existing;
  const given = after.conferenceData;
  const request = given?.createRequest;
  if (!given || !request) return given;
  if (!request.requestId) throw required("Missing conference create request id.");
  // "If an ID provided is the same as for the previous request, the request is ignored."
  if (existing?.createRequest?.requestId === request.requestId) return existing;
  const type = request.conferenceSolutionKey?.type ?? calendar.conferenceTypes[0] ?? "";
  // [K]: the text that Google answers for a type that the calendar does not allow.
  if (!calendar.conferenceTypes.includes(type)) throw invalid("Invalid conference type value.");
  const { requestId } = request;
  return { createRequest: { requestId, conferenceSolutionKey: { type }, status: { statusCode: "pending" } } };
}

/** Whether the conference request of an event has not ended. */
export const isPending = ({ conferenceData }: EventResource) =>
  conferenceData?.createRequest?.status?.statusCode === "pending";

/** Starts the request of an event that was just written; without delay it ends at once. */
export function begin(world: World, event: StoredEvent): void {
  if (!isPending(event.resource)) return;
  event.pendingReads = world.knobs.conference.pendingReads;
  if (event.pendingReads === 0) finish(event, world.knobs.conference.outcome);
}

/** Counts a read of the event; true when the request ended by it. */
export function readOnce(world: World, event: StoredEvent): boolean {
  if (!isPending(event.resource) || typeof event.pendingReads !== "number") return false;
  event.pendingReads -= 1;
  if (event.pendingReads >= 0) return false;
  finish(event, world.knobs.conference.outcome);
  return true;
}

/** Type ConferenceRequestStatus: success populates the entry points, failure has none. */
export function finish(event: StoredEvent, outcome: "success" | "failure"): void {
  const request = event.resource.conferenceData?.createRequest;
  if (!request) return;
  const createRequest = { ...request, status: { statusCode: outcome } };
  delete event.resource.hangoutLink;
  if (outcome === "failure") {
    event.resource.conferenceData = { createRequest };
    return;
  }
  const code = codeOf(`${event.resource.id} ${request.requestId}`);
  const uri = `https://meet.google.com/${code}`;
  event.resource.hangoutLink = uri;
  event.resource.conferenceData = {
    createRequest,
    entryPoints: [{ entryPointType: "video", uri, label: `meet.google.com/${code}` }],
    conferenceSolution: {
      key: { type: request.conferenceSolutionKey?.type ?? "hangoutsMeet" },
      name: "Google Meet",
      iconUri:
        "https://fonts.gstatic.com/s/i/productlogos/meet_2020q4/v6/web-512dp/logo_meet_2020q4_color_2x_web_512dp.png",
    },
    conferenceId: code,
    signature: Buffer.from(code).toString("base64"),
  };
}

/** Field `conferenceId`: "the 10-letter meeting code, for example aaa-bbbb-ccc". */
function codeOf(seed: string): string {
  let state = 7;
  const letters = Array.from({ length: 10 }, (_, index) => {
    for (const character of seed) state = (state * 31 + character.charCodeAt(0) + index) % 1_000_003;
    return String.fromCharCode(97 + (state % 26));
  }).join("");
  return `${letters.slice(0, 3)}-${letters.slice(3, 7)}-${letters.slice(7)}`;
}

/** The link of the video entry point: field `hangoutLink`. */
export function hangoutLink(conference: ConferenceData | undefined): string | undefined {
  if (conference?.conferenceSolution?.key?.type !== "hangoutsMeet") return undefined;
  return conference.entryPoints?.find(({ entryPointType }) => entryPointType === "video")?.uri ?? undefined;
}
