import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { ProviderError } from "@/server/providers/connector";
import type { GraphApi } from "@/server/providers/microsoft/api";
import { namesNoZone } from "@/server/providers/microsoft/read-times";
import { eventPath, itemOf } from "@/server/providers/microsoft/series-items";
import { faultOf, handled } from "@/server/providers/microsoft/write-faults";
import { occurrenceIds } from "@/server/providers/microsoft/write-occurrences";
import type { KnownWrite, ReplyToWrite } from "@/server/providers/writing";

const actions = { accepted: "accept", declined: "decline", tentative: "tentativelyAccept" } as const;

/** Replies for the user, and sends the reply to the organizer ("sendResponse"), who learns of it by nothing else. */
export async function reply(api: GraphApi, event: KnownWrite, { status, comment, recurrenceId }: ReplyToWrite) {
  const { calendarId, externalId } = event;
  const id = recurrenceId === null ? externalId : await occurrenceId(api, event, recurrenceId as number as Instant);
  const path = `${eventPath(calendarId, id)}/${actions[status]}`;
  const body = { sendResponse: true, ...(comment !== null && { comment }) };
  const response = await api({ kind: "change_event", method: "POST", path, body, accepts: handled });
  if (response.verdict !== null) throw faultOf(response);
}

async function occurrenceId(
  api: GraphApi,
  { calendarId, externalId, state }: KnownWrite,
  original: Instant,
): Promise<string> {
  const main = await itemOf(api, calendarId, externalId);
  const day = dayOf(original);
  const tzid = main && namesNoZone(main) ? (state?.tzid ?? null) : null;
  const id = main && (await occurrenceIds(api, { calendarId, main, tzid }, [day])).get(day);
  if (!id) throw new ProviderError({ kind: "gone" }, "no_occurrence");
  return id;
}
