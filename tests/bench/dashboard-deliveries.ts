import type { Database } from "@/server/db/client";
import { type StaffCaller, staffCaller } from "@/server/services/staff/api";
import type { StaffContext } from "@/server/services/staff/procedure/staff-context";
import { OPENING_REQUEST, seedBacklog, seededId } from "@/tests/bench/dashboard-deliveries-seed";
import type { Row } from "@/tests/bench/measure";
import { median, percentile } from "@/tests/rig/durations";

const COMBINATIONS = 400;
const ROUNDS = 2;
const HOUR_MS = 3_600_000;
const LIMIT_MS = 150;

type Filters = Parameters<StaffCaller["deliveries"]["count"]>[0];

/** The lines about the dashboard's deliveries, measured in a database that has them. */
export async function dashboardDeliveryRows(db: Database, say: (text: string) => void): Promise<Row[]> {
  const context: StaffContext = {
    db,
    now: Date.now(),
    operator: {
      id: "opr_bench",
      email: "bench@acme.io",
      name: "Bench",
      role: "support",
      sessionId: "bench",
      applications: null,
    },
    address: null,
    requestId: "req_bench",
  };
  const api = staffCaller(context);
  const combinations = await filterCombinations(db);
  const ids = await searchedIds(db);
  const pages = await times(say, combinations, (filters) => api.deliveries.list(filters));
  const counts = await times(say, combinations, (filters) => api.deliveries.count(filters));
  const searches = await times(say, ids, (filters) => api.deliveries.list(filters));
  const words = await times(say, await searchedWords(db), (filters) => api.deliveries.list(filters));
  const charts = await times(say, combinations, (filters) => api.deliveries.chart(filters));
  const pulses = await times(say, combinations, (filters) => api.deliveries.pulse(filters));
  const lates = await lateTimes(say, api, await lateCombinations(db));
  say("… a backlog of 100,000, a third of it late …");
  await seedBacklog(db);
  await db.query("VACUUM ANALYZE deliveries");
  const backlog = await lateTimes(say, api, await lateCombinations(db));
  const line = (what: string, ms: number[]): Row => ({
    what,
    ours: `${percentile(ms, 0.95).toFixed(1)} ms`,
    other: `median ${median(ms).toFixed(1)} ms`,
    value: percentile(ms, 0.95),
    limit: LIMIT_MS,
    unit: "ms",
  });
  const many = `1,000,000 deliveries, p95 of ${combinations.length} filters`;
  return [
    line(`first page out of ${many}`, pages),
    line(`count to 10,000 out of ${many}`, counts),
    line(`newest, pending and late out of ${many}`, pulses),
    line("late ones out of 1,000,000 deliveries, p95 of pages, counts and pulses", lates),
    line("late ones beside a backlog of 100,000, p95 of pages, counts and pulses", backlog),
    line(`search by id out of 1,000,000 deliveries, p95 of ${ids.length} ids`, searches),
    line("search by endpoint, domain and email out of 1,000,000 deliveries, p95", words),
    line(`chart of the last day, or of the time given, out of ${many}`, charts),
  ];
}

async function lateTimes(
  say: (text: string) => void,
  api: StaffCaller,
  combinations: readonly Filters[],
): Promise<number[]> {
  const { list, count, pulse } = api.deliveries;
  return [
    ...(await times(say, combinations, (filters) => list(filters))),
    ...(await times(say, combinations, (filters) => count(filters))),
    ...(await times(say, combinations, (filters) => pulse(filters))),
  ];
}

/** Late ones of everybody, and of whoever has many, few or none; by what became of their last attempt, and by when they were made. */
async function lateCombinations(db: Database): Promise<Filters[]> {
  const [big, other, tiny] = await applicationsBySize(db);
  const [channel, account] = [await seededId(db, "chn", 1), await seededId(db, "acc", 1_901)];
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  const owners: Filters[] = [
    {},
    { application: big },
    { application: other },
    { application: tiny },
    { channel },
    { account },
    { host: "hooks.acme.io" },
  ];
  const rests: Filters[] = [
    {},
    { errorClass: ["timeout"] },
    { statusClass: ["5xx"] },
    { state: ["pending"] },
    { type: ["profile_disconnected"] },
    { from: ago(24) },
    { to: ago(500) },
  ];
  return owners.flatMap((owner) => rests.map((rest) => ({ ...owner, ...rest, late: true as const })));
}

async function times<T extends object>(
  say: (text: string) => void,
  all: readonly T[],
  run: (one: T) => Promise<unknown>,
): Promise<number[]> {
  const found: { one: T; ms: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of all) {
      const began = performance.now();
      await run(one);
      found.push({ one, ms: performance.now() - began });
    }
  }
  const [slowest] = [...found].sort((a, b) => b.ms - a.ms);
  if (slowest) say(`  slowest ${slowest.ms.toFixed(0)} ms: ${JSON.stringify(slowest.one)}`);
  return found.map(({ ms }) => ms);
}

