import { ProviderError } from "@/server/providers/connector";
import type { GoogleApi } from "@/server/providers/google/api";
import { clockOf } from "@/server/providers/google/read-series";
import { instanceId, timesOf } from "@/server/providers/google/read-times";
import { eventPath, itemOf } from "@/server/providers/google/series-items";
import { listOf, textOf } from "@/server/providers/json-values";
import { type KnownWrite, Refused, type ReplyToWrite } from "@/server/providers/writing";

/** The reason of a refusal: the user is no guest of the event. */
const NOT_A_GUEST = "not_a_guest";

/**
 * Replies for the user by changing their own entry alone ("attendeesOmitted: … can be used to only update the
 * participant's response"). The organizer is notified.
 */
export async function reply(
  api: GoogleApi,
  { calendarId, externalId }: KnownWrite,
  { status, comment, recurrenceId }: ReplyToWrite,
): Promise<void> {
  const main = await itemOf(api, calendarId, externalId);
  if (!main) throw new ProviderError({ kind: "gone" }, "http_404");
  const own = listOf(main.attendees).find(({ self }) => self === true);
  const email = textOf(own?.email);
  if (!email) throw new Refused(NOT_A_GUEST);
  const times = timesOf(main, null);
  const id = recurrenceId === null || !times ? main.id : instanceId(main.id, recurrenceId, clockOf(times));
  const body = {
    attendeesOmitted: true,
    attendees: [{ email, responseStatus: status, ...(comment !== null && { comment }) }],
  };
  const request = { path: eventPath(calendarId, id), query: { sendUpdates: "all" }, body };
  const { verdict, reason } = await api({
    ...{ ...request, kind: "change_event", method: "PATCH", accepts: ["undo", "gone"] },
  });
  if (verdict === "gone") throw new ProviderError({ kind: "gone" }, reason);
  if (verdict === "undo") throw new Refused(reason);
}
