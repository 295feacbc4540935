import { z } from "zod";
import type { EventState, OccurrenceChanges } from "@/server/domain/events/event-state";
import { participationIn } from "@/server/domain/events/participation";
import { dayOfText } from "@/server/domain/events/rule-series";
import { type RepliedEvent, withOwnReply } from "@/server/domain/merge/own-reply";
import { MAX_SUMMARY } from "@/server/domain/text-limits";
import { sparse, text } from "@/server/services/fields";
import { inputOf } from "@/server/services/input";
import { changeNamedEvent, type Decision } from "@/server/services/named-events/change-named";
import { type FoundEvent, notAnOccurrence } from "@/server/services/named-events/found-event";
import { repliedInput } from "@/server/services/named-events/input";
import { shownSpan } from "@/server/services/named-events/patched-times";
import { ownAddresses } from "@/server/services/named-events/rights";
import { invalid } from "@/server/services/refusal";
import { type AccountContext, accountProcedure } from "@/server/services/trpc";

/** The body of POST /v1/calendars/{calendar_id}/events/{event_uid}/participation_status. */
export const participationBody = sparse({
  status: z.enum(["accepted", "declined", "tentative"]).describe("The user's reply."),
  comment: text({ max: MAX_SUMMARY }).describe("A note to the organizer.").optional(),
});

type Reply = z.output<typeof participationBody>;

/**
 * Replies to an invitation for the user: to the occurrence that the uid names, or to the whole event. Refuses with 422
 * for body and query, not_found and 422 for the event, forbidden, then 422 where the user is not invited.
 */
export const replyToEvent = accountProcedure
  .input(repliedInput(inputOf(participationBody)))
  .mutation(async ({ input, ctx }) => {
    const { body: reply, ...named } = input;
    const change = { ...named, ifMatch: null, notify: false, right: "reply" } as const;
    await changeNamedEvent(ctx, change, (found): Decision => {
      const isWhole = input.scope === "all" || (input.day === null && input.uid === found.event.record.id);
      refuseUninvited(found, ctx);
      const { state, recurrenceId } = replied(found, { reply, isWhole, ctx });
      const { status, comment = null } = reply;
      const key = isWhole ? "" : (found.occurrence.day ?? "");
      return { state, replies: { [key]: { status, comment, recurrenceId } }, isSent: comment !== null };
    });
  });

type People = Pick<EventState, "attendees" | "participationStatus">;

/** Returns the guests of an occurrence, and the user's reply to it. */
function peopleOf({ event, occurrence }: FoundEvent): People {
  const { attendees, participationStatus } = event.living.state;
  const changes: OccurrenceChanges = occurrence.changes === "" ? {} : JSON.parse(occurrence.changes);
  return {
    attendees: changes.attendees ?? attendees,
    participationStatus: changes.participation_status ?? participationStatus,
  };
}

function refuseUninvited(found: FoundEvent, { bearer }: AccountContext): void {
  const { record, living } = found.event;
  const own = ownAddresses(record, bearer);
  const people = { organizer: living.state.organizer, ...peopleOf(found) };
  const part = participationIn(people, { provider: record.provider, own });
  if (part === "organizer") {
    throw invalid({ path: [], key: "errors.is_organizer", description: "The user organizes the event" });
  }
  if (part === "none") {
    throw invalid({ path: [], key: "errors.not_a_guest", description: "The user is not invited to the event" });
  }
}

interface ToReply {
  reply: Reply;
  isWhole: boolean;
  ctx: AccountContext;
}

function replied(found: FoundEvent, { reply: { status }, isWhole, ctx: { bearer } }: ToReply): RepliedEvent {
  const { record, living } = found.event;
  const { occurrence } = found;
  const isHosted = record.provider === "hosted";
  const isOne = occurrence.day !== null && !isWhole;
  const after = withOwnReply(living.state, {
    status,
    own: ownAddresses(record, bearer),
    // A provider lists its guests by itself.
    entry: isHosted ? { email: bearer.email, display_name: bearer.name, status } : null,
    occurrence: isOne
      ? {
          day: dayOfText(occurrence.day ?? ""),
          starts: shownSpan(occurrence).starts,
          attendees: peopleOf(found).attendees,
        }
      : null,
  });
  if (!after) throw notAnOccurrence();
  return after;
}
