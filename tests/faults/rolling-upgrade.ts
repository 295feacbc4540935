import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { connect } from "@/server/db/client";
import { sourceDigest, writeStamp } from "@/server/front-door/build-stamp.mjs";
import { freePort } from "@/tests/fakes/free-port";
import { inSurroundings, type Surroundings } from "@/tests/faults/neighbours/stage";
import { type Holder, hostedCalendar, type Tenant } from "@/tests/faults/neighbours/tenants";
import type { Row } from "@/tests/rig/results";
import { launch, type Service } from "@/tests/rig/service";
import { until } from "@/tests/rig/until";

const REQUESTS = 3_000;
const TENANTS = 4;
const CLIENTS = 12;
const PAUSE_MS = 40;
const SOON_MS = 120_000;
const TABLE = "29990101000000_table";
const INDEX = "29990101000001_index";

/** What a client saw: responses by status, failures by name, and which of its events were accepted. */
interface Seen {
  responses: Map<string, number>;
  accepted: string[];
}

/**
 * Two web processes behind HAProxy with the configuration of compose.yaml, and a worker, from the files that the image has. Clients with kept connections
 * read and write while each process is replaced by one of a newer build, which brings a migration and an online one, as `docker compose up` does it.
 */
export async function rollingUpgrade(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "almanac-rolling-"));
  const [older, newer] = [join(folder, "older"), join(folder, "newer")];
  try {
    await promisify(execFile)(process.execPath, [resolve("server/front-door/image.mjs"), older]);
    await makeNewer(older, newer);
    return await inSurroundings("PostgreSQL", TENANTS, (around) => upgraded(around, { folder, older, newer }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies a build, with another commit and two migrations more. */
async function makeNewer(older: string, newer: string): Promise<void> {
  cpSync(older, newer, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(newer, ".next", "almanac-build.json"), JSON.stringify({ version: "1.0.0", commit: "newer" }));
  const migrations: Record<string, string> = {
    [TABLE]: "-- rolling: safe: a table that the previous version does not know\nCREATE TABLE later (id INT);",
    [INDEX]:
      "-- rolling: online: an index that the previous version makes no use of\nCREATE INDEX CONCURRENTLY later_events ON events (created_at);",
  };
  for (const [name, sql] of Object.entries(migrations)) {
    mkdirSync(join(newer, "prisma", "migrations", name));
    writeFileSync(join(newer, "prisma", "migrations", name, "migration.sql"), sql);
  }
  await writeStamp(newer, await sourceDigest(newer));
}

async function upgraded(
  { env, tenantsAt }: Surroundings,
  { folder, older, newer }: { folder: string; older: string; newer: string },
): Promise<Row[]> {
  const ports = [await freePort(), await freePort()];
  const grace = /DRAIN_GRACE_SECONDS:-(\d+)/.exec(readFileSync("compose.yaml", "utf8"))?.[1];
  const given = { ...env, ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString("base64")}`, DRAIN_GRACE_SECONDS: grace };
  const begin = (from: string, more: Record<string, string>) => launch({ ...given, ...more }, { folder: from });
  const web = (from: string, at: number) => begin(from, { ALMANAC_ROLE: "web", PORT: String(ports[at]) });
  const running: Service[] = [];
  const started = async (service: Promise<Service>) => {
    running.push(await service);
    await (await service).ready();
    return await service;
  };
  const proxy = await startProxy(folder, ports);
  const over = new AbortController();
  try {
    const webs = [await started(web(older, 0)), await started(web(older, 1))];
    const worker = await started(begin(older, { ALMANAC_ROLE: "worker" }));
    await until(async () => (await commitAt(proxy.origin)) !== null, { within: SOON_MS, what: "the proxy" });
    const tenants = tenantsAt(proxy.origin);
    const holders = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, i) => {
        const tenant = tenants[i % tenants.length] as Tenant;
        return { tenant, holder: await hostedCalendar(tenant, `calendar-${i}`) };
      }),
    );
    let sent = 0;
    const goesOn = () => !over.signal.aborted || sent < REQUESTS;
    const clients = holders.map((one, i) => client(one, { name: `c${i}`, goesOn, onSent: () => (sent += 1) }));
    await until(() => sent > REQUESTS / 10, { within: SOON_MS, what: "the first requests" });
    const codes: (number | null)[] = [];
    for (const [at, former] of webs.entries()) {
      codes.push(await former.end());
      await started(web(newer, at));
      // As the health check of a container does: the proxy has its own.
      await until(async () => (await commitAt(`http://127.0.0.1:${ports[at]}`)) === "newer", {
        ...{ within: SOON_MS, what: "the newer build" },
      });
    }
    codes.push(await worker.end());
    await started(begin(newer, { ALMANAC_ROLE: "worker" }));
    const migrated = await recorded(env.DATABASE_URL ?? "");
    over.abort();
    const seen = await Promise.all(clients);
    return await judged({ proxy: proxy.origin, holders, seen, sent, codes, migrated });
  } catch (error) {
    for (const service of running) process.stderr.write(service.complaints().slice(-2_000));
    throw error;
  } finally {
    over.abort();
    for (const service of running) await service.end("SIGKILL");
    await proxy.end();
  }
}

