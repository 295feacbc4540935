import { guestIssues } from "@/server/domain/calendars/guest-rules";
import type { EventState } from "@/server/domain/events/event-state";
import { inputOf } from "@/server/services/input";
import { type ChangedCalendar, changeNamedEvent } from "@/server/services/named-events/change-named";
import { shownEvent } from "@/server/services/named-events/get";
import { changedInput } from "@/server/services/named-events/input";
import { eventPatch } from "@/server/services/named-events/patch-body";
import { ownTextsAfter, patchedEvent, patchedOccurrence } from "@/server/services/named-events/patched-event";
import { invalid } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

/**
 * Changes what a merge patch names of an event, or of one occurrence of a series, and returns the event as `getEvent`
 * does (PATCH /v1/events/{event_uid}). Refuses with 422 for body and query, not_found and 422 for the event, forbidden,
 * `changed` for If-Match, then 422 for what the calendar cannot carry out.
 */
export const patchEvent = accountProcedure.input(changedInput(inputOf(eventPatch))).mutation(async ({ input, ctx }) => {
  const { body: patch, scope } = input;
  await changeNamedEvent(ctx, { ...input, right: "update" }, (found, calendar) => {
    const { living, record } = found.event;
    refuseForGuests(living.state, calendar);
    const given = { ...found, patch, calendar };
    if (found.occurrence.day !== null && scope === "this") return { state: patchedOccurrence(given) };
    return { state: patchedEvent(given), ownTexts: ownTextsAfter(record.ownTexts, patch) };
  });
  return await shownEvent(ctx, input);
});

/** Throws what the calendar has against a change that leaves an event's guests as they are. */
export function refuseForGuests({ attendees }: EventState, { provider, invites, notify }: ChangedCalendar): void {
  const issues = guestIssues({ provider, invites, change: null, before: attendees, guests: attendees, notify });
  if (issues.length > 0) throw invalid(...issues);
}
