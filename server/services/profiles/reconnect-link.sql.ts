import { nullable, oneOf, statement, text, textOf } from "@/server/db/statement";
import type { Access } from "@/server/domain/access";
import type { Provider } from "@/server/domain/providers";

export interface ReconnectableProfile {
  provider: Provider;
  access: Access;
  clientId: string;
  /** The requested one if it is registered; without a request the first that is registered, https before others. */
  redirectUri: string | null;
}

/** The profile $1 of the account $2. $3: the requested redirect URI, or null. */
export const reconnectableProfile = statement<ReconnectableProfile>(
  `SELECT p.provider, p.access, a.client_id AS "clientId", (SELECT uri FROM redirect_uris WHERE application_id = a.id AND ($3::text IS NULL OR uri = $3)
  ORDER BY uri NOT LIKE 'https:%', created_at, uri LIMIT 1) AS "redirectUri"
FROM profiles p JOIN applications a ON a.id = p.application_id WHERE p.id = $1 AND p.account_id = $2`,
  { provider: oneOf<Provider>(), access: textOf<Access>(), clientId: text, redirectUri: nullable(text) },
);
