import { readProfiles } from "@/server/services/profiles/read";
import type { CalendarsShape } from "@/server/services/profiles/response-shape";
import { accountProcedure } from "@/server/services/trpc";

/** GET /v1/calendars: `{ calendars, sub }`, each calendar with the profile that it belongs to. */
export const listCalendars = accountProcedure.query(async ({ ctx }): Promise<CalendarsShape> => {
  const profiles = await readProfiles(ctx.db, ctx.bearer.accountId, ctx.names);
  const calendars = profiles.flatMap(({ provider_name, profile_id, profile_name, profile_calendars }) =>
    profile_calendars.map((calendar) => ({ provider_name, profile_id, profile_name, ...calendar })),
  );
  return { calendars, sub: ctx.bearer.accountId };
});
