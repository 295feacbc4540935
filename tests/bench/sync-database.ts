import type { Database } from "@/server/db/client";
import type { TaskResult } from "@/tests/bench/sync-process";
import { type Connection, connectCalendars } from "@/tests/fakes/connection";
import { type Cost, ofConnection } from "@/tests/rig/processor-time";
import type { Post } from "@/tests/rig/receivers";
import { seedApplication } from "@/tests/rig/seed";
import { passed, until } from "@/tests/rig/until";

const CPU_LOOK_MS = 200;

export interface ConnectedProfile {
  accountId: string;
  profileId: string;
}

/** Creates an application, and returns what connects calendar accounts to it. */
export async function newApplication(
  db: Database,
): Promise<(connection: Omit<Connection, "applicationId">) => Promise<ConnectedProfile>> {
  const [application] = await db.query<{ id: string }>("SELECT id FROM applications WHERE client_id = $1", [
    await seedApplication(db, "Sync"),
  ]);
  return (connection) => connectCalendars(db, { applicationId: application?.id ?? "", ...connection });
}

/** No other profile is. */
export async function dueNow(db: Database, profileId: string): Promise<void> {
  await db.query(
    "UPDATE profile_syncs SET sync_due_at = CASE WHEN profile_id = $1 THEN clock_timestamp() ELSE clock_timestamp() + interval '1 hour' END",
    [profileId],
  );
}

/** The first sync of a profile is over, and so many events are there. */
export async function checkWhole(db: Database, profileId: string, events: number): Promise<void> {
  const [row] = await db.query<{ initial: boolean; error: string | null; events: number }>(
    `SELECT initial_sync_required AS initial, (SELECT sync_error FROM profile_syncs WHERE profile_id = p.id) AS error, (SELECT count(*)::int FROM events e JOIN calendars c ON c.id = e.calendar_id
  WHERE c.profile_id = p.id) AS events FROM profiles p WHERE id = $1`,
    [profileId],
  );
  if (row?.initial || row?.events !== events) throw new Error(`a first sync came to ${JSON.stringify(row)}`);
}

/** Milliseconds of CPU that the connections of this database have taken so far. 0: the server is on another machine. */
export async function databaseCpu(db: Database): Promise<number> {
  return sum((await cpuByConnection(db)).values());
}

/** From now on until it is called, as `databaseCpu`. What a connection did that is closed meanwhile counts as it was last seen. */
async function countDatabaseCpu(db: Database): Promise<() => Promise<number>> {
  const seen = await cpuByConnection(db);
  const before = sum(seen.values());
  const look = async () => {
    for (const [pid, ms] of await cpuByConnection(db)) seen.set(pid, ms);
  };
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      await passed(CPU_LOOK_MS);
      await look();
    }
  })();
  return async () => {
    isOver = true;
    await looking;
    await look();
    return sum(seen.values()) - before;
  };
}

/** A task, and what each of so many events cost in it. */
export async function costOfEach(
  db: Database,
  events: number,
  task: () => Promise<TaskResult>,
): Promise<TaskResult & { cost: Cost }> {
  const ofDatabase = await countDatabaseCpu(db);
  const came = await task();
  return { ...came, cost: { process: came.cpuMs / events, database: (await ofDatabase()) / events } };
}

async function cpuByConnection(db: Database): Promise<Map<number, number>> {
  const backends = await db.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'",
  );
  return new Map(backends.map(({ pid }) => [pid, ofConnection(pid)]));
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, one) => total + one, 0);
}

const PATIENCE_MS = 60_000;

/** Milliseconds from a change at the provider, once it has responded, to the `change` that is posted because of it. */
export async function notified(posts: Post[], change: () => Promise<unknown>): Promise<number> {
  posts.length = 0;
  await change();
  const changedAt = Date.now();
  return (await posted(posts, "change")) - changedAt;
}

/** When the first notification of this type came, those that have come already included. */
export async function posted(posts: readonly Post[], type: string): Promise<number> {
  const find = () => posts.find((post) => post.type === type);
  await until(() => find() !== undefined, { within: PATIENCE_MS, what: `a ${type}` });
  return find()?.at ?? Number.NaN;
}