/** HAProxy with the configuration of compose.yaml, whose names lead to ports of this machine. */
async function startProxy(folder: string, ports: readonly number[]): Promise<{ origin: string; end(): Promise<void> }> {
  const port = await freePort();
  const config = readFileSync("docs/haproxy.cfg", "utf8")
    .replace("bind :3000", `bind 127.0.0.1:${port}`)
    .replace(/ web-(\d):3000/g, (_, at) => ` 127.0.0.1:${ports[Number(at) - 1]}`);
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, config);
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  process.once("exit", () => child.kill("SIGKILL"));
  await once(child, "spawn");
  return {
    origin: `http://127.0.0.1:${port}`,
    end: async () => {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

/** The commit that responds at an address and is ready. */
async function commitAt(origin: string): Promise<string | null> {
  const response = await fetch(`${origin}/health/ready`).catch(() => null);
  return response?.ok ? (await response.json()).commit : null;
}

interface Account {
  tenant: Tenant;
  holder: Holder;
}

/** Reads and writes on one kept connection, as long as it goes on. */
async function client(
  { tenant: { origin }, holder: { token, calendarId } }: Account,
  { name, goesOn, onSent }: { name: string; goesOn(): boolean; onSent(): void },
): Promise<Seen> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen: Seen = { responses: new Map(), accepted: [] };
  const send = async (method: string, path: string, body?: object): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
    const outcome = await new Promise<string>((done) => {
      const sending = request(origin + path, { agent, method, headers }, (response) => {
        response.resume();
        response.once("end", () => done(String(response.statusCode)));
        response.once("error", (error) => done(error.message));
      });
      sending.once("error", (error) => done(error.message));
      sending.end(body && JSON.stringify(body));
    });
    onSent();
    seen.responses.set(outcome, (seen.responses.get(outcome) ?? 0) + 1);
    return outcome;
  };
  for (let i = 0; goesOn(); i += 1) {
    const id = `${name}-${i}`;
    const times = { start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z", tzid: "Etc/UTC" };
    const event = { event_id: id, summary: id, ...times };
    if ((await send("POST", `/v1/calendars/${calendarId}/events`, event)) === "202") seen.accepted.push(id);
    await send("GET", "/v1/events?tzid=Etc/UTC&include_managed=true&from=2026-12-01&to=2026-12-02");
    await send("GET", "/v1/account");
    await wait(PAUSE_MS);
  }
  agent.destroy();
  return seen;
}

/** Whether the migrations of the newer build are recorded, once they are. */
async function recorded(url: string): Promise<string[]> {
  const db = connect(url);
  const names = async () =>
    (
      await db.query<{ name: string }>(
        "SELECT migration_name AS name FROM _prisma_migrations WHERE migration_name > '2999' ORDER BY 1",
      )
    ).map(({ name }) => name);
  try {
    await until(async () => (await names()).length === 2, { within: SOON_MS, what: "the migrations" });
    return await names();
  } finally {
    await db.close();
  }
}

interface Judged {
  proxy: string;
  holders: Account[];
  seen: Seen[];
  sent: number;
  codes: (number | null)[];
  migrated: string[];
}

async function judged({ proxy, holders, seen, sent, codes, migrated }: Judged): Promise<Row[]> {
  const all = new Map<string, number>();
  for (const { responses } of seen) for (const [key, count] of responses) all.set(key, (all.get(key) ?? 0) + count);
  const good = (all.get("200") ?? 0) + (all.get("202") ?? 0);
  const failed = sent - good;
  const others = [...all].filter(([key]) => key !== "200" && key !== "202").map(([key, count]) => `${count} × ${key}`);
  const accepted = seen.reduce((sum, one) => sum + one.accepted.length, 0);
  const missing = await Promise.all(
    holders.map(async ({ holder }, i) => {
      const there = await eventIds(proxy, holder);
      return seen[i]?.accepted.filter((id) => !there.has(id)).length ?? 0;
    }),
  );
  const lost = missing.reduce((sum, count) => sum + count, 0);
  const row = (what: string, measured: string, limit: string, ok: boolean): Row => ({
    ...{ what: `rolling upgrade behind HAProxy: ${what}`, measured, limit, ok },
  });
  return [
    row("failed requests", [`${failed} of ${sent}`, ...others].join(", "), `0 of ${REQUESTS}`, failed === 0),
    row("accepted events that are missing", `${lost} of ${accepted}`, "0", lost === 0),
    row(
      "exit codes of the older processes",
      codes.join(", "),
      "0",
      codes.every((code) => code === 0),
    ),
    row("migrations of the newer build", migrated.join(", "), "both", migrated.length === 2),
  ];
}

async function eventIds(origin: string, { token }: Holder): Promise<Set<string>> {
  const ids = new Set<string>();
  let address: string | undefined =
    `${origin}/v1/events?tzid=Etc/UTC&include_managed=true&from=2026-12-01&to=2026-12-02`;
  while (address) {
    const response: Response = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 200) throw new Error(`reading events: ${response.status}`);
    const { events, pages } = await response.json();
    for (const event of events) ids.add(event.event_id);
    const next: string | undefined = pages?.next_page;
    address = next ? origin + new URL(next).pathname + new URL(next).search : undefined;
  }
  return ids;
}
