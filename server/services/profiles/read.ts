import type { Database } from "@/server/db/client";
import type { Provider, ProviderService } from "@/server/domain/providers";
import { providerName, serviceName, type Vocabulary } from "@/server/domain/wire-names";
import type { CalendarAnswer, ProfileAnswer } from "@/server/services/profiles/answer";

interface ProfileRow {
  profile_id: string;
  provider: Provider;
  service: ProviderService;
  profile_name: string;
  connected: boolean;
  initial_sync_required: boolean;
  calendars: CalendarRow[];
}

interface CalendarRow {
  calendar_id: string;
  calendar_name: string;
  calendar_readonly: boolean;
  calendar_deleted: boolean;
  calendar_primary: boolean;
  integrated_conferencing: boolean;
  permission_level: string;
}

const statement = `SELECT p.id AS profile_id, p.provider, p.service, p.name AS profile_name, p.connected, p.initial_sync_required,
  coalesce((SELECT json_agg(json_build_object('calendar_id', c.id, 'calendar_name', c.name, 'calendar_readonly', c.readonly,
    'calendar_deleted', c.deleted, 'calendar_primary', c."primary", 'integrated_conferencing', c.integrated_conferencing,
    'permission_level', c.permission_level) ORDER BY c.number) FROM calendars c WHERE c.profile_id = p.id), '[]') AS calendars
FROM profiles p WHERE p.account_id = $1 ORDER BY p.created_at, p.id`;

/** The account's profiles with their calendars, as documented ("Profile", "Calendar"): one statement. */
export async function readProfiles(db: Database, accountId: string, names: Vocabulary): Promise<ProfileAnswer[]> {
  const rows = await db.query<ProfileRow>(statement, [accountId]);
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

function shapeCalendar({ integrated_conferencing, permission_level, ...calendar }: CalendarRow): CalendarAnswer {
  return {
    ...calendar,
    calendar_integrated_conferencing_available: integrated_conferencing,
    calendar_attachments_available: false,
    permission_level,
  };
}
