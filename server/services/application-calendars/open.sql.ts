import { composed } from "@/server/db/composed";
import { command, text } from "@/server/db/statement";

interface OpenAccount {
  id: string;
  profile_id: string;
}

/** Shares the account; `isAlone` locks it for one transaction. */
export const openAccount = composed<{ applicationId: string; name: string; isAlone: boolean }, OpenAccount>({
  compose: ({ applicationId, name, isAlone }, { put }) =>
    `SELECT a.id, p.id AS profile_id FROM accounts a JOIN profiles p ON p.account_id = a.id AND p.provider = 'hosted'
WHERE a.application_id = ${put(applicationId)} AND a.application_calendar_id = ${put(name)} AND a.revoked_at IS NULL FOR ${isAlone ? "NO KEY UPDATE" : "SHARE"} OF a`,
  columns: { id: text, profile_id: text },
  samples: [false, true].map((isAlone) => ({ applicationId: "", name: "", isAlone })),
});

/** Does nothing when an account of this name exists. */
export const insertAccount =
  command(`WITH a AS (INSERT INTO accounts (id, application_id, kind, application_calendar_id, name, email)
  VALUES ($1, $2, 'application_calendar', $3, $3, $4)
  ON CONFLICT (application_id, application_calendar_id) WHERE revoked_at IS NULL AND application_calendar_id IS NOT NULL DO NOTHING
  RETURNING id, application_id),
p AS (INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, initial_sync_required)
  SELECT $5, id, application_id, 'hosted', 'hosted', id, $3, false FROM a RETURNING id, account_id)
INSERT INTO calendars (id, account_id, profile_id, number, external_id, name, "primary")
SELECT $6, account_id, id, 1, 'primary', $7, true FROM p`);
