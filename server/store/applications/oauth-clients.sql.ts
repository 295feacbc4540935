import { oneOf, statement, text } from "@/server/db/statement";
import type { Quota } from "@/server/domain/provider-quotas";

/** A client that its application still needs. */
export interface ClientInUse {
  id: string;
  applicationName: string;
  provider: Quota;
  clientId: string;
  sealed: string;
}

/** The clients by which users of applications sign in, and replaced ones that connected profiles name. */
export const selectClientsInUse = statement<ClientInUse>(
  `SELECT c.id, a.name AS "applicationName", c.provider, c.client_id AS "clientId", c.sealed
FROM oauth_clients c JOIN applications a ON a.id = c.application_id
WHERE a.deleted_at IS NULL AND (c.replaced_at IS NULL OR EXISTS (SELECT FROM profiles p
  WHERE p.application_id = c.application_id AND p.provider IN (c.provider, CASE c.provider WHEN 'microsoft' THEN 'outlook'::provider END)
    AND p.oauth_client_id = c.id AND p.connected))
ORDER BY a.name, c.provider, c.created_at`,
  { id: text, applicationName: text, provider: oneOf<Quota>(), clientId: text, sealed: text },
);
