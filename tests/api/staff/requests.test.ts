import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { processServices } from "@/server/http/process-services";
import { storeRequests } from "@/server/store/request-logs/request-logs";
import { addDeliveries } from "../../fakes/stored-deliveries";
import { dropWrites, refuseWrites } from "../../fakes/stored-writes";
import { ask, hourOf } from "../availability";
import { authorize } from "../connect-page";
import { dayFromNow } from "../dates";
import { applicationId, exchange, REDIRECT_URI } from "../grants";
import { providerCalendar } from "../provider-calendar";
import { type Application, call, newApplication, type Opened, openCalendar } from "../service";
import { eventsPath, write } from "../written-series";
import { auditOf, newOperator, type Operator, refusal, stranger } from "./staff-caller";

const DAY = dayFromNow(3);
const meeting = {
  event_id: "m1",
  summary: "Planning",
  start: `${DAY}T09:00:00Z`,
  end: `${DAY}T10:00:00Z`,
  tzid: "Etc/UTC",
};
const DAY_MS = 86_400_000;

let staff: Operator;

/** What the service has answered until now is in the log. */
const written = () => processServices().requestLog.flush(10_000);

beforeAll(async () => {
  staff = await newOperator();
});

/** A row of the log as its writer makes them. */
function logged(more: Partial<Parameters<typeof storeRequests>[1][number]> = {}) {
  return {
    id: randomUUID(),
    requestId: `req_${randomBytes(12).toString("hex")}`,
    at: new Date(Date.now() - 60_000),
    method: "GET",
    path: "/v1/events",
    query: null,
    status: 200,
    durationMs: 3,
    applicationId: null,
    accountId: null,
    address: null,
    errorKeys: [],
    requestHeaders: {},
    requestBody: null,
    responseHeaders: {},
    responseBody: null,
    plan: "standard" as const,
    ...more,
  };
}

