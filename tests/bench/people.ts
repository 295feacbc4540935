import { randomBytes } from "node:crypto";
import type { Database } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { registerApplication } from "@/server/store/applications/register";
import { issueGrant } from "@/server/store/grants/tokens";

const DAY_MS = 86_400_000;

/** Somebody with a calendar that Almanac hosts. */
export interface Member {
  accountId: string;
  calendarId: string;
  token: string;
}

/** How many people there are, and for how many days behind and ahead they have how many events. */
export interface People {
  count: number;
  days: number;
  aDay: number;
}

/** Seeds people of one application. Gives its secret, which is accepted as a token. */
export async function seedPeople(
  db: Database,
  { count, days, aDay }: People,
): Promise<{ secret: string; members: Member[] }> {
  const [clientId, clientSecret] = [randomBytes(16).toString("hex"), randomBytes(32).toString("hex")];
  const made = { clientId, clientSecret, name: "Bench", redirectUris: [] };
  await registerApplication(db, { ...made, compatibilityMode: false, plan: "standard" }, Date.now());
  const members: Member[] = [];
  for (let n = 0; n < count; n += 1) {
    const [accountId, calendarId] = [newId("acc"), newId("cal")];
    await db.query(
      `WITH a AS (INSERT INTO accounts (id, application_id, kind, name, email)
  SELECT $1, id, 'account', 'Bench', 'bench@acme.io' FROM applications WHERE client_id = $2 RETURNING id, application_id),
p AS (INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, initial_sync_required)
  SELECT $3, id, application_id, 'hosted', 'hosted', id, 'bench@acme.io', false FROM a RETURNING id, account_id)
INSERT INTO calendars (id, account_id, profile_id, number, external_id, name, "primary") SELECT $4, account_id, id, 1, $4, 'Bench', true FROM p`,
      [accountId, clientId, newId("pro"), calendarId],
    );
    const grant = await issueGrant(db.query, { accountId, now: Date.now() });
    members.push({ accountId, calendarId, token: grant.access });
  }
  await db.query(
    `WITH e AS (INSERT INTO events (id, calendar_id, event_id, summary, all_day, starts, ends)
  SELECT 'evt_' || substr(md5(c || '/' || i), 1, 24), c, c || i, 'Planning', false, t, t + interval '45 minutes'
  FROM unnest($1::text[]) c, generate_series(0, $2::int - 1) i,
    LATERAL (SELECT to_timestamp($4) + (i / $3::int) * interval '1 day' + (i % $3::int) * interval '1 hour' AS t) t RETURNING *)
INSERT INTO occurrences (uid, master_id, calendar_id, event_id, all_day, managed, starts, ends)
SELECT id, id, calendar_id, event_id, false, true, starts, ends FROM e`,
    [
      members.map(({ calendarId }) => calendarId),
      2 * days * aDay,
      aDay,
      Math.floor(Date.now() / DAY_MS) * 86_400 - days * 86_400,
    ],
  );
  await db.query("VACUUM ANALYZE");
  return { secret: clientSecret, members };
}
