import { newId } from "@/server/db/new-id";
import { caldavConnector } from "@/server/providers/caldav/connector";
import { connectCalendars } from "@/tests/fakes/connection";
import { basic } from "@/tests/fakes/dav-server";
import { startICloudFront } from "@/tests/fakes/icloud-front";
import { type OtherClient, otherClient } from "@/tests/fakes/other-client";
import { type Radicale, startRadicale } from "@/tests/fakes/radicale";
import { type Field, inField } from "@/tests/rig/field";
import type { Row } from "@/tests/rig/results";
import { passed, until } from "@/tests/rig/until";

const KILLS = 20;
const THEIRS = 400;
const LATEST_KILL_MS = 400;
const END_MS = 120_000;
const HOUR = 3_600_000;

const oftenPolled = { SYNC_POLL_SECONDS: "1", SYNC_QUIET_POLL_SECONDS: "1" };

/** The service is killed 20 times while it reads from and writes to a CalDAV server, then started once more and left to finish. */
export async function syncKill9(): Promise<Row[]> {
  const radicale = await startRadicale();
  const front = await startICloudFront(radicale.url);
  front.behaviour.leads = "nowhere"; // the service trusts no other port of the loopback
  try {
    return await inField({ origins: [] }, async (field) => {
      const other = otherClient(radicale.calendar, radicale);
      for (let n = 0; n < THEIRS; n += 1) await put(radicale, `theirs-${n}`);
      const connected = await connect(field, radicale, front.url);
      let ours = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        await change(other, radicale, kill);
        ours += await write(field, connected, kill);
        await leasesEnd(field);
        front.asked.length = 0;
        const service = await field.launch({ ICLOUD_CALDAV_URL: front.url, ...oftenPolled });
        await until(() => front.asked.length > 0, { within: 60_000, what: "the first request after a start" });
        await passed(Math.random() * LATEST_KILL_MS);
        await service.end("SIGKILL");
      }
      await leasesEnd(field);
      await field.launch({ ICLOUD_CALDAV_URL: front.url, ...oftenPolled });
      await until(async () => await isQuiet(field, connected.profileId), { within: END_MS, what: "the end of sync" });
      return await rowsOf(field, { other, ours, calendarId: connected.calendarId });
    });
  } finally {
    await front.close();
    await radicale.close();
  }
}

interface ConnectedPerson {
  profileId: string;
  calendarId: string;
}

async function connect({ db }: Field, radicale: Radicale, entry: string): Promise<ConnectedPerson> {
  const connector = caldavConnector({ entry });
  const account = await connector.signIn.verify({ username: radicale.user, password: radicale.password });
  const [application] = await db.query<{ id: string }>("SELECT id FROM applications LIMIT 1");
  const applicationId = application?.id ?? "";
  const { profileId } = await connectCalendars(db, { applicationId, provider: "icloud", connector, account });
  const [calendar] = await db.query<{ id: string }>("SELECT id FROM calendars WHERE profile_id = $1", [profileId]);
  return { profileId, calendarId: calendar?.id ?? "" };
}

/** The other person makes one, changes one and removes one. */
async function change(other: OtherClient, radicale: Radicale, kill: number): Promise<void> {
  await put(radicale, `new-${kill}`);
  await put(radicale, `theirs-${kill}`, `changed-${kill}`);
  await other.remove(`/theirs-${kill + KILLS}.ics`);
}

async function put(radicale: Radicale, name: string, summary = name): Promise<void> {
  const at = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const starts = Math.ceil(Date.now() / HOUR) * HOUR;
  const lines = [`UID:${name}`, "DTSTAMP:20260101T000000Z", `DTSTART:${at(starts)}`, `DTEND:${at(starts + HOUR)}`];
  const event = ["BEGIN:VEVENT", ...lines, `SUMMARY:${summary}`, "END:VEVENT"];
  const body = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//EN", ...event, "END:VCALENDAR", ""].join("\r\n");
  const headers = { authorization: basic(radicale), "content-type": "text/calendar" };
  const response = await fetch(`${radicale.calendar}${name}.ics`, { method: "PUT", headers, body });
  if (!response.ok) throw new Error(`PUT: ${response.status}`);
}

/** Three events of the application that were not pushed yet, as rows. */
async function write({ db }: Field, { calendarId, profileId }: ConnectedPerson, kill: number): Promise<number> {
  const rows = [0, 1, 2].map((n) => ({ id: newId("evt"), event_id: `ours-${kill}-${n}` }));
  await db.transaction(async (query) => {
    await query(
      `INSERT INTO events (id, calendar_id, event_id, summary, all_day, starts, ends, tzid)
SELECT id, $2, event_id, event_id, false, date_trunc('hour', now()), date_trunc('hour', now()) + interval '1 hour', 'Etc/UTC'
FROM jsonb_to_recordset($1::jsonb) AS e(id text, event_id text)`,
      [JSON.stringify(rows), calendarId],
    );
    await query(
      `INSERT INTO provider_writes (event_row, calendar_id, profile_id, account_id, removed_guests)
SELECT e.id, $2, $3, p.account_id, '{}' FROM jsonb_to_recordset($1::jsonb) AS e(id text), profiles p WHERE p.id = $3`,
      [JSON.stringify(rows), calendarId, profileId],
    );
  });
  return rows.length;
}

/** What a killed process had claimed is let go at once instead of after the lease. */
async function leasesEnd({ db }: Field): Promise<void> {
  const over = "= clock_timestamp() - interval '1 s'";
  await db.query(
    `UPDATE profile_syncs SET sync_leased_until ${over}, sync_due_at ${over}, sync_failures = 0 WHERE readable`,
  );
  await db.query(`UPDATE provider_writes SET leased_until ${over}, due_at ${over}`);
}

/** Everything is pushed, and a sync began after that and is over. */
async function isQuiet({ db }: Field, profileId: string): Promise<boolean> {
  const [row] = await db.query<{ quiet: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM provider_writes) AND sync_lease IS NULL AND NOT first_sync
  AND last_sync_at > (SELECT max(updated_at) FROM events) + interval '3 s' AS quiet FROM profile_syncs WHERE profile_id = $1`,
    [profileId],
  );
  return row?.quiet ?? false;
}

async function rowsOf(
  { db }: Field,
  { other, ours, calendarId }: { other: OtherClient; ours: number; calendarId: string },
): Promise<Row[]> {
  const there = (await other.list()).map(({ ics }) => /SUMMARY:(.*)/.exec(ics)?.[1]?.trim() ?? "").sort();
  const rows = await db.query<{ summary: string }>(
    "SELECT summary FROM events WHERE calendar_id = $1 AND deleted_at IS NULL",
    [calendarId],
  );
  const here = rows.map(({ summary }) => summary).sort();
  const doubled = (names: string[]) => names.length - new Set(names).size;
  const lost = there.filter((name) => !here.includes(name)).length;
  const ghosts = here.filter((name) => !there.includes(name)).length;
  const pushed = there.filter((name) => name.startsWith("ours-")).length;
  const none = (what: string, n: number) => ({ what, measured: `${n}`, limit: "0", ok: n === 0 });
  return [
    none(`sync, kill -9, ${KILLS} times: events of ${there.length} lost`, lost),
    none("sync, kill -9: events missing at the provider", ghosts),
    none("sync, kill -9: events duplicated in Almanac", doubled(here)),
    none("sync, kill -9: events duplicated at the provider", doubled(there)),
    none(`sync, kill -9: writes of ${ours} not pushed`, ours - pushed),
  ];
}
