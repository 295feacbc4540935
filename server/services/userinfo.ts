import { differs } from "@/server/domain/compat";
import { userinfoPrefix } from "@/server/domain/wire-names";
import { readProfiles } from "@/server/services/profiles/list";
import { accountProcedure } from "@/server/services/trpc";

/**
 * Shows the user (GET /v1/userinfo, "Userinfo"). An application calendar has its application_calendar_id in place of an
 * email address.
 */
export const showUserinfo = accountProcedure.query(async ({ ctx }) => {
  const { bearer, names } = ctx;
  const prefix = userinfoPrefix(names, differs("userinfoKeys", bearer));
  const application_calendar_id = bearer.applicationCalendarId;
  const profiles = await readProfiles(ctx.db, bearer.accountId, names);
  return {
    sub: bearer.accountId,
    ...(application_calendar_id === null ? { email: bearer.email } : { application_calendar_id }),
    name: bearer.name,
    zoneinfo: bearer.defaultTzid,
    [`${prefix}.type`]: bearer.kind,
    [`${prefix}.data`]: {
      authorization: { scope: bearer.scope, status: "active" },
      ...(application_calendar_id !== null && { application_calendar: { application_calendar_id } }),
      profiles,
    },
  };
});
