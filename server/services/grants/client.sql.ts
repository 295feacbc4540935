import { bool, bytes, nullable, oneOf, statement, text, timestamp } from "@/server/db/statement";

export interface ClientCandidate {
  id: string;
  plan: "developer" | "standard";
  compatibilityMode: boolean;
  isDisabled: boolean;
  secretId: string;
  digest: Buffer;
  lastUsedAt: Date | null;
}

/** An application with each of its active secrets. */
export const clientCandidates = statement<ClientCandidate>(
  `SELECT a.id, a.plan, a.compatibility_mode AS "compatibilityMode", a.disabled_at IS NOT NULL AS "isDisabled", s.id AS "secretId", s.digest, s.last_used_at AS "lastUsedAt"
FROM applications a JOIN client_secrets s ON s.application_id = a.id AND s.retired_at IS NULL WHERE a.client_id = $1`,
  {
    id: text,
    plan: oneOf<ClientCandidate["plan"]>(),
    compatibilityMode: bool,
    isDisabled: bool,
    secretId: text,
    digest: bytes,
    lastUsedAt: nullable(timestamp),
  },
);
