import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { sampledTraffic } from "@/server/services/staff/requests/traffic/traffic.sql";
import { storeRequests } from "@/server/store/request-logs/request-logs";
import { applicationId } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
import { rowsReadBy } from "./rows-read";
import { newOperator, type Operator } from "./staff-caller";

ownDatabase();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The middle of the running minute, so that no row falls into the next one. */
const now = () => Math.floor(clock().now() / MINUTE) * MINUTE;
const EVENTS = "/v1/calendars/cal_1/events";
let admin: Operator;
let acme: string;
let north: string;

interface Given {
  applicationId: string;
  at: number;
  durationMs: number;
  status?: number;
  path?: string;
}
const store = (rows: Given[]) =>
  storeRequests(
    db(),
    rows.map(({ at, ...row }) => ({
      ...{ id: randomUUID(), requestId: "req_1", at: new Date(at), method: "GET", path: EVENTS, query: null },
      ...{ status: 200, accountId: null, address: null, errorKeys: [], requestHeaders: {}, requestBody: null },
      ...{ responseHeaders: {}, responseBody: null, plan: null, ...row },
    })),
  );

beforeAll(async () => {
  admin = await newOperator("admin");
  acme = await applicationId(await newApplication());
  north = await applicationId(await newApplication());
  const durations = Array.from({ length: 100 }, (_, n) => n + 1);
  await store([
    ...durations.map((durationMs) => ({ applicationId: acme, at: now() - 30 * MINUTE + durationMs * 500, durationMs })),
    { applicationId: acme, at: now() - 10 * MINUTE, durationMs: 5, status: 422, path: "/v1/channels" },
    { applicationId: acme, at: now() - 10 * MINUTE, durationMs: 7, status: 503, path: "/v1/channels" },
    { applicationId: north, at: now() - 10 * MINUTE, durationMs: 9_000 },
    { applicationId: acme, at: now() - 50 * HOUR, durationMs: 80 },
  ]);
});

it("an hour has a bar for each minute, with its volume, its errors and percentiles", async () => {
  const { bars, requests, sampled } = await admin.api.requests.traffic({ range: "1h", application: acme });
  expect([bars.length, requests, sampled]).toEqual([60, 102, 102]);
  const at = (minutesAgo: number) => bars.find((bar) => bar.at === new Date(now() - minutesAgo * MINUTE).toISOString());
  expect(at(30)).toMatchObject({ requests: 100, clientErrors: 0, serverErrors: 0, p50: 50.5, p95: 95.05 });
  expect(at(10)).toMatchObject({ requests: 2, clientErrors: 1, serverErrors: 1, p50: 6 });
  expect(at(20)).toMatchObject({ requests: 0, p50: null, p95: null });
});

it("routes with the most errors come first", async () => {
  const { routes } = await admin.api.requests.traffic({ range: "1h", application: acme });
  expect(routes).toMatchObject([
    { method: "GET", endpoint: "/v1/channels", sampled: 2, errors: 2, p50: 6 },
    { method: "GET", endpoint: "/v1/calendars/{calendar_id}/events", sampled: 100, errors: 0, p95: 95.05 },
  ]);
});

it("a day and a week are read from the counts by hour, of all applications or of those that a developer sees", async () => {
  expect(await admin.api.requests.traffic({})).toMatchObject({ requests: 103, bars: { length: 24 } });
  const week = await admin.api.requests.traffic({ range: "7d" });
  expect([week.bars.length, week.requests]).toEqual([56, 104]);
  const developer = await newOperator("developer", "Lin", [north]);
  expect(await developer.api.requests.traffic({ range: "7d" })).toMatchObject({ requests: 1, sampled: 1 });
  const others = await developer.api.requests.traffic({ range: "7d", application: acme });
  expect(others).toMatchObject({ requests: 0, sampled: 0, routes: [] });
});

it("however many requests there were, a sample of some from each slice of the range is read", async () => {
  const many = 20_000;
  await db().query(
    `INSERT INTO request_logs (id, expires_on, request_id, at, method, path, endpoint, status, duration_ms, application_id, error_keys, detail)
SELECT gen_random_uuid(), r.expires_on, 'req_1', $1::timestamptz - n * interval '150 ms', 'GET', '/v1/me', '/v1/me', 200, 1, $2, '{}', ''
FROM (SELECT expires_on FROM request_logs WHERE application_id = $2 LIMIT 1) r, generate_series(1, $3::int) n`,
    [new Date(now()), north, many],
  );
  const from = new Date(now() - HOUR);
  const span = { from, to: new Date(now()), barMs: MINUTE, slices: 60, ofSlice: 10, within: [acme], share: null };
  await db().query("ANALYZE request_logs");
  for (const within of [null, [acme], [acme, north]]) {
    const read = await rowsReadBy((query) => runComposed(query, sampledTraffic, { ...span, within }));
    expect(read).toBeLessThanOrEqual(2 * span.slices * span.ofSlice + 100);
  }
  const groups = await runComposed(db().query, sampledTraffic, span);
  expect(groups.filter(({ isRoute }) => !isRoute).map(({ sampled }) => sampled)).toEqual([10, 2]);
});
