import { randomBytes } from "node:crypto";
import type { Database } from "@/server/db/client";
import { storedSeries } from "@/server/domain/events/rule-series";
import type { Instant } from "@/server/domain/time/instant";
import { insertEvent } from "@/server/store/events/event-rows";
import { type Seeded, seedAccount, seedApplication } from "@/tests/rig/seed";

/** An account with one calendar of `occurrences` single events of others, spread evenly over the read window. */
export async function seedCalendar(
  db: Database,
  occurrences: number,
  name = `bench-${randomBytes(4).toString("hex")}`,
): Promise<Seeded> {
  const seeded = await seedAccount(db, await seedApplication(db, name));
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

/** Gives the first occurrence of a calendar a time of its last change. */
export async function changeOne(db: Database, calendarId: string, at: Date): Promise<void> {
  await db.query(
    "UPDATE occurrences SET updated_at = $2 WHERE calendar_id = $1 AND uid = (SELECT min(uid) FROM occurrences WHERE calendar_id = $1 AND NOT managed)",
    [calendarId, at],
  );
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
