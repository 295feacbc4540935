import { differs } from "@/server/domain/compat";
import type { AccountShape } from "@/server/services/account-shape";
import { Refusal } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

/**
 * Shows the account (GET /v1/account), all from the access token's own look-up. Refuses an application calendar in
 * compatibility mode.
 */
export const showAccount = accountProcedure.query(({ ctx: { bearer } }): AccountShape => {
  if (differs("hidesAccountOfApplicationCalendar", bearer) && bearer.kind === "application_calendar") {
    throw new Refusal({ kind: "not_offered", text: "Not available for application calendars" });
  }
  return {
    account: {
      account_id: bearer.accountId,
      type: bearer.kind,
      email: bearer.email,
      name: bearer.name,
      scope: bearer.scope,
      default_tzid: bearer.defaultTzid,
    },
  };
});
