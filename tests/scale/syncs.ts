import { named } from "@/tests/rig/database";
import { type Field, inField } from "@/tests/rig/field";
import type { Row } from "@/tests/rig/results";
import { seedApplication } from "@/tests/rig/seed";
import { type SideProcess, startSideProcess } from "@/tests/rig/side-process";
import { until } from "@/tests/rig/until";
import { growthRows, PROCESSES, type Rate } from "@/tests/scale/growth";
import { shares, startMeter } from "@/tests/scale/machine";
import { type Played, type Provider, providerIn } from "@/tests/scale/mailboxes";
import { sizeRows } from "@/tests/scale/sizes";

const MAILBOXES = 30;
/** Each mailbox is connected to each: an application never gets all slots of a provider. */
const APPLICATIONS = 6;
/** One provider may have half of them. */
const SLOTS = 2;
const FIRST_SLOTS = 24;
const PATIENCE_MS = 300_000;
/** What is measured: neither the beginning, when not all work yet, nor the end, when not all have work. */
const [FROM, TO] = [0.1, 0.9];
/** Tables that a connected calendar fills. */
const SIZED = [
  ...["events", "occurrences", "calendar_days", "calendar_months"],
  ...["calendars", "accounts", "profiles", "profile_syncs"],
];

/** The program of each provider, how it is called in the table, and how long its responses take. Radicale itself takes 5 ms and one core. */
const PLAYED: readonly { name: Played; program: string; title: string; delayMs: number }[] = [
  { name: "google", program: "google-process", title: "Google", delayMs: 50 },
  { name: "microsoft", program: "microsoft-process", title: "Microsoft 365", delayMs: 50 },
  { name: "icloud", program: "caldav-process", title: "iCloud (Radicale)", delayMs: 100 },
];

/** Syncs a second of 1, 2 and 4 workers at providers whose responses take 50 or 100 ms: nothing has changed there, which is what most find. */
export async function syncs(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const played of PLAYED) rows.push(...(await syncsAt(played)));
  return rows;
}

async function syncsAt({ name, program, title, delayMs }: (typeof PLAYED)[number]): Promise<Row[]> {
  const side = startSideProcess(program, { MAILBOXES: String(MAILBOXES) });
  try {
    return await inField({ origins: [] }, async (field) => {
      const provider = await providerIn(side, name);
      const emails = await side.ask<string[]>("emails");
      for (let n = 0; n < APPLICATIONS; n += 1) {
        const clientId = await seedApplication(field.db);
        const [one] = await field.db.query<{ id: string }>("SELECT id FROM applications WHERE client_id = $1", [
          clientId,
        ]);
        for (const email of emails) await provider.connect(field.db, one?.id ?? "", email);
      }
      await firstSyncs(field, provider);
      const sizes = name === "google" ? await sizeRows(field.db, SIZED) : [];
      await side.ask("slow", delayMs);
      const rates: Rate[] = [];
      for (const processes of PROCESSES) rates.push(await measured(field, { side, provider, processes }));
      return [...growthRows(`syncs at ${title}, ${delayMs} ms each response, ${SLOTS / 2} slot`, rates), ...sizes];
    });
  } finally {
    await side.close();
  }
}

function workers(field: Field, { env }: Provider, { processes, slots }: { processes: number; slots: object }) {
  const launched = Array.from({ length: processes }, (_, i) =>
    field.launch({
      ...{ ALMANAC_ROLE: "worker", DATABASE_URL: named(field.url, `worker-${i}`), DATABASE_POOL: "5", ...env },
      ...{ SWEEP_SECONDS: "1", SYNC_POLL_SECONDS: "3600", ...slots },
    }),
  );
  return Promise.all(launched);
}

async function firstSyncs(field: Field, provider: Provider): Promise<void> {
  await field.db.query("UPDATE profile_syncs SET sync_due_at = clock_timestamp() WHERE first_sync");
  const [worker] = await workers(field, provider, { processes: 1, slots: { FIRST_SYNC_SLOTS: String(FIRST_SLOTS) } });
  const areOver = async () =>
    (
      await field.db.query(
        "SELECT FROM profile_syncs WHERE readable AND provider = $1::provider AND last_sync_at IS NULL LIMIT 1",
        [provider.name],
      )
    ).length === 0;
  await until(areOver, { within: PATIENCE_MS, what: "the end of all first syncs" });
  await worker?.end();
}

interface Asked {
  side: SideProcess;
  provider: Provider;
  processes: number;
}

async function measured(field: Field, { side, provider, processes }: Asked): Promise<Rate> {
  const running = await workers(field, provider, { processes, slots: { SYNC_SLOTS: String(SLOTS) } });
  await Promise.all(running.map((worker) => worker.ready()));
  const pids = running.map(({ child }) => child.pid);
  const meter = await startMeter(field.url, pids);
  await side.ask("requests");
  const [{ now } = { now: "" }] = await field.db.query<{ now: string }>("SELECT clock_timestamp()::text AS now");
  await field.db.query(
    "UPDATE profile_syncs SET sync_due_at = clock_timestamp(), poll_due_at = NULL WHERE readable AND provider = $1::provider",
    [provider.name],
  );
  const ended = () =>
    field.db.query<{ at: number }>(
      `SELECT extract(epoch FROM last_sync_at)::float8 AS at FROM profile_syncs
WHERE readable AND provider = $2::provider AND last_sync_at > $1::timestamptz ORDER BY 1`,
      [now, provider.name],
    );
  const all = MAILBOXES * APPLICATIONS;
  await until(async () => (await ended()).length === all, { within: PATIENCE_MS, what: "the end of all syncs" });
  const spent = await meter.read();
  await meter.close();
  await Promise.all(running.map((worker) => worker.end()));
  const [from, to] = [Math.floor(all * FROM), Math.floor(all * TO)];
  const times = (await ended()).map(({ at }) => at);
  const requests = (await side.ask<number>("requests")) / all;
  const perSecond = (to - from) / ((times[to] ?? 0) - (times[from] ?? 0));
  return { processes, perSecond, said: `${requests.toFixed(1)} requests, ${shares(spent, all)}` };
}
