import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { providerName, serviceName, type Vocabulary } from "@/server/domain/wire-names";
import { refuseRevoked } from "@/server/services/living-account";
import { type CalendarRow, profilesWithCalendars } from "@/server/services/profiles/profiles.sql";
import type { CalendarShape, CalendarsShape, ProfileShape } from "@/server/services/profiles/response-shape";
import { accountProcedure } from "@/server/services/trpc";

/** Lists the profiles (GET /v1/profiles). */
export const listProfiles = accountProcedure.query(async ({ ctx }) => ({
  profiles: await readProfiles(ctx.db, ctx.bearer.accountId, ctx.names),
}));

/** Lists the calendars, each with its profile (GET /v1/calendars). */
export const listCalendars = accountProcedure.query(async ({ ctx }): Promise<CalendarsShape> => {
  const profiles = await readProfiles(ctx.db, ctx.bearer.accountId, ctx.names);
  const calendars = profiles.flatMap(({ provider_name, profile_id, profile_name, profile_calendars }) =>
    profile_calendars.map((calendar) => ({ provider_name, profile_id, profile_name, ...calendar })),
  );
  return { calendars, sub: ctx.bearer.accountId };
});

/**
 * Reads the account's profiles with their calendars, as documented ("Profile", "Calendar"), in one statement. Throws
 * signed_out when the account was revoked in the meantime.
 */
export async function readProfiles(db: Database, accountId: string, names: Vocabulary): Promise<ProfileShape[]> {
  const rows = await run(db.query, profilesWithCalendars, [accountId]);
  if (rows.length === 0) await refuseRevoked(db, accountId);
  return rows.map((row) => ({
    provider_name: providerName(names, row.provider),
    provider_service: serviceName(names, row.service),
    profile_id: row.profile_id,
    profile_name: row.profile_name,
    profile_connected: row.connected,
    profile_relink_url: null,
    profile_initial_sync_required: row.initial_sync_required,
    profile_calendars: row.calendars.map(shapeCalendar),
  }));
}

function shapeCalendar({ integrated_conferencing, permission_level, ...calendar }: CalendarRow): CalendarShape {
  return {
    ...calendar,
    calendar_integrated_conferencing_available: integrated_conferencing,
    calendar_attachments_available: false,
    permission_level,
  };
}
