import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect, db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { env } from "@/server/env";
import { dropOldCounts, storeRequests } from "@/server/store/request-logs/request-logs";
import { fakeClock } from "../../fakes/clock";
import { applicationId } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
import { newOperator } from "./staff-caller";

ownDatabase(() => ({ BASE_URL: "http://api.almanac.localhost" }));

const MINUTE = Date.parse("2026-11-21T10:31:00Z");
const rowsOf = (applicationId: string | null, statuses: number[], at = MINUTE) =>
  statuses.map((status, i) => ({
    id: randomUUID(),
    requestId: "req_1",
    at: new Date(at + i),
    method: "GET",
    path: "/v1/calendars/cal_1/events",
    query: null,
    status,
    durationMs: 1,
    applicationId,
    accountId: null,
    address: null,
    errorKeys: [],
    requestHeaders: {},
    requestBody: null,
    responseHeaders: {},
    responseBody: null,
    plan: null,
  }));
const newApplicationId = () => `app_${randomBytes(12).toString("hex")}`;
const counts = (applicationId: string) =>
  db().query(
    "SELECT minute, requests, client_errors, server_errors, throttled FROM request_counts WHERE application_id = $1 ORDER BY minute",
    [applicationId],
  );

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOUR = Date.parse("2026-11-21T10:00:00Z");
const hours = (applicationId: string) =>
  db().query(
    "SELECT hour, requests, client_errors, server_errors, throttled FROM request_counts_by_hour WHERE application_id = $1 ORDER BY hour",
    [applicationId],
  );

