import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { processServices } from "@/server/http/process-services";
import { countRequests, dropOldCounts } from "@/server/store/request-logs/request-logs";
import { fakeClock } from "../../fakes/clock";
import { applicationId } from "../grants";
import { ownDatabase } from "../own-database";
import { call, newProcessServices, openCalendar } from "../service";
import { newOperator } from "./staff-caller";

ownDatabase();

const FLOOD = 600;
const STORED_OF_ONE_ADDRESS = 100;
const MINUTE = Date.parse("2026-11-22T10:31:00Z");

async function countsOf(applicationId: string) {
  return await db().query<{ requests: number | null }>(
    `SELECT sum(requests)::int AS requests, sum(client_errors)::int AS client_errors, sum(not_stored)::int AS not_stored,
  (SELECT sum(requests)::int FROM request_counts_by_hour WHERE application_id = $1) AS by_hour FROM request_counts WHERE application_id = $1`,
    [applicationId],
  );
}

describe("a flood of requests without a credential", () => {
  it("writes few bytes, loses no row of a tenant, and is counted in full", async () => {
    fakeClock();
    const tenant = await openCalendar();
    await newProcessServices();
    const before = await countsOf("");
    const search = "x".repeat(4000);
    const headers = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x-flood-${i}`, "y".repeat(100)]));
    for (let i = 0; i < FLOOD; i += 20) {
      const flood = Array.from({ length: 20 }, () => call("GET", `/v1/nothing?${search}=${search}`, { headers }));
      const own = tenant.get("/v1/channels");
      for (const { status } of await Promise.all(flood)) expect(status).toBe(404);
      expect(await own).toMatchObject({ status: 200 });
    }
    expect(await processServices().requestLog.flush(10_000)).toBe(true);
    const id = await applicationId(tenant.application);
    const [stored] = await db().query<{ bytes: number }>(
      `SELECT count(*) FILTER (WHERE application_id = $1 AND path = '/v1/channels')::int AS tenants,
  count(*) FILTER (WHERE path = '/v1/nothing')::int AS strangers,
  sum(pg_column_size(r.*)) FILTER (WHERE path = '/v1/nothing')::int AS bytes FROM request_logs r`,
      [id],
    );
    expect(stored).toMatchObject({ tenants: FLOOD / 20, strangers: STORED_OF_ONE_ADDRESS });
    expect(stored?.bytes).toBeLessThan(STORED_OF_ONE_ADDRESS * 400);
    const flood = { requests: FLOOD, client_errors: FLOOD, not_stored: FLOOD - STORED_OF_ONE_ADDRESS, by_hour: FLOOD };
    const earlier = Number(before[0]?.requests ?? 0);
    expect(await countsOf("")).toEqual([{ ...flood, requests: FLOOD + earlier, by_hour: FLOOD + earlier }]);
    const { api } = await newOperator();
    expect(await api.requests.notStored({})).toEqual({ count: FLOOD - STORED_OF_ONE_ADDRESS });
    expect(await api.requests.notStored({ application: id })).toEqual({ count: 0 });
  });
});

describe("requests that are only counted", () => {
  const count = { minute: new Date(MINUTE), requests: 5, clientErrors: 4, serverErrors: 1, throttled: 2 };

  it("count once, however often their batch is sent", async () => {
    const applicationId = `app_${randomUUID()}`;
    const batch = { id: randomUUID(), counts: [{ ...count, applicationId }] };
    await Promise.all(Array.from({ length: 5 }, () => countRequests(db(), batch)));
    await countRequests(db(), { ...batch, id: randomUUID() });
    expect(await countsOf(applicationId)).toEqual([{ requests: 10, client_errors: 8, not_stored: 10, by_hour: 10 }]);
  });

  it("leave nothing behind when they are old", async () => {
    await countRequests(db(), { id: randomUUID(), counts: [{ ...count, applicationId: "app_old" }] });
    await dropOldCounts(db(), (Date.now() + 40 * 86_400_000) as Instant);
    for (const table of ["request_tallies", "request_counts", "request_counts_by_hour"]) {
      expect(await db().query(`SELECT 1 FROM ${table}`)).toEqual([]);
    }
  });
});
