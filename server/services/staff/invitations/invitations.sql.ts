import { bool, jsonText, oneOf, statement, text, texts, timestamp } from "@/server/db/statement";
import type { Role } from "@/server/services/staff/procedure/staff-context";

export interface InvitedApplication {
  id: string;
  name: string;
}

/** The invitation's applications, as a column of invitations `i`. */
const applications = `(SELECT coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) ORDER BY lower(p.name), p.id), '[]')
  FROM invitation_applications b JOIN applications p ON p.id = b.application_id WHERE b.invitation_id = i.id) AS applications`;

export const operatorWithEmail = statement<{ id: string; role: Role }>(
  "SELECT id, role FROM operators WHERE email = $1 FOR SHARE",
  { id: text, role: oneOf<Role>() },
);

/** Revokes the open invitations of an email address; returns the applications of those that had not expired. */
export const replaceOpen = statement<{ applications: string[] }>(
  `WITH replaced AS (
  UPDATE invitations SET revoked_at = $2 WHERE email = $1 AND accepted_at IS NULL AND revoked_at IS NULL RETURNING id, expires_at
)
SELECT ARRAY(SELECT b.application_id FROM invitation_applications b JOIN replaced r ON r.id = b.invitation_id WHERE r.expires_at > $2) AS applications`,
  { applications: texts },
);

/** Only existing applications. */
export const insertInvited = statement<{ id: string }>(
  `INSERT INTO invitation_applications (invitation_id, application_id)
SELECT $1, id FROM applications WHERE id = ANY ($2) RETURNING application_id AS id`,
  { id: text },
);

interface OpenInvitation {
  id: string;
  email: string;
  createdAt: Date;
  expiresAt: Date;
  applications: InvitedApplication[];
}

/** Invitations neither accepted nor revoked since $2, of all applications or of one. */
export const openInvitations = statement<OpenInvitation>(
  `SELECT i.id, i.email, i.created_at AS "createdAt", i.expires_at AS "expiresAt", ${applications}
FROM invitations i WHERE i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > $2
  AND ($1::text IS NULL OR EXISTS (SELECT 1 FROM invitation_applications b WHERE b.invitation_id = i.id AND b.application_id = $1))
ORDER BY i.created_at DESC, i.id`,
  {
    id: text,
    email: text,
    createdAt: timestamp,
    expiresAt: timestamp,
    applications: jsonText<InvitedApplication[]>(),
  },
);

interface StoredInvitation {
  id: string;
  email: string;
  isAccepted: boolean;
  isRevoked: boolean;
  expiresAt: Date;
  applications: InvitedApplication[];
}

const stored = `SELECT i.id, i.email, i.accepted_at IS NOT NULL AS "isAccepted", i.revoked_at IS NOT NULL AS "isRevoked",
i.expires_at AS "expiresAt", ${applications} FROM invitations i WHERE i.token_hash = $1`;

const storedColumns = {
  id: text,
  email: text,
  isAccepted: bool,
  isRevoked: bool,
  expiresAt: timestamp,
  applications: jsonText<InvitedApplication[]>(),
};

export const invitationOfToken = statement<StoredInvitation>(stored, storedColumns);

export const lockInvitation = statement<StoredInvitation>(`${stored} FOR UPDATE OF i`, storedColumns);