/** The minutes of all hours, added up, are those hours: those of all applications. */
async function expectHoursToAddUp(): Promise<void> {
  const columns = "application_id, requests, client_errors, server_errors, throttled";
  const added = await db().query(
    `SELECT date_trunc('hour', minute, 'UTC') AS hour, application_id, sum(requests)::int AS requests, sum(client_errors)::int AS client_errors,
  sum(server_errors)::int AS server_errors, sum(throttled)::int AS throttled FROM request_counts GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  expect(added.length).toBeGreaterThan(0);
  expect(await db().query(`SELECT hour, ${columns} FROM request_counts_by_hour ORDER BY 1, 2`)).toEqual(added);
}

describe("requests counted by minute and application", () => {
  it("count with the rows that are stored, and a batch that comes again counts nothing", async () => {
    const application = newApplicationId();
    const first = rowsOf(application, [200, 422, 429, 503]);
    await storeRequests(db(), first);
    await storeRequests(db(), first);
    await storeRequests(db(), [...first.slice(2), ...rowsOf(application, [200, 404])]);
    expect(await counts(application)).toEqual([
      { minute: new Date(MINUTE), requests: 6, client_errors: 3, server_errors: 1, throttled: 1 },
    ]);
  });

  it("stand for callers that are unknown too, and each minute by itself", async () => {
    await storeRequests(db(), [...rowsOf(null, [401]), ...rowsOf(null, [401, 200], MINUTE + 60_000)]);
    expect(await counts("")).toMatchObject([{ requests: 1 }, { requests: 2, client_errors: 1 }]);
  });

  it("survive batches of several processes at once", async () => {
    const applications = Array.from({ length: 20 }, newApplicationId);
    const batch = (order: string[]) => order.flatMap((application) => rowsOf(application, [200]));
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        storeRequests(db(), batch(i % 2 ? applications : applications.toReversed())),
      ),
    );
    for (const application of applications) expect(await counts(application)).toMatchObject([{ requests: 10 }]);
    await expectHoursToAddUp();
  });

  it("go after 30 days", async () => {
    const application = newApplicationId();
    await storeRequests(db(), rowsOf(application, [200]));
    await dropOldCounts(db(), (MINUTE + 30 * 86_400_000) as Instant);
    expect(await counts(application)).toHaveLength(1);
    await dropOldCounts(db(), (MINUTE + 30 * 86_400_000 + 1) as Instant);
    expect(await counts(application)).toEqual([]);
  });

  it("go with the hour that they belong to, and no hour before its last minute", async () => {
    const application = newApplicationId();
    await storeRequests(db(), rowsOf(application, [200], HOUR + 59 * 60_000));
    await storeRequests(db(), rowsOf(application, [200], HOUR + HOUR_MS));
    const lastMinute = HOUR + 59 * 60_000 + 30 * DAY_MS;
    await dropOldCounts(db(), lastMinute as Instant);
    expect([await counts(application), await hours(application)].map(({ length }) => length)).toEqual([2, 2]);
    await dropOldCounts(db(), (lastMinute + 1) as Instant);
    expect(await counts(application)).toMatchObject([{ minute: new Date(HOUR + HOUR_MS) }]);
    expect(await hours(application)).toMatchObject([{ hour: new Date(HOUR + HOUR_MS) }]);
  });

  it("the log names the route of a path", async () => {
    const application = newApplicationId();
    await storeRequests(db(), rowsOf(application, [200]));
    expect(await db().query("SELECT endpoint FROM request_logs WHERE application_id = $1", [application])).toEqual([
      { endpoint: "/v1/calendars/{calendar_id}/events" },
    ]);
  });
});

describe("requests counted by hour and application", () => {
  it("are those of its sixty minutes, each batch in both", async () => {
    const application = newApplicationId();
    const first = rowsOf(application, [200, 422, 429, 503], HOUR);
    await storeRequests(db(), first);
    await storeRequests(db(), [
      ...first,
      ...rowsOf(application, [500], HOUR + HOUR_MS - 1),
      ...rowsOf(application, [200, 404], HOUR + HOUR_MS),
      ...rowsOf(application, [200], HOUR - 1),
    ]);
    expect(await hours(application)).toEqual([
      { hour: new Date(HOUR - HOUR_MS), requests: 1, client_errors: 0, server_errors: 0, throttled: 0 },
      { hour: new Date(HOUR), requests: 5, client_errors: 2, server_errors: 2, throttled: 1 },
      { hour: new Date(HOUR + HOUR_MS), requests: 2, client_errors: 1, server_errors: 0, throttled: 0 },
    ]);
    await expectHoursToAddUp();
  });

  it("begin on the hour in UTC, whatever the zone of the database", async () => {
    const zoned = connect(env().DATABASE_URL, { max: 1 });
    onTestFinished(async () => {
      await zoned.query("SET TIME ZONE DEFAULT"); // the embedded database has one session for all
      await zoned.close();
    });
    await zoned.query("SET TIME ZONE 'Asia/Kolkata'");
    const application = newApplicationId();
    await storeRequests(zoned, [
      ...rowsOf(application, [200], HOUR),
      ...rowsOf(application, [200], HOUR + 31 * 60_000),
    ]);
    expect(await hours(application)).toMatchObject([{ hour: new Date(HOUR), requests: 2 }]);
  });

  it("are an application's traffic: from the hour 23 before the running one, up to the last batch", async () => {
    fakeClock(MINUTE);
    const application = await applicationId(await newApplication());
    const first = HOUR - 23 * HOUR_MS;
    await storeRequests(db(), [
      ...rowsOf(application, [500, 500], first - 2),
      ...rowsOf(application, [200, 404], first),
      ...rowsOf(application, [429], HOUR - 1),
      ...rowsOf(application, [200], HOUR),
      ...rowsOf(application, [200], MINUTE),
    ]);
    const { api } = await newOperator();
    const expected = new Array(24).fill(0);
    [expected[0], expected[22], expected[23]] = [2, 1, 2];
    const { traffic } = await api.applications.get({ id: application });
    expect(traffic).toEqual({ requestsPerHour: expected, errorRate: 2 / 5, throttled: 1 });
    await storeRequests(db(), rowsOf(application, [503], MINUTE + 1));
    expected[23] = 3;
    const listed = (await api.applications.list()).find(({ id }) => id === application);
    expect(listed?.traffic).toEqual({ requestsPerHour: expected, errorRate: 3 / 6, throttled: 1 });
  });
});
