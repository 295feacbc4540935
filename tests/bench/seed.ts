import { randomBytes } from "node:crypto";
import type { Database } from "@/server/db/client";
import { newId, newToken } from "@/server/db/new-id";
import { storedSeries } from "@/server/domain/events/rule-series";
import type { Instant } from "@/server/domain/time/instant";
import { registerApplication } from "@/server/store/applications/register";
import { insertEvent } from "@/server/store/events/event-rows";
import { issueGrant } from "@/server/store/grants/tokens";

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

/** A calendar of the application's own never-ending daily series, as the API stores them. */
export async function seedSeries(db: Database, series: number): Promise<Seeded> {
  const seeded = await seedCalendar(db, 0);
  const rule = { frequency: "daily" as const, interval: 1, count: null, until: null, byDay: [] };
  const stored = storedSeries({ frequency: "daily" }, rule, { skipped: [], changed: [] });
  for (let i = 0; i < series; i++)
    await insert(db, seeded, { name: `series ${i}`, starts: firstStart(i), series: stored });
  return seeded;
}

/** The same occurrences as those of `seedSeries`, each an event of its own. */
export async function seedSingles(db: Database, series: number): Promise<Seeded> {
  const seeded = await seedCalendar(db, 0);
  for (let i = 0; i < series; i++) {
    for (let day = 0; day < READ_DAYS; day++) {
      await insert(db, seeded, { name: `single ${i} ${day}`, starts: firstStart(i) + day * DAY_MS, series: null });
    }
  }
  return seeded;
}

const DAY_MS = 86_400_000;
const READ_DAYS = 243;

function firstStart(i: number): number {
  return Math.floor(Date.now() / DAY_MS - 41) * DAY_MS + i * 1_800_000;
}

interface Inserted {
  name: string;
  starts: number;
  series: ReturnType<typeof storedSeries> | null;
}

function insert(db: Database, { calendarId }: Seeded, { name, starts, series }: Inserted): Promise<readonly string[]> {
  const span = { starts: starts as Instant, ends: (starts + 1_800_000) as Instant, allDay: false };
  const said = { summary: name, description: "", location: null, url: null, span, tzid: "Etc/UTC", private: false };
  const people = { organizer: null, attendees: [], participationStatus: "accepted" };
  const rest = {
    transparency: "opaque" as const,
    status: "confirmed",
    categories: [],
    conferencing: null,
    ruleSeries: series,
    icalRecurrence: null,
  };
  const target = { calendarId, eventId: name, externalId: null, now: Date.now() as Instant };
  return db.transaction((query) => insertEvent(query, target, { ...said, ...people, ...rest }));
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

/** A first sync stores about so many events in a millisecond, and their ids begin with it (ADR 75). */
const CREATED_AT_ONCE = 100;

/** So many single events, in the order of their time, as a first sync stores them. */
export async function fill(db: Database, calendarId: string, occurrences: number): Promise<void> {
  await db.query(
    `WITH e AS (INSERT INTO events (id, calendar_id, external_id, summary, description, location, all_day, starts, ends, tzid, attendees, organizer)
  SELECT 'evt_' || lpad(to_hex((date_part('epoch', now()) * 1000)::bigint + i / $3), 12, '0') || substr(md5($1 || i), 1, 12), $1, 'x' || i, 'Planning round ' || i, repeat('What was said last time. ', 6), 'Room ' || i % 40, false,
    date_trunc('second', now() - interval '41 days' + i * interval '240 days' / $2::int),
    date_trunc('second', now() - interval '41 days' + i * interval '240 days' / $2::int) + interval '45 minutes', 'Europe/Berlin',
    '[{"email":"ann@acme.io","display_name":"Ann","status":"accepted"},{"email":"bo@acme.io","display_name":null,"status":"needs_action"}]',
    '{"email":"ann@acme.io","display_name":"Ann"}'
  FROM generate_series(1, $2::int) i RETURNING *)
INSERT INTO occurrences (uid, master_id, calendar_id, all_day, managed, starts, ends) SELECT id, id, calendar_id, false, false, starts, ends FROM e`,
    [calendarId, occurrences, CREATED_AT_ONCE],
  );
}
