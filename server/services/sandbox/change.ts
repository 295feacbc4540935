import { inputOf } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { changeCalendarInSandbox } from "@/server/services/sandbox/change-calendar";
import { changeEventInSandbox } from "@/server/services/sandbox/change-event";
import { profileChanges } from "@/server/services/sandbox/change-profile";
import { sandboxChangeBody } from "@/server/services/sandbox/change-shape";
import { createLinkInSandbox } from "@/server/services/sandbox/create-link";
import { accountProcedure } from "@/server/services/trpc";

/** A procedure for application calendars only. Throws not_found where the sandbox is off, forbidden for any other account. */
const sandboxProcedure = accountProcedure.use(({ ctx, next }) => {
  if (!ctx.sandbox.isOn) throw new Refusal({ kind: "not_found" });
  if (ctx.bearer.kind !== "application_calendar") {
    const text = "The sandbox works in application calendars only: open one with POST /v1/application_calendars";
    throw new Refusal({ kind: "forbidden", text });
  }
  return next();
});

/**
 * Plays another person, or the provider, in an application calendar (POST /v1/sandbox/changes), so that every
 * notification can be tried without a provider. The change is stored, read and notified like one that a sync finds.
 * Throws not_found where the sandbox is off, forbidden for accounts with a provider, 422 for the body, not_found for
 * the calendar.
 */
export const changeInSandbox = sandboxProcedure.input(inputOf(sandboxChangeBody)).mutation(async ({ input, ctx }) => {
  const change = profileChanges[input.type];
  if (change) await change(ctx);
  else if (input.type.startsWith("calendar_")) await changeCalendarInSandbox(ctx, input);
  else if (input.type === "meeting_link_created") await createLinkInSandbox(ctx, input);
  else await changeEventInSandbox(ctx, input);
});
