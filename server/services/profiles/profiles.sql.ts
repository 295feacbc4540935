import { prepared } from "@/server/db/client";
import { bool, jsonText, oneOf, statement, text } from "@/server/db/statement";
import type { Provider, ProviderService } from "@/server/domain/providers";

export interface ProfileRow {
  profile_id: string;
  provider: Provider;
  service: ProviderService;
  profile_name: string;
  connected: boolean;
  initial_sync_required: boolean;
  calendars: CalendarRow[];
}

export interface CalendarRow {
  calendar_id: string;
  calendar_name: string;
  calendar_readonly: boolean;
  calendar_deleted: boolean;
  calendar_primary: boolean;
  integrated_conferencing: boolean;
  permission_level: string;
}

/** The account is hidden from the planner, or it would plan for each of them (ADR 73). */
export const profilesWithCalendars = statement<ProfileRow>(
  prepared(
    "profiles with calendars",
    `SELECT p.id AS profile_id, p.provider, p.service, p.name AS profile_name, p.connected, p.initial_sync_required,
  coalesce((SELECT json_agg(json_build_object('calendar_id', c.id, 'calendar_name', c.name, 'calendar_readonly', c.readonly,
    'calendar_deleted', c.deleted, 'calendar_primary', c."primary", 'integrated_conferencing', c.integrated_conferencing,
    'permission_level', c.permission_level) ORDER BY c.number) FROM calendars c WHERE c.profile_id = p.id), '[]') AS calendars
FROM profiles p WHERE p.account_id = (SELECT $1::text) ORDER BY p.created_at, p.id`,
  ),
  {
    profile_id: text,
    provider: oneOf<Provider>(),
    service: oneOf<ProviderService>(),
    profile_name: text,
    connected: bool,
    initial_sync_required: bool,
    calendars: jsonText<CalendarRow[]>(),
  },
);
