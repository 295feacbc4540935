import type { Database } from "@/server/db/client";
import { newId, newSigningSecret, newToken } from "@/server/db/new-id";
import { seal } from "@/server/db/sealed";
import { registerApplication } from "@/server/store/applications/register";
import { issueGrant } from "@/server/store/grants/tokens";

export interface Seeded {
  accountId: string;
  calendarId: string;
  token: string;
}

/** Registers an application. Gives its client id. */
export async function seedApplication(db: Database, name = "Rig"): Promise<string> {
  const made = { clientId: newToken(), clientSecret: newToken(), name, redirectUris: [] };
  await registerApplication(db, { ...made, compatibilityMode: false, plan: "standard" }, Date.now());
  return made.clientId;
}

/** One more account of an application, with an empty calendar. */
export async function seedAccount(db: Database, clientId: string): Promise<Seeded> {
  const accountId = newId("acc");
  const calendarId = newId("cal");
  await db.query(
    `WITH a AS (INSERT INTO accounts (id, application_id, kind, name, email)
  SELECT $1, id, 'account', 'Bench', 'bench@acme.io' FROM applications WHERE client_id = $2 RETURNING id, application_id),
p AS (INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, initial_sync_required)
  SELECT $3, id, application_id, 'icloud', 'icloud', id, 'bench@acme.io', false FROM a RETURNING id, account_id)
INSERT INTO calendars (id, account_id, profile_id, number, external_id, name, "primary") SELECT $4, account_id, id, 1, 'bench', 'Bench', true FROM p`,
    [accountId, clientId, newId("pro"), calendarId],
  );
  const { access } = await issueGrant(db.query, { accountId, now: Date.now() });
  return { accountId, calendarId, token: access };
}

/** Opens a channel of an account for each URL. Gives their ids. */
export async function seedChannels(
  db: Database,
  { accountId, urls }: { accountId: string; urls: readonly string[] },
): Promise<string[]> {
  const rows = urls.map((url) => {
    const id = newId("chn");
    return { id, url, sealed: seal(newSigningSecret(), { table: "channels", column: "sealed_secret", row: id }) };
  });
  await db.query(
    `INSERT INTO channels (id, account_id, callback_url, calendar_ids, sealed_secret)
SELECT id, $1, url, '{}', sealed FROM jsonb_to_recordset($2::jsonb) AS c(id text, url text, sealed text)`,
    [accountId, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}

/** So many due deliveries to each channel, in one statement. Gives their ids. */
export async function seedDeliveries(db: Database, channels: readonly string[], each: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, created_at, next_attempt_at)
SELECT 'whd_' || replace(gen_random_uuid()::text, '-', ''), c.id, c.account_id, a.application_id, 'change',
  json_build_object('notification', json_build_object('type', 'change'), 'channel', json_build_object('channel_id', c.id)),
  split_part(c.callback_url, '/', 3), t.now, t.now
FROM channels c JOIN accounts a ON a.id = c.account_id, generate_series(1, $2::int), (SELECT clock_timestamp() AS now) t
WHERE c.id = ANY ($1) RETURNING id`,
    [channels, each],
  );
  return rows.map(({ id }) => id);
}
