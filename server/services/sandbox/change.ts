import { inputOf } from "@/server/services/input";
import { changeCalendarInSandbox } from "@/server/services/sandbox/change-calendar";
import { changeEventInSandbox } from "@/server/services/sandbox/change-event";
import { profileChanges } from "@/server/services/sandbox/change-profile";
import { sandboxChangeBody } from "@/server/services/sandbox/change-shape";
import { createLinkInSandbox } from "@/server/services/sandbox/create-link";
import { sandboxProcedure } from "@/server/services/sandbox/sandboxed";

/**
 * POST /v1/sandbox/changes: plays another person, or the provider, in an application calendar, so that every notification can be seen
 * without a provider. What it changes is stored, read and notified as what a sync finds. Throws not_found where the sandbox is off,
 * forbidden for accounts with a provider, 422 for the body, not_found for the calendar.
 */
export const changeInSandbox = sandboxProcedure.input(inputOf(sandboxChangeBody)).mutation(async ({ input, ctx }) => {
  const change = profileChanges[input.type];
  if (change) await change(ctx);
  else if (input.type.startsWith("calendar_")) await changeCalendarInSandbox(ctx, input);
  else if (input.type === "meeting_link_created") await createLinkInSandbox(ctx, input);
  else await changeEventInSandbox(ctx, input);
});
