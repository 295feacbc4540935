import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { dropOldCounts, storeRequests } from "@/server/db/request-logs";
import type { Instant } from "@/server/domain/time/instant";
import { ownDatabase } from "../own-database";

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
  });

  it("go after 30 days", async () => {
    const application = newApplicationId();
    await storeRequests(db(), rowsOf(application, [200]));
    await dropOldCounts(db(), (MINUTE + 30 * 86_400_000) as Instant);
    expect(await counts(application)).toHaveLength(1);
    await dropOldCounts(db(), (MINUTE + 30 * 86_400_000 + 1) as Instant);
    expect(await counts(application)).toEqual([]);
  });

  it("the log names the route of a path", async () => {
    const application = newApplicationId();
    await storeRequests(db(), rowsOf(application, [200]));
    expect(await db().query("SELECT endpoint FROM request_logs WHERE application_id = $1", [application])).toEqual([
      { endpoint: "/v1/calendars/{calendar_id}/events" },
    ]);
  });
});
