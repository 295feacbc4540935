import { bool, float8, idOf, int4, nullable, oneOf, statement, text } from "@/server/db/statement";
import type { AccountId } from "@/server/domain/ids";
import type { Provider } from "@/server/domain/providers";
import type { Instant } from "@/server/domain/time/instant";

/** A calendar of a member with what says how far its events are known. Times in milliseconds. */
export interface MemberRow {
  accountId: AccountId;
  defaultTzid: string;
  provider: Provider | null;
  connected: boolean | null;
  disconnectedAt: number | null;
  profileCreatedAt: number | null;
  needsFirstSync: boolean | null;
  lastSyncAt: number | null;
  /** Null: the profile has no calendars, or the account no profile. */
  calendarId: string | null;
  isDeleted: boolean | null;
  calendarCreatedAt: number | null;
  readAt: number | null;
  failures: number | null;
  coveredUntil: Instant | null;
}

const millis = (column: string) => `date_part('epoch', ${column}) * 1000`;

/**
 * The accounts $1 of the application $2 with their profiles and calendars. An account whose code was never exchanged is
 * unknown to its application, as is one that was revoked.
 */
export const memberCalendars = statement<MemberRow>(
  `SELECT a.id AS "accountId", a.default_tzid AS "defaultTzid", p.provider, p.connected, ${millis("p.disconnected_at")} AS "disconnectedAt",
  ${millis("p.created_at")} AS "profileCreatedAt", p.initial_sync_required AS "needsFirstSync", ${millis("s.last_sync_at")} AS "lastSyncAt",
  c.id AS "calendarId", c.deleted AS "isDeleted", ${millis("c.created_at")} AS "calendarCreatedAt", ${millis("c.read_at")} AS "readAt",
  c.sync_failures AS failures, ${millis("c.covered_until")} AS "coveredUntil"
FROM accounts a LEFT JOIN profiles p ON p.account_id = a.id LEFT JOIN profile_syncs s ON s.profile_id = p.id
LEFT JOIN calendars c ON c.profile_id = p.id
WHERE a.id = ANY($1::text[]) AND a.application_id = $2 AND a.revoked_at IS NULL AND EXISTS (SELECT FROM grants g WHERE g.account_id = a.id)
ORDER BY a.id, c.number`,
  {
    accountId: idOf<AccountId>(),
    defaultTzid: text,
    provider: nullable(oneOf<Provider>()),
    connected: nullable(bool),
    disconnectedAt: nullable(float8),
    profileCreatedAt: nullable(float8),
    needsFirstSync: nullable(bool),
    lastSyncAt: nullable(float8),
    calendarId: nullable(text),
    isDeleted: nullable(bool),
    calendarCreatedAt: nullable(float8),
    readAt: nullable(float8),
    failures: nullable(int4),
    coveredUntil: { type: "float8", isNullable: true },
  },
);
