import { Refusal } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

/** A procedure of application calendars alone. Throws not_found where the sandbox is off, forbidden for any other account. */
export const sandboxProcedure = accountProcedure.use(({ ctx, next }) => {
  if (!ctx.sandbox.isOn) throw new Refusal({ kind: "not_found" });
  if (ctx.bearer.kind !== "application_calendar") {
    const text = "The sandbox works in application calendars only: open one with POST /v1/application_calendars";
    throw new Refusal({ kind: "forbidden", text });
  }
  return next();
});