/** Every filter alone, and combinations that chance chose, the same at every run. */
async function filterCombinations(db: Database): Promise<Filters[]> {
  const [big, other, tiny] = await applicationsBySize(db);
  const channels = await Promise.all([1, 40, 2_900].map((n) => seededId(db, "chn", n)));
  const accounts = await Promise.all([2, 41, 1_901].map((n) => seededId(db, "acc", n)));
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  const choices: Filters[][] = [
    [{ application: big }, { application: other }, { application: tiny }],
    [["failed"], ["pending"], ["cancelled"], ["delivered"], ["failed", "cancelled"], ["delivered", "failed"]].map(
      (state) => ({ state }),
    ) as Filters[],
    [["timeout"], ["tls"], ["http"], ["internal"], ["dns", "reset"]].map((errorClass) => ({ errorClass })) as Filters[],
    [["5xx"], ["4xx"], ["3xx"], ["none"], ["2xx"], ["2xx", "5xx"]].map((statusClass) => ({ statusClass })) as Filters[],
    [["change"], ["verification"], ["profile_disconnected"], ["change", "verification"]].map((type) => ({
      type,
    })) as Filters[],
    channels.map((channel) => ({ channel })),
    accounts.map((account) => ({ account })),
    [{ host: "hooks.acme.io" }, { host: "hooks-1.acme.io" }, { host: "nowhere.acme.io" }],
    [{ from: ago(1) }, { from: ago(168) }, { from: ago(720), to: ago(600) }, { to: ago(400) }],
  ];
  const random = seededRandom(7);
  const weights = [0.5, 0.5, 0.25, 0.25, 0.3, 0.1, 0.15, 0.15, 0.35];
  const drawn = Array.from({ length: COMBINATIONS }, () =>
    choices.flatMap((some, i) =>
      random() < (weights[i] ?? 0) ? [some[Math.floor(random() * some.length)] ?? {}] : [],
    ),
  );
  return [{}, ...choices.flat(), ...drawn.map((parts) => Object.assign({}, ...parts))];
}

async function searchedIds(db: Database): Promise<Filters[]> {
  const deliveries = await db.query<{ id: string }>(
    "SELECT id FROM deliveries TABLESAMPLE SYSTEM (0.01) REPEATABLE (1) LIMIT 60",
  );
  const others = await Promise.all(
    Array.from({ length: 20 }, (_, i) => [
      seededId(db, "chn", 1 + i * 140),
      seededId(db, "acc", 1 + i * 90),
      seededId(db, "app", 1 + i * 2),
    ]).flat(),
  );
  const unknown = ["whd_000000000000000000000000", "req_000000000000000000000000", "chn_000000000000000000000000"];
  return [...deliveries.map(({ id }) => id), ...others, ...unknown, ...Array(20).fill(OPENING_REQUEST)].map((id) => ({
    id,
  }));
}

/** Endpoints, hosts, domains and emails, whole and begun, of whoever has many, few or no deliveries; and the state that has an index of its own. */
async function searchedWords(db: Database): Promise<Filters[]> {
  const urls = await db.query<{ url: string }>("SELECT callback_url AS url FROM channels ORDER BY md5(id) LIMIT 40");
  const endpoints = urls.flatMap(({ url }) => [url, url.slice("https://".length), new URL(url).host]);
  const begun = [
    "hooks.acme.io",
    "hooks.acme.io/hooks/1",
    "hooks-1",
    "hooks",
    "acme.io",
    "nowhere.io",
    "https://nowhere.acme.io/x",
  ];
  const emails = ["ann1@acme.io", "ann77@acme.io", "ann1", "ann19@", "ann@acme.io", "nobody@acme.io"];
  const searched: Filters[] = [...endpoints, ...begun, ...emails].map((q) => ({ q }));
  const states = [["retrying"], ["queued"], ["retrying", "failed"]] as const;
  return [
    ...searched,
    ...states.map((state) => ({ state: [...state] })),
    ...begun.map((q) => ({ q, state: ["failed" as const] })),
  ];
}

async function applicationsBySize(db: Database): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    "SELECT application_id AS id FROM deliveries GROUP BY 1 ORDER BY count(*) DESC",
  );
  return [rows[0]?.id ?? "", rows[Math.floor(rows.length / 3)]?.id ?? "", rows.at(-1)?.id ?? ""];
}

/** Numbers from 0 to 1 that look random (a linear congruential generator). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
