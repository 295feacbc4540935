import { db } from "@/server/db/client";
import { applicationId } from "./grants";
import type { Application } from "./service";

const accounts = "account_id IN (SELECT id FROM accounts WHERE application_id = $1)";
const calendars = `calendar_id IN (SELECT id FROM calendars WHERE ${accounts})`;

/** Which rows of each table belong to an application. */
const owned: Record<string, string> = {
  applications: "id = $1",
  client_secrets: "application_id = $1",
  oauth_clients: "application_id = $1",
  redirect_uris: "application_id = $1",
  application_members: "application_id = $1",
  invitation_applications: "application_id = $1",
  caldav_servers: "application_id = $1",
  application_brandings: "application_id = $1",
  alert_targets: "scope = $1",
  alert_rules: "scope = $1",
  alerts: "scope = $1",
  alert_messages: "scope = $1",
  accounts: "application_id = $1",
  account_notes: accounts,
  profiles: "application_id = $1",
  profile_syncs: "application_id = $1",
  provider_tokens: "profile_id IN (SELECT id FROM profiles WHERE application_id = $1)",
  provider_watches: "profile_id IN (SELECT id FROM profiles WHERE application_id = $1)",
  calendars: accounts,
  skipped_resources: calendars,
  calendar_feeds: calendars,
  events: calendars,
  event_changes: calendars,
  bookings: "application_id = $1",
  booking_calendars: calendars,
  occurrences: calendars,
  calendar_days: calendars,
  calendar_months: calendars,
  grants: accounts,
  access_tokens: `grant_id IN (SELECT id FROM grants WHERE ${accounts})`,
  codes: "application_id = $1",
  link_tokens: accounts,
  channels: accounts,
  triggers: accounts,
  firings: `trigger_id IN (SELECT id FROM triggers WHERE ${accounts})`,
  deliveries: "application_id = $1",
  attempts: "delivery_id IN (SELECT id FROM deliveries WHERE application_id = $1)",
  outbox: accounts,
  seen_changes: accounts,
  provider_writes: accounts,
  delegations: "application_id = $1",
  service_account_authorizations: "application_id = $1",
  maintenance_switches: "application_id = $1",
};
const nobodys =
  /^(alert_looks|chores|request_logs(_\d{8})?|request_tallies|(deliveries|attempts)_\w+|request_counts(_by_hour)?|delivery_hosts|operators|operator_(sessions|second_factors|recovery_codes)|invitations|provider_(budgets|pauses)|provider_revocations|provider_sign_ins|audit_entries|deleted_client_ids|replays|replay_tallies|saved_views|_prisma_migrations)$/;

/** All that the database holds of an application, table by table: equal before and after a request that wrote nothing. */
export async function storedRows(application: Application): Promise<Record<string, string[]>> {
  await expectEveryTableKnown();
  const statement = Object.entries(owned).map(
    ([table, condition]) =>
      // The last use of a secret is noted whatever comes of the request.
      `SELECT '${table}' AS name, (to_jsonb(t) - 'last_used_at')::text AS row FROM ${table} t WHERE ${condition}`,
  );
  const rows = await db().query<{ name: string; row: string }>(`${statement.join(" UNION ALL ")} ORDER BY 1, 2`, [
    await applicationId(application),
  ]);
  return Object.fromEntries(
    Object.keys(owned).map((table) => [table, rows.filter(({ name }) => name === table).map(({ row }) => row)]),
  );
}

async function expectEveryTableKnown(): Promise<void> {
  const tables = await db().query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const unknown = tables.map(({ name }) => name).filter((name) => !(name in owned) && !nobodys.test(name));
  if (unknown.length > 0) throw new Error(`say in stored-rows.ts whose the rows are of ${unknown.join(", ")}`);
}
