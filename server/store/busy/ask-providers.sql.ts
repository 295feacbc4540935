import { prepared } from "@/server/db/client";
import { bool, int4, nullable, oneOf, statement, text, texts } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { isUnsent } from "@/server/store/events/write-states";
import { isUnpaused, isUnthrottled } from "@/server/store/mailboxes/requests-accepted";

/** A calendar at a provider, with what it is asked by. */
export interface AskedRow {
  id: string;
  externalId: string;
  defaultTzid: string;
  profileId: string;
  provider: Provider;
  connection: number;
  sealedCredential: string | null;
  /** The id of the application's own client that its profile was connected by. Null: none. */
  ownClient: string | null;
  /** Whether the provider accepts requests for the mailbox. */
  isOpen: boolean;
  /** Events of which the provider has an older version than we do, by what they are called there. */
  outdated: string[];
}

/** Names an event as its provider does, also while a write creates it. */
const name = (event: string, write: string) => `coalesce(${event}.external_id, ${write})`;

/**
 * Those of the calendars $1 that are at a provider that can be asked, at the time $2 (null: now). The events $3 count as
 * outdated.
 */
export const askedOfProviders = statement<AskedRow>(
  prepared(
    "calendars asked of providers",
    `WITH t AS MATERIALIZED (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now)
SELECT c.id, c.external_id AS "externalId", a.default_tzid AS "defaultTzid", p.id AS "profileId", p.provider, p.connection,
  p.credential AS "sealedCredential", p.oauth_client_id AS "ownClient", ${isUnthrottled("s")} AND ${isUnpaused("p.provider")} AS "isOpen",
  ARRAY(SELECT ${name("e", "w.name")} FROM provider_writes w JOIN events e ON e.calendar_id = w.calendar_id AND e.id = w.event_row
      WHERE w.calendar_id = c.id AND ${isUnsent("w")} AND ${name("e", "w.name")} IS NOT NULL
    UNION SELECT e.external_id FROM events e WHERE e.calendar_id = c.id AND e.id = ANY($3::text[]) AND e.external_id IS NOT NULL) AS outdated
FROM t CROSS JOIN calendars c JOIN profiles p ON p.id = c.profile_id JOIN profile_syncs s ON s.profile_id = p.id JOIN accounts a ON a.id = c.account_id
WHERE c.id = ANY($1::text[]) AND p.provider NOT IN ('hosted', 'feed')`,
  ),
  {
    id: text,
    externalId: text,
    defaultTzid: text,
    profileId: text,
    provider: oneOf<Provider>(),
    connection: int4,
    sealedCredential: nullable(text),
    ownClient: nullable(text),
    isOpen: bool,
    outdated: texts,
  },
);
