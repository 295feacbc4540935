import { issueGrant } from "@/server/store/grants/tokens";
import { freePort } from "@/tests/fakes/free-port";
import { type GoogleFake, startGoogle } from "@/tests/fakes/google/google";
import { connectGoogleAccount, googleEnv } from "@/tests/fakes/google-connection";
import { noteClaims } from "@/tests/rig/claims";
import { named } from "@/tests/rig/database";
import type { Field } from "@/tests/rig/field";
import type { Service } from "@/tests/rig/service";
import { until } from "@/tests/rig/until";

export const OWNER = "ada@example.com";
const FAR_MS = 180_000;

/** Somebody whose calendar at Google is connected, and the processes that work for them. Google outlives them all. */
export interface Stage {
  field: Field;
  google: GoogleFake;
  accountId: string;
  profileId: string;
  calendarId: string;
  token: string;
  /** A process that Google notifies of changes. Its claims are noted under its name, which begins with the given one. */
  launch(name: string): Promise<Process>;
}

export interface Process {
  name: string;
  service: Service;
  origin: string;
}

/** Google with one account. */
export function newGoogle(): Promise<GoogleFake> {
  return startGoogle({ accounts: [{ email: OWNER, name: "Ada" }], knobs: { consent: "given" } });
}

export async function newStage(field: Field, google: GoogleFake): Promise<Stage> {
  const { db } = field;
  const [application] = await db.query<{ id: string }>("SELECT id FROM applications LIMIT 1");
  const { accountId, profileId } = await connectGoogleAccount(db, google, application?.id ?? "");
  const [calendar] = await db.query<{ id: string }>("SELECT id FROM calendars WHERE profile_id = $1", [profileId]);
  const { access } = await issueGrant(db.query, { accountId, now: Date.now() });
  await noteClaims(db, "provider_writes");
  await noteClaims(db, "profile_syncs");
  let launched = 0;
  const launch = async (kind: string) => {
    launched += 1;
    const name = `${kind}-${launched}`;
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const service = await field.launch({
      ...{ PORT: String(port), BASE_URL: origin, DATABASE_URL: named(field.url, name) },
      ...googleEnv(google),
    });
    return { name, service, origin };
  };
  return { field, google, accountId, profileId, calendarId: calendar?.id ?? "", token: access, launch };
}

/** What a killed process had claimed is let go at once instead of after the lease, and Google is asked for what it could not notify it of. */
export async function leasesEnd({ field: { db } }: Stage, killed: string): Promise<void> {
  const over = "clock_timestamp() - interval '1 s'";
  const its = "IN (SELECT lease FROM claims WHERE by = $1)";
  await db.query(`UPDATE profile_syncs SET sync_leased_until = ${over} WHERE sync_lease::text ${its}`, [killed]);
  await db.query(`UPDATE provider_writes SET leased_until = ${over}, due_at = ${over} WHERE lease::text ${its}`, [
    killed,
  ]);
  await db.query(
    `UPDATE profile_syncs SET sync_due_at = ${over}, poll_due_at = NULL, sync_failures = 0 WHERE readable`,
  );
}

/** The provider has everything that was written, and no process is at work. */
export async function written({ field: { db } }: Stage): Promise<void> {
  await until(
    async () => (await db.query("SELECT FROM provider_writes WHERE refused_at IS NULL LIMIT 1")).length === 0,
    { within: FAR_MS, what: "the end of all writes" },
  );
}

/** Google has been asked for everything, after all that happened there. */
export async function read(stage: Stage): Promise<void> {
  const { field, profileId, google } = stage;
  await google.notices.settled();
  const { db } = field;
  const [before] = await db.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
  await db.query("UPDATE profile_syncs SET sync_due_at = clock_timestamp(), poll_due_at = NULL WHERE profile_id = $1", [
    profileId,
  ]);
  const isRead = async () => {
    const [row] = await db.query<{ is: boolean }>(
      `SELECT sync_lease IS NULL AND NOT first_sync AND sync_error IS NULL AND last_sync_at > $2::timestamptz
  AND NOT EXISTS (SELECT FROM calendars WHERE profile_id = $1 AND NOT deleted AND stale_at IS NOT NULL) AS is
FROM profile_syncs WHERE profile_id = $1`,
      [profileId, before?.now],
    );
    return row?.is === true;
  };
  await until(isRead, { within: FAR_MS, what: "the end of the sync" });
}
