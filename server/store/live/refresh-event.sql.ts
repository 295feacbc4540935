import { prepared } from "@/server/db/client";
import { bool, int4, json, nullable, oneOf, statement, text } from "@/server/db/statement";
import type { Synced } from "@/server/domain/providers";
import type { EventParts } from "@/server/providers/writing";

export interface EventAtProvider {
  provider: Synced;
  profileId: string;
  connection: number;
  /** Null: its profile is disconnected. */
  sealedCredential: string | null;
  /** The id of the application's own client that its profile was connected by. Null: none. */
  ownClient: string | null;
  /** The provider's name of the calendar, and its time zone. */
  calendar: string;
  tzid: string | null;
  /** Null: the provider does not have the event. */
  externalId: string | null;
  version: string | null;
  parts: EventParts;
  /** The provider wants no requests at the moment, of the mailbox or at all. */
  isThrottled: boolean;
  /** When the provider is asked, as PostgreSQL writes it. */
  since: string;
}

/** What is needed to ask an event's provider about it, if its profile is connected. */
export const eventAtProvider = statement<EventAtProvider>(
  prepared(
    "event at provider",
    `SELECT p.provider, p.id AS "profileId", p.connection, p.credential AS "sealedCredential", p.oauth_client_id AS "ownClient", c.external_id AS calendar, c.tzid,
  e.external_id AS "externalId", e.etag AS version, coalesce(e.parts, '{}') AS parts,
  greatest(s.throttled_until, a.until) > coalesce($3::timestamptz, clock_timestamp()) IS TRUE AS "isThrottled", clock_timestamp()::text AS since
FROM events e JOIN calendars c ON c.id = e.calendar_id JOIN profiles p ON p.id = c.profile_id
JOIN profile_syncs s ON s.profile_id = p.id LEFT JOIN provider_pauses a ON a.provider = p.provider
WHERE e.calendar_id = $1 AND e.id = $2 AND p.connected`,
  ),
  {
    provider: oneOf<Synced>(),
    profileId: text,
    connection: int4,
    sealedCredential: nullable(text),
    ownClient: nullable(text),
    calendar: text,
    tzid: nullable(text),
    externalId: nullable(text),
    version: nullable(text),
    parts: json<EventParts>(),
    isThrottled: bool,
    since: text,
  },
);
