import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { processServices } from "@/server/http/process-services";
import { applicationId } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication, newProcessServices, openCalendar } from "../service";
import { newOperator } from "./staff-caller";

ownDatabase(() => ({ REQUEST_LOG_SAMPLE: "0.1" }));

interface Logged {
  at?: number;
  method?: string;
  status?: number;
  durationMs?: number;
}

/** Logs so many requests of an application, as the API does. */
async function log(application: string, count: number, request: (n: number) => Logged) {
  for (let n = 0; n < count; n++) {
    const { at = clock().now(), ...more } = request(n);
    processServices().requestLog.add({
      ...{ requestId: randomUUID(), at: new Date(at), method: "GET", path: "/v1/calendars", search: "" },
      ...{ status: 200, durationMs: 10, applicationId: application, accountId: null, isAuthenticated: true },
      ...{ address: "203.0.113.1", requestHeaders: new Headers(), requestBody: null },
      ...{ responseHeaders: new Headers(), responseBody: null, plan: "standard", ...more },
    });
  }
  expect(await processServices().requestLog.flush(10_000)).toBe(true);
}

const storedOf = (application: string) =>
  db().query<{ method: string; status: number; count: number }>(
    "SELECT method, status, count(*)::int AS count FROM request_logs WHERE application_id = $1 GROUP BY 1, 2 ORDER BY 1, 2",
    [application],
  );

it("of successful reads a share is stored, and all requests are counted", async () => {
  const application = await applicationId(await newApplication());
  await log(application, 1_000, () => ({}));
  await log(application, 20, () => ({ method: "POST" }));
  await log(application, 30, () => ({ status: 404 }));
  const [reads, ...others] = await storedOf(application);
  expect(others).toEqual([
    { method: "GET", status: 404, count: 30 },
    { method: "POST", status: 200, count: 20 },
  ]);
  expect(reads?.count).toBeGreaterThan(40);
  expect(reads?.count).toBeLessThan(250);
  const { api } = await newOperator();
  expect(await api.requests.notStored({ application })).toEqual({ count: 1_000 - (reads?.count ?? 0) });
  const { requests, bars } = await api.requests.traffic({ range: "1h", application });
  expect(requests).toBe(1_050);
  expect(bars.reduce((sum, { clientErrors }) => sum + clientErrors, 0)).toBe(30);
});

it("latencies and routes are those of all requests, although slow reads are all stored", async () => {
  const application = await applicationId(await newApplication());
  const at = (n: number) => clock().now() - n * 3_000;
  await log(application, 2_400, (n) => ({ at: at(n), durationMs: n % 6 === 0 ? 2_000 : 10 }));
  const [stored] = await storedOf(application);
  expect(stored?.count).toBeLessThan(800);
  const { routes } = await (await newOperator()).api.requests.traffic({ range: "24h", application });
  expect(routes).toMatchObject([{ method: "GET", p50: 10, p95: 2_000 }]);
});

it("without a share, no successful read is stored, and the rest is charted as it is", async () => {
  provideEnv({ REQUEST_LOG_SAMPLE: "0" });
  await newProcessServices();
  const calendar = await openCalendar();
  expect((await calendar.get("/v1/channels")).status).toBe(200);
  expect((await calendar.get("/v1/events?tzid=Nowhere")).status).toBe(422);
  expect(await processServices().requestLog.flush(10_000)).toBe(true);
  const application = await applicationId(calendar.application);
  const stored = await storedOf(application);
  expect(stored.filter(({ method }) => method === "GET")).toEqual([{ method: "GET", status: 422, count: 1 }]);
  const { api } = await newOperator();
  const { count: reads } = await api.requests.notStored({ application });
  const { requests, sampled } = await api.requests.traffic({ range: "1h", application });
  expect(reads).toBeGreaterThan(0);
  expect(sampled).toBe(stored.reduce((sum, { count }) => sum + count, 0));
  expect(requests).toBe(sampled + reads);
});
