import { randomBytes } from "node:crypto";
import type { Database } from "@/server/db/client";
import { newId, newToken } from "@/server/db/new-id";

import { registerApplication } from "@/server/services/applications/register";
import { issueGrant } from "@/server/services/grants/tokens";

export interface Seeded {
  accountId: string;
  calendarId: string;
  token: string;
}

/** An account with one calendar of `occurrences` single events of others, spread evenly over the read window. */
export async function seedCalendar(
  db: Database,
  occurrences: number,
  name = `bench-${randomBytes(4).toString("hex")}`,
): Promise<Seeded> {
  const clientId = newToken();
  const given = {
    clientId,
    clientSecret: newToken(),
    name,
    redirectUris: [],
    compatibilityMode: false,
    plan: "standard" as const,
  };
  await registerApplication(db, given, Date.now());
  const seeded = await seedAccount(db, clientId);
  await fill(db, seeded.calendarId, occurrences);
  return seeded;
}

/** One more account of an application, with an empty calendar. */
export async function seedAccount(db: Database, clientId: string): Promise<Seeded> {
  const accountId = newId("acc");
  const calendarId = newId("cal");
  await db.query(
    `WITH a AS (INSERT INTO accounts (id, application_id, kind, name, email, calendar_count)
  SELECT $1, id, 'account', 'Bench', 'bench@acme.io', 1 FROM applications WHERE client_id = $2 RETURNING id, application_id),
p AS (INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, initial_sync_required)
  SELECT $3, id, application_id, 'prov_d', 'svc_d1', id, 'bench@acme.io', false FROM a RETURNING id, account_id)
INSERT INTO calendars (id, account_id, profile_id, number, external_id, name, "primary") SELECT $4, account_id, id, 1, 'bench', 'Bench', true FROM p`,
    [accountId, clientId, newId("pro"), calendarId],
  );
  const { response } = await issueGrant(db.query, { accountId, now: Date.now() });
  return { accountId, calendarId, token: response.access_token };
}

async function fill(db: Database, calendarId: string, occurrences: number): Promise<void> {
  await db.query(
    `WITH e AS (INSERT INTO events (id, calendar_id, external_id, summary, description, location, all_day, starts, ends, tzid, attendees, organizer)
  SELECT 'evt_' || substr(md5($1 || i), 1, 24), $1, 'x' || i, 'Planning round ' || i, repeat('What was said last time. ', 6), 'Room ' || i % 40, false,
    date_trunc('second', now() - interval '41 days' + i * interval '240 days' / $2::int),
    date_trunc('second', now() - interval '41 days' + i * interval '240 days' / $2::int) + interval '45 minutes', 'Europe/Berlin',
    '[{"email":"ann@acme.io","display_name":"Ann","status":"accepted"},{"email":"bo@acme.io","display_name":null,"status":"needs_action"}]',
    '{"email":"ann@acme.io","display_name":"Ann"}'
  FROM generate_series(1, $2::int) i RETURNING *)
INSERT INTO occurrences (uid, master_id, calendar_id, all_day, managed, starts, ends) SELECT id, id, calendar_id, false, false, starts, ends FROM e`,
    [calendarId, occurrences],
  );
}
