import { bool, bytes, nullable, oneOf, statement, text, timestamp } from "@/server/db/statement";
import { isActiveSecret } from "@/server/store/applications/applications.sql";

export interface StoredClient {
  id: string;
  plan: "developer" | "standard";
  compatibilityMode: boolean;
  /** It may omit its secret, where it has one. */
  isPublic: boolean;
  isDisabled: boolean;
}

export interface ClientCandidate extends StoredClient {
  secretId: string;
  digest: Buffer;
  lastUsedAt: Date | null;
}

const clientColumns = {
  id: text,
  plan: oneOf<StoredClient["plan"]>(),
  compatibilityMode: bool,
  isPublic: bool,
  isDisabled: bool,
};
const client = `a.id, a.plan, a.compatibility_mode AS "compatibilityMode", a.public_client AS "isPublic", a.disabled_at IS NOT NULL AS "isDisabled"`;

const columns = {
  ...clientColumns,
  secretId: text,
  digest: bytes,
  lastUsedAt: nullable(timestamp),
};
const candidates = `SELECT ${client}, s.id AS "secretId", s.digest, s.last_used_at AS "lastUsedAt"
FROM applications a JOIN client_secrets s ON s.application_id = a.id AND ${isActiveSecret("$2::timestamptz")} WHERE`;

/** An application with each of its active secrets. $2: the current time. */
export const clientCandidates = statement<ClientCandidate>(`${candidates} a.client_id = $1`, columns);

/** The applications with an active secret of this digest at the time $2: one, unless an operator gave several the same. */
export const clientsOfSecret = statement<ClientCandidate>(`${candidates} s.digest = $1`, columns);
