import { afterEach, describe, expect, it, vi } from "vitest";
import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { processServices } from "@/server/http/process-services";
import { SLOWEST_FOR_VISITORS_MS, SLOWEST_MS } from "@/server/http/sandbox-fault";
import { MOST_SLEEPERS } from "@/server/http/sleepers";
import { loggedRequests } from "../fakes/stored-traffic";
import { dayFromNow } from "./dates";
import { expectEmpty } from "./responses";
import { address, call, newProcessServices, type Opened, openCalendar } from "./service";
import { eventsOf, eventsPath } from "./written-series";

const day = dayFromNow(3);
const event = { event_id: "e", summary: "S", start: `${day}T09:00:00Z`, end: `${day}T10:00:00Z`, tzid: "Etc/UTC" };

/** So many requests have a slot at the database at once, at most. */
const slots = () => (db().isServer ? env().DATABASE_POOL : 3);
const asleep = () => processServices().sleepers.count();

const begun: { leave(): void; ended: Promise<string> }[] = [];
afterEach(async () => {
  for (const one of begun) one.leave();
  await Promise.all(begun.splice(0).map(({ ended }) => ended));
  await newProcessServices(); // whose large body was not read yet sleeps on
});

/** A request that asks to wait, for a minute. Its client can leave. */
async function sleeping(token: string, path = "/v1/account", init: RequestInit = {}, ms = SLOWEST_MS) {
  const left = new AbortController();
  const headers = { authorization: `Bearer ${token}`, "svc-sandbox-fault": `slow=${ms}`, ...init.headers };
  const sent = fetch((await address()) + path, { ...init, headers, signal: left.signal });
  const one = {
    leave: () => left.abort(),
    ended: sent.then(
      ({ status }) => String(status),
      () => "left",
    ),
  };
  begun.push(one);
  return one;
}

async function allAsleep(count: number): Promise<void> {
  await vi.waitFor(() => expect(asleep()).toBe(count), { timeout: 60_000 });
}

function write({ accessToken, calendarId }: Opened, body: string, ms = SLOWEST_MS) {
  const headers = { "content-type": "application/json" };
  return sleeping(accessToken, eventsPath(calendarId), { method: "POST", body, headers }, ms);
}

describe("a request that asked for a slow response", () => {
  it("holds no slot for large bodies either", async () => {
    const other = await openCalendar();
    const large = JSON.stringify({ ...event, padding: "x".repeat(200_000) });
    for (let i = 0; i < 4; i += 1) await write(await openCalendar(), large, 10_000);
    await allAsleep(4);
    expectEmpty(await other.post(eventsPath(other.calendarId), JSON.parse(large)), 202);
    expect(asleep()).toBe(4);
  });

  it("holds nothing: beside more of them than there are slots, another tenant reads and writes", async () => {
    const other = await openCalendar();
    const count = slots() + 1;
    for (let i = 0; i < count; i += 1) await write(await openCalendar(), JSON.stringify(event));
    await allAsleep(count);
    const large = { ...event, event_id: "large", padding: "x".repeat(200_000) };
    expectEmpty(await other.post(eventsPath(other.calendarId), event), 202);
    expectEmpty(await other.post(eventsPath(other.calendarId), large), 202);
    expect(await eventsOf(other)).toHaveLength(2);
    expect(asleep()).toBe(count);
    expect(processServices().admission.requests.longestHold()).toBe(0);
  });

  it("is over when its client leaves, and nothing is written", async () => {
    const calendar = await openCalendar();
    const one = await write(calendar, JSON.stringify(event));
    await allAsleep(1);
    one.leave();
    await allAsleep(0);
    expect(await eventsOf(calendar)).toEqual([]);
    expect(await loggedRequests({ path: eventsPath(calendar.calendarId) })).toMatchObject([{ status: 499 }]);
  });

  it("gets 429 where as many of the account wait already, and the header says why", async () => {
    const calendar = await openCalendar();
    for (let i = 0; i < MOST_SLEEPERS.account; i += 1) await sleeping(calendar.accessToken);
    await allAsleep(MOST_SLEEPERS.account);
    const headers = { authorization: `Bearer ${calendar.accessToken}`, "svc-sandbox-fault": "slow=1" };
    const refused = await call("GET", "/v1/account", { headers });
    expectEmpty(refused, 429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("svc-sandbox-fault")).toMatch(/^too many/);
    expect((await calendar.get("/v1/account")).status).toBe(200);
  });

  it(`waits ${SLOWEST_FOR_VISITORS_MS} ms at most for a visitor of the documentation`, async () => {
    const visit = await call("POST", "/api/docs/visit", { headers: { "sec-fetch-site": "same-origin" } });
    const requestId = `visitor-${Date.now()}`;
    const one = await sleeping(visit.json.access_token, "/v1/account", { headers: { "svc-request-id": requestId } });
    await allAsleep(1);
    one.leave();
    await allAsleep(0);
    const [logged] = await loggedRequests(requestId);
    expect(logged?.responseHeaders).toMatchObject({ "svc-sandbox-fault": `slow=${SLOWEST_FOR_VISITORS_MS}` });
  });
});
