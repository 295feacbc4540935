import { JsonText } from "@/server/domain/json-text";
import { Reply } from "@/server/domain/reply";
import { foundEvent } from "@/server/services/named-events/found-event";
import { type NamedInput, namedInput } from "@/server/services/named-events/input";
import { represent } from "@/server/services/named-events/representation";
import { type AccountContext, accountProcedure } from "@/server/services/trpc";

/**
 * Returns an event by a uid that GET /v1/events returned, with its entity tag (GET /v1/events/{event_uid}). Refuses
 * with 422 for the query, not_found for the event, then 422 for the day.
 */
export const getEvent = accountProcedure.input(namedInput).query(({ input, ctx }) => shownEvent(ctx, input));

/** Returns an event as the response to a request that names it. */
export async function shownEvent(ctx: AccountContext, input: NamedInput): Promise<Reply> {
  const { event, occurrence } = await foundEvent(ctx.db.query, ctx, input);
  const { json, etag, seriesEtag } = represent(event, occurrence, ctx);
  return new Reply(new JsonText([json]), { etag: input.scope === "all" ? seriesEtag : etag });
}
