import { readdirSync, readFileSync } from "node:fs";
import { SERVER } from "@/tests/rig/database";
import { percentile, seconds } from "@/tests/rig/durations";
import { type Probe, processorTime } from "@/tests/rig/processor-time";
import { seedAccount, seedApplication, seedChannels } from "@/tests/rig/seed";
import { passed, until } from "@/tests/rig/until";
import { listRuns } from "@/tests/scale/inngest/run-list";
import { PATIENCE_MS, type Run } from "@/tests/scale/inngest/trials";

/** Receivers of this trial alone, which share the deliveries: a host gets twenty at once. */
export const LOADED = 10;
const APPLICATIONS = 20;
const DELIVERIES_A_SECOND = 200;
const SYNCS_A_SECOND = 50;
const SECONDS = 60;
const MOST_MS_EACH = 5;
const MOSTLY = 0.98;

/** Deliveries and syncs by the second: what they cost the server and the workers, how long they wait, and whether runs say all of it. */
export async function carried(run: Run): Promise<void> {
  const { field, receivers, balancer, rows, note } = run;
  const channels: string[] = [];
  for (let i = 0; i < APPLICATIONS; i += 1) {
    const account = await seedAccount(field.db, await seedApplication(field.db, `Load ${i}`));
    channels.push(
      ...(await seedChannels(field.db, {
        accountId: account.accountId,
        urls: [receivers.urls.at(-1 - (i % LOADED)) ?? ""],
      })),
    );
  }
  const probe = await processorTime(SERVER);
  balancer.calls.length = 0;
  const since = Date.now();
  const due = new Map<string, number>();
  const before = await spent(run, probe);
  for (let second = 0; second < SECONDS; second += 1) {
    const next = passed(1_000);
    await field.db.query(
      `UPDATE profile_syncs SET sync_due_at = clock_timestamp(), poll_due_at = NULL
WHERE profile_id IN (SELECT profile_id FROM profile_syncs WHERE provider = 'google' AND NOT first_sync AND sync_leased_until IS NULL ORDER BY last_sync_at LIMIT $1)`,
      [SYNCS_A_SECOND],
    );
    const ids = await field.deliveries(channels, DELIVERIES_A_SECOND / APPLICATIONS);
    for (const id of ids) due.set(id, Date.now());
    await next;
  }
  const sent = () => receivers.posts.filter(({ id }) => due.has(id));
  await until(() => new Set(sent().map(({ id }) => id)).size === due.size, { within: PATIENCE_MS, what: "all of it" });
  const after = await spent(run, probe);
  await probe.close();
  const told = () => tallied(run, { functionId: "deliver-webhooks", name: "sent", since });
  const isTold = async () => (await told()) >= due.size * MOSTLY;
  await until(isTold, { within: PATIENCE_MS, what: "the ends of the runs" }).catch(() => undefined);
  const waits = sent().map(({ id, at }) => at - (due.get(id) ?? at));
  const syncs = await tallied(run, { functionId: "poll-mailboxes", name: "synced", since });
  const pieces = due.size + syncs;
  const runs = (fnId: string) => balancer.calls.filter((call) => call.fnId === fnId && call.isEnd).length;
  const each = (part: keyof typeof after) => (after[part] - before[part]) / pieces;
  const cpu = { server: each("server"), workers: each("workers") };
  note(`${due.size} deliveries and ${syncs} syncs within ${SECONDS} s`);
  rows.push(
    {
      what: `Inngest: ${DELIVERIES_A_SECOND} deliveries of ${APPLICATIONS} applications and ${SYNCS_A_SECOND} syncs a second, processor time of the server, its database and its Redis for each`,
      measured: `${cpu.server.toFixed(2)} ms, ${runs("almanac-deliver-webhooks")} runs of deliver-webhooks and ${runs("almanac-poll-mailboxes")} of poll-mailboxes`,
      limit: `${MOST_MS_EACH} ms`,
      ok: cpu.server <= MOST_MS_EACH,
    },
    {
      what: "Inngest: the same of the workers, without their database",
      measured: `${cpu.workers.toFixed(2)} ms`,
      limit: `${MOST_MS_EACH} ms`,
      ok: cpu.workers <= MOST_MS_EACH,
    },
    {
      what: "Inngest: the waits of these deliveries",
      measured: `p50 ${seconds(percentile(waits, 0.5))}, p99 ${seconds(percentile(waits, 0.99))}`,
      limit: "p50 1.5 s, p99 6 s",
      ok: percentile(waits, 0.5) <= 1_500 && percentile(waits, 0.99) <= 6_000,
    },
    {
      what: "Inngest: deliveries whose attempt a run tells of",
      measured: `${await told()} of ${sent().length}`,
      limit: "all but what ended between two steps at different workers, 2 %",
      ok: await isTold(),
    },
  );
}

/** What the runs of a function count under a name, as the server lists them since a time. */
async function tallied({ inngest }: Run, { functionId, name, since }: Counted): Promise<number> {
  let sum = 0;
  for (const { function: of, queuedAt, output } of await listRuns(inngest)) {
    if (of.id !== functionId || Date.parse(queuedAt) < since) continue;
    for (const counts of Object.values(output?.tally ?? {})) sum += counts[name] ?? 0;
  }
  return sum;
}

interface Counted {
  functionId: string;
  name: string;
  since: number;
}

async function spent({ inngest, running }: Run, probe: Probe): Promise<{ server: number; workers: number }> {
  const of = (pids: readonly (number | undefined)[]) =>
    pids.reduce<number>((sum, pid) => sum + (pid ? probe.ofProcess(pid) : 0), 0);
  const database = process.env.INNGEST_DATABASE;
  const connections = database ? [...(await probe.ofConnections(database)).values()] : [];
  return {
    server: of([inngest.pid(), ...(database ? redis() : [])]) + connections.reduce((sum, ms) => sum + ms, 0),
    workers: of([...running.values()].map(({ child }) => child.pid)),
  };
}

/** The Redis servers of this machine. Nothing but the Inngest server uses one meanwhile. */
function redis(): number[] {
  const isRedis = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "redis-server";
    } catch {
      return false;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isRedis(name))
    .map(Number);
}
