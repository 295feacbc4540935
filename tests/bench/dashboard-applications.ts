import type { Database } from "@/server/db/client";
import { staffCaller } from "@/server/services/staff/api";
import type { Row } from "@/tests/bench/measure";
import { median, percentile } from "@/tests/rig/durations";

const APPLICATIONS = 300;
const DAYS = 30;
const MINUTES = 1_440;
const ROUNDS = 60;
const LIMIT_MS = 50;
const HOUR_MS = 3_600_000;

/** The lines about applications and their traffic, measured in an empty, migrated database: a day's minutes of all, a month's hours. */
export async function dashboardApplicationRows(db: Database, say: (text: string) => void): Promise<Row[]> {
  const many = `${(APPLICATIONS * MINUTES).toLocaleString("en")} counted minutes`;
  say(`Seeding ${many} …`);
  await db.query(applications);
  await db.query(minutes);
  await db.query(hours);
  await db.query("VACUUM ANALYZE");
  const now = Date.now();
  const operator = {
    id: "opr_bench",
    email: "bench@acme.io",
    name: "Bench",
    role: "support" as const,
    sessionId: "bench",
    applications: null,
  };
  const api = staffCaller({ db, now, operator, address: null, requestId: "req_bench" });
  const first = new Date(Math.floor(now / HOUR_MS) * HOUR_MS - 23 * HOUR_MS);
  const listed = await api.applications.list();
  await expectSameCounts(db, first, listed);
  const bare = await times(() => db.query(fromMinutes, [first]));
  const list = await times(() => api.applications.list());
  const one = await times(() => api.applications.get({ id: listed[7]?.id ?? "" }));
  const line = (what: string, ms: number[], other: string): Row => ({
    what,
    ours: `${percentile(ms, 0.95).toFixed(1)} ms`,
    other,
    value: percentile(ms, 0.95),
    limit: LIMIT_MS,
    unit: "ms",
  });
  const added = `${median(bare).toFixed(1)} ms by minutes`;
  return [
    line(`${APPLICATIONS} applications with a day's traffic out of ${many}, p95`, list, added),
    line(`one application with a day's traffic out of ${many}, p95`, one, ""),
  ];
}

const applications = `INSERT INTO applications (id, client_id, name)
SELECT 'app_' || lpad(to_hex(a), 24, '0'), 'traffic-' || a, 'Application ' || a FROM generate_series(1, ${APPLICATIONS}) a`;

const minutes = `INSERT INTO request_counts (minute, application_id, requests, client_errors, server_errors, throttled)
SELECT date_trunc('minute', now()) - m * interval '1 minute', 'app_' || lpad(to_hex(a), 24, '0'), 5 + (a * m) % 7, (a + m) % 3, m % 2, a % 2
FROM generate_series(0, ${MINUTES - 1}) m, generate_series(1, ${APPLICATIONS}) a`;

/** Those of the seeded minutes, and of the days before as many again. */
const hours = `INSERT INTO request_counts_by_hour (hour, application_id, requests, client_errors, server_errors, throttled)
SELECT h.hour - d * interval '1 day', h.application_id, h.requests, h.client_errors, h.server_errors, h.throttled
FROM (SELECT date_trunc('hour', minute, 'UTC') AS hour, application_id, sum(requests) AS requests, sum(client_errors) AS client_errors,
    sum(server_errors) AS server_errors, sum(throttled) AS throttled FROM request_counts GROUP BY 1, 2) h, generate_series(0, ${DAYS - 1}) d
ORDER BY 1, 2 ON CONFLICT DO NOTHING`;

const fromMinutes = `SELECT application_id AS id, date_bin('1 hour', minute, $1) AS at, sum(requests)::int AS requests,
  sum(client_errors + server_errors)::int AS errors, sum(throttled)::int AS throttled
FROM request_counts WHERE minute >= $1::timestamptz GROUP BY 1, 2`;

type Listed = Awaited<ReturnType<ReturnType<typeof staffCaller>["applications"]["list"]>>;

/** The comparison is void unless both count the same. */
async function expectSameCounts(db: Database, first: Date, listed: Listed): Promise<void> {
  const rows = await db.query<{ id: string; at: Date; requests: number }>(fromMinutes, [first]);
  const shown = new Map(listed.map(({ id, traffic }) => [id, traffic.requestsPerHour]));
  const differing = rows.filter(
    ({ id, at, requests }) => shown.get(id)?.[(at.getTime() - first.getTime()) / HOUR_MS] !== requests,
  );
  if (rows.length === 0 || differing.length > 0) throw new Error("hours and minutes do not count the same");
}

async function times(run: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await run();
    taken.push(performance.now() - began);
  }
  return taken;
}
