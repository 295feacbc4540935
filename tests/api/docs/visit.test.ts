import { afterEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { MAX_VISITORS, VISIT_MS, VISITOR_BODY, VISITORS_APPLICATION } from "@/server/domain/visitors";
import { provideEnv } from "@/server/env";
import { VISIT_ADDRESS, VISITOR } from "@/server/http/rate-limit/buckets";
import { closeVisits } from "@/server/store/accounts/close-visits";
import { ownDatabase } from "../own-database";
import { address, call, newProcessServices } from "../service";

ownDatabase();
// Every test begins with full buckets.
afterEach(newProcessServices);

const own = { "sec-fetch-site": "same-origin" };
const visit = (headers: Record<string, string> = own) => call("POST", "/api/docs/visit", { headers });

async function visitor() {
  const { status, json } = await visit();
  expect(status).toBe(200);
  const headers = { authorization: `Bearer ${json.access_token}` };
  return { headers, events: `/v1/calendars/${json.calendar_id}/events`, expiresIn: json.expires_in };
}

const event = { event_id: "one", summary: "One", start: "2026-11-25T10:00:00Z", end: "2026-11-25T11:00:00Z" };

describe("a visit from the documentation", () => {
  it("gives a calendar of its own, for an hour, and no refresh token", async () => {
    const { status, json, headers } = await visit();
    expect([status, Object.keys(json).sort()]).toEqual([200, ["access_token", "calendar_id", "expires_in", "sub"]]);
    expect(json.expires_in).toBe(VISIT_MS / 1000);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    const [one, other] = [await visitor(), await visitor()];
    expect((await call("POST", one.events, { headers: one.headers, json: event })).status).toBe(202);
    expect((await call("POST", one.events, { headers: other.headers, json: event })).status).toBe(404);
  });

  it("is for the documentation's own pages alone", async () => {
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.io" },
      {},
    ];
    for (const headers of foreign) {
      expect((await visit(headers)).status).toBe(403);
    }
    expect((await visit({ origin: await address() })).status).toBe(200);
    const wrong = await call("GET", "/api/docs/visit", { headers: own });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("creates no channels, so strangers send nothing to anyone", async () => {
    const { headers } = await visitor();
    const refused = await call("POST", "/v1/channels", { headers, json: { callback_url: "https://app.acme.io/hook" } });
    expect([refused.status, refused.json.errors.base[0].key]).toEqual([422, "errors.too_many_channels"]);
    expect(await db().prisma.channel.count({ where: { account: { applicationId: VISITORS_APPLICATION } } })).toBe(0);
  });

  it("writes small bodies", async () => {
    const { headers, events } = await visitor();
    const long = { ...event, description: "x".repeat(VISITOR_BODY) };
    expect((await call("POST", events, { headers, json: long })).status).toBe(413);
  });

  it("has few calls", async () => {
    const { headers } = await visitor();
    const statuses: number[] = [];
    for (let n = 0; n <= VISITOR.burst + 2; n++) statuses.push((await call("GET", "/v1/account", { headers })).status);
    expect(statuses.slice(0, VISITOR.burst)).not.toContain(429);
    expect(statuses).toContain(429);
  });

  it("is given to one address a few times", async () => {
    for (let n = 0; n < VISIT_ADDRESS.burst; n++) expect((await visit()).status).toBe(200);
    const refused = await visit();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
  });

  it("ends after its hour with all that was written, and a younger one stays", async () => {
    const [old, young] = [await visitor(), await visitor()];
    expect((await call("POST", old.events, { headers: old.headers, json: event })).status).toBe(202);
    const { account } = (await call("GET", "/v1/account", { headers: old.headers })).json;
    const createdAt = new Date(Date.now() - VISIT_MS - 60_000);
    await db().prisma.account.update({ where: { id: account.account_id }, data: { createdAt } });
    await closeVisits(db());
    expect((await call("GET", "/v1/account", { headers: old.headers })).status).toBe(401);
    expect((await call("GET", "/v1/account", { headers: young.headers })).status).toBe(200);
    expect(await db().prisma.calendar.count({ where: { accountId: account.account_id } })).toBe(0);
  });

  it("is not given when there are too many", async () => {
    await visitor();
    const more = Array.from({ length: MAX_VISITORS }, (_, n) => ({
      id: `apc_${String(n).padStart(24, "0")}`,
      applicationId: VISITORS_APPLICATION,
      kind: "application_calendar" as const,
      applicationCalendarId: `full-${n}`,
      name: `full-${n}`,
      email: `full-${n}@almanac.test`,
    }));
    await db().prisma.account.createMany({ data: more });
    const refused = await visit();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, String(VISIT_MS / 1000)]);
    await db().prisma.account.deleteMany({ where: { id: { in: more.map(({ id }) => id) } } });
  });

  it("is not there where the sandbox is off", async () => {
    provideEnv({ SANDBOX: "off" });
    try {
      expect((await visit()).status).toBe(404);
    } finally {
      provideEnv({ SANDBOX: "on" });
    }
  });
});
