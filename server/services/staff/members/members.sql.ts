import { nullable, statement, text, timestamp } from "@/server/db/statement";

interface StoredMember {
  id: string;
  email: string;
  name: string;
  disabledAt: Date | null;
  since: Date;
}

/** Locks an operator who is a developer until the transaction is over: the role does not change in the meantime. */
export const lockDeveloper = statement<{ email: string }>(
  "SELECT email FROM operators WHERE id = $1 AND role = 'developer' FOR SHARE",
  { email: text },
);

export const membersOf = statement<StoredMember>(
  `SELECT o.id, o.email, o.name, o.disabled_at AS "disabledAt", m.created_at AS since
FROM application_members m JOIN operators o ON o.id = m.operator_id
WHERE m.application_id = $1 AND o.role = 'developer' ORDER BY o.email`,
  { id: text, email: text, name: text, disabledAt: nullable(timestamp), since: timestamp },
);

/** Only existing applications of which the operator was not a member yet. */
export const insertMemberships = statement<{ id: string }>(
  `INSERT INTO application_members (operator_id, application_id, created_at)
SELECT $1, id, $3 FROM applications WHERE id = ANY ($2) ON CONFLICT DO NOTHING RETURNING application_id AS id`,
  { id: text },
);
