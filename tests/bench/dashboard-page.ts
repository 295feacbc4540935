import { createHash } from "node:crypto";
import { Agent, request } from "node:http";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { TAIL_MS } from "@/tests/bench/cost/stage";
import { middle, total, written } from "@/tests/bench/cost/table";
import { DELIVERIES } from "@/tests/bench/dashboard-deliveries-seed";
import type { Row } from "@/tests/bench/measure";
import { type Server, startAlmanac, startBare } from "@/tests/bench/servers";
import { newDatabase } from "@/tests/fakes/new-database";
import { type Cost, costOf, type Probe, processorTime, usedBy } from "@/tests/rig/processor-time";
import { signInFrom } from "@/tests/rig/sign-in";
import { passed } from "@/tests/rig/until";

/** The first one warms. */
const ROUNDS = 5;
const PAGES = 60;
const AT_ONCE = 4;
const OPERATOR = { email: "ada@almanac.test", password: "correct-horse-battery" };
const SESSION = "session=bench";

/** As many rows as there are deliveries, and a session. */
const flat = [
  "CREATE TABLE sessions (digest bytea PRIMARY KEY, email text NOT NULL, expires_at timestamptz NOT NULL)",
  `CREATE TABLE sent AS SELECT 'whd_' || substr(md5('whd' || n), 1, 24) AS id, 'change' AS type, 'Application ' || n % 50 AS application,
  'ann' || n % 2000 || '@acme.io' AS email, 'https://hooks-' || n % 400 || '.acme.io/hooks/' || n % 3000 AS url,
  CASE WHEN n % 20 = 0 THEN 'failed' ELSE 'delivered' END AS state, 1 AS attempts, CASE WHEN n % 20 = 0 THEN 503 ELSE 200 END AS last_status,
  NULL::text AS last_error, now() - interval '30 days' + n * interval '30 days' / ${DELIVERIES} AS created_at FROM generate_series(1, ${DELIVERIES}) n`,
  "CREATE INDEX ON sent (created_at DESC, id DESC)",
  "VACUUM ANALYZE sent",
];

/** What the page of deliveries costs over HTTP beside a bare one, four at once: processor time of the process and of its PostgreSQL connections. */
export async function dashboardPageRow(
  address: string,
  databaseUrl: string,
  say: (text: string) => void,
): Promise<Row> {
  const probe = await processorTime(address);
  const closing: (() => unknown)[] = [() => probe.close()];
  try {
    const database = await newDatabase(address, "bare_bench");
    closing.push(database.close);
    await fill(database.url);
    const bare = await startBare(resolve(import.meta.dirname, "bare-page.mjs"), { DATABASE_URL: database.url });
    closing.push(bare.end);
    const almanac = await startAlmanac({
      DATABASE_URL: databaseUrl,
      ALMANAC_ROLE: "web", // what is due of the seed stays so
      ADMIN_EMAIL: OPERATOR.email,
      ADMIN_PASSWORD: OPERATOR.password,
    });
    closing.push(almanac.end);
    const cookie = await signedIn(almanac.origin);
    const sides = {
      ours: { probe, server: almanac, databaseUrl, path: "/dashboard/deliveries", cookie },
      bare: { probe, server: bare, databaseUrl: database.url, path: "/", cookie: SESSION },
    };
    const costs = { ours: [] as Cost[], bare: [] as Cost[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const [theirs, ours] = [await costOfPage(sides.bare), await costOfPage(sides.ours)];
      say(`A page of deliveries: ${written(ours)}, bare ${written(theirs)}`);
      if (round === 0) continue;
      costs.ours.push(ours);
      costs.bare.push(theirs);
    }
    const [ours, theirs] = [middle(costs.ours), middle(costs.bare)];
    return {
      what: "page of the newest deliveries out of 1,000,000, with its count and chart / bare",
      ...{ ours: written(ours), other: written(theirs), value: total(ours) / total(theirs), limit: 6, unit: "×" },
    };
  } finally {
    for (const step of closing.reverse()) await step();
  }
}

async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of flat) await client.query(statement);
  const digest = createHash("sha256").update(SESSION).digest();
  await client.query("INSERT INTO sessions VALUES ($1, $2, now() + interval '1 day')", [digest, OPERATOR.email]);
  await client.end();
}

interface Side {
  probe: Probe;
  server: Server;
  databaseUrl: string;
  path: string;
  cookie: string;
}

async function costOfPage(side: Side): Promise<Cost> {
  const { probe, server, databaseUrl } = side;
  const used = () => usedBy(probe, [server.child.pid], databaseUrl);
  const before = await used();
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  for (let sent = 0; sent < PAGES; sent += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => whole(agent, side)));
  agent.destroy();
  await passed(TAIL_MS);
  return costOf(before, await used(), PAGES);
}

/** Reads a page to its end, compressed as browsers ask for it. */
function whole(agent: Agent, { server, path, cookie }: Side): Promise<void> {
  return new Promise((done, failed) => {
    const headers = { cookie, "accept-encoding": "gzip" };
    const sent = request(server.origin + path, { agent, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece) => pieces.push(piece));
      response.on("end", () => {
        const text = gunzipSync(Buffer.concat(pieces)).toString();
        const rows = new Set(text.match(/whd_[0-9a-f]{24}/g)).size;
        if (response.statusCode === 200 && rows === 50) done();
        else failed(new Error(`${path}: ${response.statusCode}, ${rows} rows, ${text.length} characters`));
      });
    });
    sent.once("error", failed);
    sent.end();
  });
}

/** The cookies of a session, by the form. */
async function signedIn(origin: string): Promise<string> {
  const { status, cookies } = await signInFrom("127.0.0.1", origin, OPERATOR);
  if (status !== 303) throw new Error(`signing in: ${status}`);
  return cookies.map((cookie) => cookie.split(";", 1)[0]).join("; ");
}
