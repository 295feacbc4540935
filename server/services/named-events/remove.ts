import { dayOfText } from "@/server/domain/events/rule-series";
import { changeSeries } from "@/server/services/events/change-series";
import { changeNamedEvent } from "@/server/services/named-events/change-named";
import { changedInput } from "@/server/services/named-events/input";
import { refuseForGuests } from "@/server/services/named-events/patch";
import { accountProcedure } from "@/server/services/trpc";

/**
 * Deletes an event, one occurrence of a series, or with scope=all the series (DELETE /v1/events/{event_uid}). Refuses
 * as PATCH does.
 */
export const deleteNamedEvent = accountProcedure.input(changedInput(() => null)).mutation(async ({ input, ctx }) => {
  await changeNamedEvent(ctx, { ...input, right: "delete" }, ({ event, occurrence }, calendar) => {
    const { state } = event.living;
    refuseForGuests(state, calendar);
    const isOne = occurrence.day !== null && input.scope === "this";
    return { state: isOne ? changeSeries(state, dayOfText(occurrence.day ?? ""), { skip: true }) : null };
  });
});
