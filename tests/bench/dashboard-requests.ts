import type { Database } from "@/server/db/client";
import { staffCaller } from "@/server/services/staff/api";
import { REQUESTS, seedDashboardRequests, seededId } from "@/tests/bench/dashboard-requests-seed";
import type { Row } from "@/tests/bench/measure";
import { median, percentile } from "@/tests/rig/durations";

const LIMIT_MS = 150;
const OVERVIEW_LIMIT_MS = 50;
const ROUNDS = 3;
const DAY_MS = 86_400_000;
const many = `${REQUESTS.toLocaleString("en")} requests`;

/** The lines about the dashboard's request log, measured in an empty, migrated database. */
export async function dashboardRequestRows(db: Database, say: (text: string) => void): Promise<Row[]> {
  say(`Seeding ${many} …`);
  await seedDashboardRequests(db, say);
  await db.query("VACUUM ANALYZE");
  return await measureRequests(db, say);
}

type Requests = ReturnType<typeof staffCaller>["requests"];
type Filters = NonNullable<Parameters<Requests["list"]>[0]>;

export async function measureRequests(db: Database, say: (text: string) => void): Promise<Row[]> {
  const operator = {
    id: "opr_bench",
    email: "bench@acme.io",
    name: "Bench",
    role: "admin" as const,
    sessionId: "bench",
    applications: null,
  };
  const api = staffCaller({ db, now: Date.now(), operator, address: null, requestId: "req_bench" });
  const combinations = filterCombinations();
  const ids = await searchedIds(db);
  const pages = await times(say, combinations, (filters) => api.requests.list(filters));
  const counts = await times(say, combinations, (filters) => api.requests.count(filters));
  const pulses = await times(say, combinations, (filters) => api.requests.pulse(filters));
  const searches = await times(say, ids, (filters) => api.requests.list(filters));
  const groups = await times(say, [{ hours: 24 }, { hours: 48 }, { application: seededId("app", 0) }], (given) =>
    api.requests.errors(given),
  );
  const shows = await times(
    say,
    Array.from({ length: 20 }, () => ({})),
    () => api.overview.show(),
  );
  const line = (what: string, ms: number[], limit = LIMIT_MS): Row => ({
    what,
    ours: `${percentile(ms, 0.95).toFixed(1)} ms`,
    other: `median ${median(ms).toFixed(1)} ms`,
    value: percentile(ms, 0.95),
    limit,
    unit: "ms",
  });
  return [
    line(`first page out of ${many}, p95 of ${combinations.length} filters`, pages),
    line(`count to 10,000 out of ${many}, p95 of ${combinations.length} filters`, counts),
    line(`newest of the last hour out of ${many}, p95`, pulses),
    line(`search by id out of ${many}, p95 of ${ids.length} ids`, searches),
    line(`errors of a day and of two out of ${many}, p95`, groups, 2 * LIMIT_MS),
    line("overview, p95", shows, OVERVIEW_LIMIT_MS),
  ];
}

async function times<T extends object>(
  say: (text: string) => void,
  all: readonly T[],
  run: (one: T) => Promise<unknown>,
): Promise<number[]> {
  const taken: number[] = [];
  let slowest = { ms: 0, one: {} as object };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const one of all) {
      const began = performance.now();
      await run(one);
      const ms = performance.now() - began;
      if (round === 0) continue;
      taken.push(ms);
      if (ms > slowest.ms) slowest = { ms, one };
    }
  }
  say(`  slowest ${slowest.ms.toFixed(1)} ms: ${JSON.stringify(slowest.one)}`);
  return taken;
}

const methods = [undefined, ["GET"], ["POST"], ["DELETE"], ["PUT"]];
const routes = [
  undefined,
  "/v1/events",
  "/v1/calendars/{calendar_id}/events",
  "/v1/channels/{channel_id}",
  "/v1/calendars/{calendar_id}/events/occurrences",
];
const statuses: Filters[] = [
  {},
  { statusClass: ["2xx"] },
  { statusClass: ["4xx"] },
  { statusClass: ["5xx"] },
  { statusClass: ["4xx", "5xx"] },
  { status: 500 },
  { status: 422, errorKey: "errors.not_an_occurrence" },
];

/** Every method with every route and status; the owner and the time vary along, so that each meets each of the others. */
function filterCombinations(): Filters[] {
  const owners: Filters[] = [
    {},
    { application: seededId("app", 0) },
    { application: seededId("app", 37) },
    { account: seededId("acc", 0) },
    { account: seededId("acc", 29_000) },
    { path: `/v1/calendars/${seededId("cal", 7)}` },
    { path: "/v1/unknown/7" },
  ];
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const spans: Filters[] = [{}, { from: ago(2) }, { to: ago(12) }, { from: ago(21), to: ago(19) }];
  let turn = 0;
  return methods.flatMap((method) =>
    routes.flatMap((endpoint) =>
      statuses.flatMap((status) => {
        turn += 1;
        const filters = { method, endpoint, ...status };
        return [
          filters,
          { ...filters, ...owners[turn % owners.length] },
          { ...filters, ...owners[turn % owners.length], ...spans[turn % spans.length] },
        ];
      }),
    ),
  );
}

async function searchedIds(db: Database): Promise<Filters[]> {
  const rows = await db.query<{ id: string; request: string }>(
    "SELECT id::text, request_id AS request FROM request_logs WHERE at > now() - interval '9 days' ORDER BY at LIMIT 10",
  );
  const found = rows.flatMap(({ id, request }) => [{ id }, { id: request }]);
  const owners = (["acc", "app", "cal", "chn"] as const).flatMap((prefix) =>
    [3, 29].map((n) => ({ id: seededId(prefix, n) })),
  );
  return [...found, ...owners, { id: "order-40" }, { id: "order-39" }, { id: "req_there_is_none" }];
}