describe("the list of requests", () => {
  it("is for members of staff", async () => {
    expect(await refusal(stranger().requests.list({}))).toMatchObject({ kind: "signed_out" });
    expect(await refusal(stranger().requests.get({ id: randomUUID() }))).toMatchObject({ kind: "signed_out" });
  });

  it("shows what was called and what it was answered, the newest first", async () => {
    const calendar = await openCalendar();
    await calendar.get("/v1/account");
    await calendar.post(eventsPath(calendar.calendarId), { event_id: "m1" });
    await written();
    const { items } = await staff.api.requests.list({ account: calendar.accountId });
    expect(items.map(({ method, endpoint, status }) => [method, endpoint, status])).toEqual([
      ["POST", "/v1/calendars/{calendar_id}/events", 422],
      ["GET", "/v1/account", 200],
      ["GET", "/v1/calendars", 200],
    ]);
    expect(items[0]).toMatchObject({
      path: eventsPath(calendar.calendarId),
      applicationId: await applicationId(calendar.application),
      applicationName: "Test",
      errorKeys: expect.arrayContaining(["errors.required"]),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  describe("narrowed", () => {
    let application: string;
    let opened: Opened;

    beforeAll(async () => {
      const owner = await newApplication();
      opened = await openCalendar(owner);
      application = await applicationId(owner);
      await opened.get("/v1/events", { tzid: "Etc/UTC" });
      await opened.get("/v1/events");
      await opened.write(meeting);
      await opened.remove(eventsPath(opened.calendarId), { event_id: "m1" });
      await written();
    });

    const paths = async (filters: object) => {
      const { items } = await staff.api.requests.list({ application, ...filters });
      const { count } = await staff.api.requests.count({ application, ...filters });
      expect(count).toBe(items.length);
      return items
        .map(({ method, path, status }) => `${method} ${path.replace(opened.calendarId, "cal")} ${status}`)
        .sort();
    };

    it("by method, by route, by status and by error key, and by all of them together", async () => {
      expect(await paths({ method: ["DELETE"] })).toEqual(["DELETE /v1/calendars/cal/events 202"]);
      expect(await paths({ method: ["DELETE", "POST"], statusClass: ["2xx"] })).toHaveLength(3);
      expect(await paths({ endpoint: "/v1/events" })).toEqual(["GET /v1/events 200", "GET /v1/events 422"]);
      expect(await paths({ statusClass: ["4xx", "5xx"] })).toEqual(["GET /v1/events 422"]);
      expect(await paths({ status: 202 })).toHaveLength(2);
      expect(await paths({ errorKey: "errors.required" })).toEqual(["GET /v1/events 422"]);
      expect(await paths({ errorKey: "errors.required", method: ["DELETE"] })).toEqual([]);
    });

    it("by more than one value of each", async () => {
      expect(
        await paths({ method: ["GET", "DELETE"], statusClass: ["4xx", "2xx"], endpoint: "/v1/events" }),
      ).toHaveLength(2);
      expect(await paths({ statusClass: ["2xx"], status: 202, method: ["POST"] })).toHaveLength(1);
      expect(await paths({ statusClass: ["4xx"], status: 202 })).toEqual([]);
      expect(await paths({ method: ["POST"], endpoint: "/v1/events" })).toEqual([]);
    });

    it("by a path, whole or the beginning of one, with or without a route", async () => {
      expect(await paths({ path: eventsPath(opened.calendarId) })).toHaveLength(2);
      expect(await paths({ path: `/v1/calendars/${opened.calendarId}` })).toHaveLength(2);
      expect(await paths({ path: "/v1/calendars" })).toHaveLength(3);
      const unknown = `/v1/nothing-${randomBytes(6).toString("hex")}`;
      await call("GET", unknown);
      await written();
      expect((await staff.api.requests.list({ path: unknown })).items).toMatchObject([{ endpoint: null, status: 404 }]);
      expect(await paths({ path: "/v1/calendars/cal_other" })).toEqual([]);
    });

    it("by the ids of an account, an application and a calendar", async () => {
      expect(await paths({ id: opened.calendarId })).toHaveLength(2);
      expect(await paths({ id: application })).toEqual(await paths({}));
      expect((await paths({ id: opened.accountId })).length).toBeGreaterThan(4);
    });

    it("by time", async () => {
      const { items } = await staff.api.requests.list({ application });
      const middle = items[2]?.at ?? "";
      const early = await paths({ to: middle });
      const late = await paths({ from: middle });
      expect(late.length).toBeGreaterThanOrEqual(3);
      expect(early.length + late.length).toBe(items.length);
    });

    it("comes in pages that neither repeat nor skip", async () => {
      const { items: all } = await staff.api.requests.list({ application });
      const seen: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await staff.api.requests.list({ application, after, limit: 2 });
        seen.push(...page.items.map(({ id }) => id));
        if (page.next === null) break;
        after = page.next;
      }
      expect(seen).toEqual(all.map(({ id }) => id));
    });

    it("refuses a place that no page gave and what is no filter", async () => {
      expect(await refusal(staff.api.requests.list({ after: "bm9uc2Vuc2U" }))).toMatchObject({
        kind: "invalid",
        issues: [{ path: ["after"] }],
      });
      expect(await refusal(staff.api.requests.list({ from: "yesterday" }))).toMatchObject({ kind: "invalid" });
      expect(await refusal(staff.api.requests.list({ limit: 101 }))).toMatchObject({ kind: "invalid" });
    });
  });

  it("finds what is rare among older days, of both retentions", async () => {
    const application = `app_${randomBytes(12).toString("hex")}`;
    const frequent = Array.from({ length: 2_100 }, () => logged({ applicationId: application }));
    const rare = [1, 3, 6, 20, 29].map((days) =>
      logged({
        applicationId: application,
        at: new Date(Date.now() - days * DAY_MS),
        status: 500,
        plan: days < 7 ? "developer" : "standard",
      }),
    );
    await storeRequests(db(), [...frequent, ...rare]);
    const found = await staff.api.requests.list({ application, status: 500, limit: 3 });
    const rest = await staff.api.requests.list({ application, status: 500, limit: 3, after: found.next ?? "" });
    expect([...found.items, ...rest.items].map(({ id }) => id)).toEqual(rare.map(({ id }) => id));
    expect(rest.next).toBeNull();
    expect(await staff.api.requests.count({ application, status: 500 })).toEqual({ count: 5, more: false });
    expect(await staff.api.requests.pulse({ application, status: 500 })).toEqual({ newest: null });
    expect(await staff.api.requests.pulse({ application })).toEqual({ newest: expect.any(String) });
  });
});

describe("a request with an application's own credentials", () => {
  it("has an application and no account, is found by its route, and caused nothing", async () => {
    const calendar = await openCalendar();
    const question = hourOf([calendar], { start: `${DAY}T09:00:00Z`, end: `${DAY}T12:00:00Z` });
    const { headers } = await ask(calendar.application, question);
    await calendar.post("/v1/availability", question);
    await written();
    const application = await applicationId(calendar.application);
    const { items } = await staff.api.requests.list({ application, endpoint: "/v1/availability", method: ["POST"] });
    expect(items.map(({ accountId, status }) => [accountId, status])).toEqual([
      [calendar.accountId, 200],
      [null, 200],
    ]);
    const alone = await staff.api.requests.list({ id: headers.get("svc-request-id") ?? "" });
    expect(alone.items).toMatchObject([{ accountId: null, applicationId: application, applicationName: "Test" }]);
    for (const { id } of items) {
      const shown = await staff.api.requests.get({ id });
      expect(shown.caused).toEqual({ deliveries: [], events: [], channel: null, accountId: null });
      expect(shown.requestBody).toEqual(question);
      expect(shown.requestHeaders).toMatchObject({ authorization: "[redacted]" });
    }
  });
});

describe("a request looked up by its id", () => {
  it("is found by ours and by the caller's own, which may come several times", async () => {
    const calendar = await openCalendar();
    const own = `order-${randomBytes(6).toString("hex")}`;
    const headers = { authorization: `Bearer ${calendar.accessToken}`, "svc-request-id": own };
    await call("GET", "/v1/account", { headers });
    await call("GET", "/v1/calendars", { headers });
    await written();
    const { items } = await staff.api.requests.list({ id: own });
    expect(items.map(({ path }) => path)).toEqual(["/v1/calendars", "/v1/account"]);
    const [ours] = items;
    expect((await staff.api.requests.list({ id: ours?.id })).items).toEqual([ours]);
    expect((await staff.api.requests.list({ id: own, statusClass: ["4xx"] })).items).toEqual([]);
  });

  it("shows what was sent and answered, without tokens or event text, and notes once an hour who read it", async () => {
    const calendar = await openCalendar();
    await calendar.write(meeting);
    await written();
    const { items } = await staff.api.requests.list({ account: calendar.accountId, method: ["POST"] });
    const id = items[0]?.id ?? "";
    const shown = await staff.api.requests.get({ id });
    await staff.api.requests.get({ id });
    expect(shown).toMatchObject({
      id,
      status: 202,
      requestBody: { event_id: "m1", summary: "[redacted]" },
      responseBody: null,
    });
    expect(shown.requestHeaders.authorization).toBe("[redacted]");
    expect(JSON.stringify(shown)).not.toContain("Planning");
    expect(await auditOf(id)).toEqual([{ action: "request.viewed", operator_id: staff.id, detail: {} }]);
    const other = await newOperator();
    await other.api.requests.get({ id });
    expect(await auditOf(id)).toHaveLength(2);
  });

  it("shows headers and bodies as they were", async () => {
    const row = logged({ requestHeaders: { host: "api.acme.io" }, responseBody: { a: "\u{1F4C5} \\u0000" } });
    await storeRequests(db(), [row]);
    const parts = {
      requestHeaders: row.requestHeaders,
      requestBody: null,
      responseHeaders: {},
      responseBody: row.responseBody,
    };
    expect(await staff.api.requests.get({ id: row.id })).toMatchObject(parts);
  });

  it.each(["nonsense", randomUUID()])("is not found when there is none: %s", async (id) => {
    expect(await refusal(staff.api.requests.get({ id }))).toEqual({ kind: "not_found" });
  });
});

describe("a connect page that was refused", () => {
  async function refused(application: Application, fields: Record<string, string | null>) {
    const requestId = `test-${randomBytes(8).toString("hex")}`;
    const answer = await authorize(application, fields, { "svc-request-id": requestId });
    await written();
    const [row] = (await staff.api.requests.list({ id: requestId })).items;
    return { answer, detail: await staff.api.requests.get({ id: row?.id ?? "" }) };
  }

  it("says which redirect URI was sent, without its query, and which are registered", async () => {
    const application = await newApplication();
    const { answer, detail } = await refused(application, { redirect_uri: "https://elsewhere.io/cb?secret=canary" });
    expect(answer.status).toBe(400);
    expect(detail).toMatchObject({
      applicationId: await applicationId(application),
      errorKeys: ["redirect_uri_mismatch"],
      redirect: { sent: "https://elsewhere.io/cb?[redacted]", registered: [REDIRECT_URI] },
    });
    expect(JSON.stringify(detail)).not.toContain("canary");
  });

  it("says that none was sent", async () => {
    const { detail } = await refused(await newApplication(), { redirect_uri: null });
    expect(detail.redirect).toEqual({ sent: null, registered: [REDIRECT_URI] });
  });

  it("says nothing of redirect URIs when it was refused for another reason", async () => {
    const { detail } = await refused(await newApplication(), { client_id: "unknown" });
    expect(detail).toMatchObject({ errorKeys: ["invalid_client"], redirect: null });
  });
});

describe("what a request caused", () => {
  const causedBy = async (filters: object) => {
    await written();
    const { items } = await staff.api.requests.list({ ...filters, statusClass: ["2xx"] });
    return (await staff.api.requests.get({ id: items[0]?.id ?? "" })).caused;
  };

  it("an event of an application calendar is stored, and deleted later", async () => {
    const calendar = await openCalendar();
    await calendar.write(meeting);
    const named = { calendarId: calendar.calendarId, eventId: "m1", reason: null };
    expect((await causedBy({ account: calendar.accountId, method: ["POST"] })).events).toEqual([
      { ...named, state: "stored" },
    ]);
    await calendar.remove(eventsPath(calendar.calendarId), { event_id: "m1" });
    expect((await causedBy({ account: calendar.accountId, method: ["DELETE"] })).events).toEqual([
      { ...named, state: "deleted" },
    ]);
  });

  it("an event of a provider's calendar is waiting, refused with its reason, or pushed", async () => {
    const calendar = await providerCalendar("icloud");
    await write(calendar, meeting);
    const stateNow = async () => (await causedBy({ id: calendar.calendarId, method: ["POST"] })).events;
    const named = { calendarId: calendar.calendarId, eventId: "m1" };
    expect(await stateNow()).toEqual([{ ...named, state: "waiting", reason: null }]);
    await refuseWrites(calendar.calendarId, "invalid");
    expect(await stateNow()).toEqual([{ ...named, state: "refused", reason: "invalid" }]);
    await dropWrites(calendar.calendarId);
    expect(await stateNow()).toEqual([{ ...named, state: "pushed", reason: null }]);
  });

  it("a channel with its verification, until it is closed", async () => {
    const calendar = await openCalendar();
    const opened = await calendar.post("/v1/channels", { callback_url: "https://hooks.acme.io/a" });
    const id = opened.json.channel.channel_id;
    const deliveryId = `whd_${id.slice(4)}`;
    await addDeliveries(id, [{ id: deliveryId, type: "verification" }]);
    expect(await causedBy({ account: calendar.accountId, endpoint: "/v1/channels" })).toMatchObject({
      channel: { id, closedAt: null },
      deliveries: [{ id: deliveryId, type: "verification", state: "pending" }],
    });
    await calendar.remove(`/v1/channels/${id}`, {});
    expect(await causedBy({ account: calendar.accountId, method: ["DELETE"] })).toMatchObject({
      channel: { id, closedAt: expect.any(String) },
    });
  });

  it("an account, of an application calendar that was opened", async () => {
    const application = await newApplication();
    const calendar = await openCalendar(application);
    const caused = await causedBy({
      application: await applicationId(application),
      endpoint: "/v1/application_calendars",
    });
    expect(caused.accountId).toBe(calendar.accountId);
  });

  it("nothing, of a read and of what was refused", async () => {
    const calendar = await openCalendar();
    await calendar.post(eventsPath(calendar.calendarId), { event_id: "m1" });
    await written();
    const { items } = await staff.api.requests.list({ account: calendar.accountId });
    for (const { id } of items) {
      expect((await staff.api.requests.get({ id })).caused).toEqual({
        deliveries: [],
        events: [],
        channel: null,
        accountId: null,
      });
    }
  });
});

describe("errors by route and key", () => {
  it("are counted, the most frequent first, with the newest of each; without a key by status", async () => {
    const owner: Application = await newApplication();
    const calendar = await openCalendar(owner);
    const application = await applicationId(owner);
    for (let i = 0; i < 3; i++) await calendar.get("/v1/events");
    await calendar.write(meeting);
    await calendar.remove("/v1/channels/chn_000000000000000000000000", {});
    await exchange(owner, "wrong");
    await written();
    const groups = await staff.api.requests.errors({ application });
    expect(groups.map(({ method, endpoint, key, count }) => [method, endpoint, key, count])).toEqual([
      ["GET", "/v1/events", "errors.required", 3],
      ["POST", "/oauth/token", "invalid_grant", 1],
      ["DELETE", "/v1/channels/{channel_id}", "404", 1],
    ]);
    const { items } = await staff.api.requests.list({ application, endpoint: "/v1/events" });
    expect(groups[0]).toMatchObject({ sampleId: items[0]?.id, last: items[0]?.at });
  });

  it("say which applications and accounts got them, and how many of them each", async () => {
    const owner: Application = await newApplication();
    const application = await applicationId(owner);
    const [one, other] = [await openCalendar(owner), await openCalendar(owner)];
    for (const calendar of [one, one, other]) await calendar.get("/v1/events");
    await written();
    const [error] = await staff.api.requests.errors({ application });
    expect(error).toMatchObject({ count: 3, of: 3, applications: 1, accounts: 2, applicationId: application });
    expect(error).toMatchObject({ accountId: one.accountId, ofAccount: 2, applicationName: expect.any(String) });
    const byAccount = await staff.api.requests.errors({ application, by: "account" });
    expect(byAccount.map(({ key, accountId, count, of }) => [key, accountId, count, of])).toEqual([
      ["errors.required", one.accountId, 2, 3],
      ["errors.required", other.accountId, 1, 3],
    ]);
    const byApplication = await staff.api.requests.errors({ application, by: "application" });
    expect(byApplication).toMatchObject([{ applicationId: application, count: 3, of: 3, accounts: 2 }]);
    const { items } = await staff.api.requests.list({ account: one.accountId });
    expect(items[0]?.accountName).toBe(error?.accountName);
    expect(error?.accountName).not.toBe("");
  });
});
