import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { watchMaintenance } from "@/server/front-door/maintenance/watch";
import { followMaintenance, maintenanceState, readOnlyFor } from "@/server/store/maintenance/maintenance";
import { fakeClock } from "../../fakes/clock";
import { storedDeliveries } from "../../fakes/stored-deliveries";
import { loggedRequests } from "../../fakes/stored-traffic";
import { ask, hourOf } from "../availability";
import { authorize, titleOf } from "../connect-page";
import { applicationId, credentialsOf, refresh, revoke, withToken } from "../grants";
import { assistantOf, letWrite } from "../mcp-client";
import { ownDatabase } from "../own-database";
import { type Application, call, newApplication, type Opened, openCalendar } from "../service";
import { openChannel } from "../webhooks/world";
import { auditOf, newOperator, type Operator, refusal } from "./staff-caller";

// The switch of the service is everybody's.
ownDatabase();

const HOUR = { start: "2026-11-21T09:00:00Z", end: "2026-11-21T10:00:00Z" };
let admin: Operator;
let application: Application;
let calendar: Opened;
let id: string;

beforeAll(async () => {
  admin = await newOperator("admin");
});
beforeEach(async () => {
  application = await newApplication();
  calendar = await openCalendar(application);
  id = await applicationId(application);
});
afterEach(async () => {
  await db().prisma.maintenanceSwitch.deleteMany();
  await followMaintenance(db());
});

const start = (input: object = {}) => admin.api.maintenance.start(input);
const end = (input: object = {}) => admin.api.maintenance.end(input);
const write = ({ post, calendarId }: Opened = calendar) =>
  post(`/v1/calendars/${calendarId}/events`, { event_id: "one", summary: "One", ...HOUR });
const opening = () =>
  call("POST", "/v1/application_calendars", {
    json: { ...credentialsOf(application), application_calendar_id: "another" },
  });
/** By the clock of the test: that of the admin's caller stands still. */
const endsIn = async (minutes: number) => {
  const endsAt = new Date(clock().now() + minutes * 60_000);
  await db().prisma.maintenanceSwitch.updateMany({ data: { endsAt } });
  await followMaintenance(db());
};
const failed = (answer: { status: number }) => answer.status >= 400;

describe("a service that is read-only for maintenance", () => {
  it("is read as before, and refuses what changes something, with when to try again", async () => {
    await write();
    await start({ note: "moving the database" });
    const { accessToken, refreshToken } = calendar;
    const reads = {
      events: await withToken("GET", "/v1/events?tzid=Etc/UTC&include_managed=true", accessToken),
      calendars: await withToken("GET", "/v1/calendars", accessToken),
      availability: await ask(application, hourOf([calendar], HOUR)),
      "token refresh": await refresh(application, refreshToken),
    };
    expect(Object.entries(reads).filter(([, answer]) => failed(answer))).toEqual([]);
    const writes = {
      event: await write(),
      deletion: await calendar.remove(`/v1/calendars/${calendar.calendarId}/events`, { event_id: "one" }),
      channel: await calendar.post("/v1/channels", { callback_url: "https://app.acme.io/hook" }),
      "link token": await calendar.post("/v1/link_tokens", {}),
      sandbox: await calendar.post("/v1/sandbox/changes", { type: "profile_disconnected" }),
      "application calendar": await opening(),
      revocation: await revoke(application, refreshToken),
    };
    for (const [name, { status, headers, json }] of Object.entries(writes)) {
      expect([name, status, headers.get("retry-after")]).toEqual([name, 503, "120"]);
      expect(json).toEqual({
        error: "maintenance",
        description:
          "Almanac is in maintenance: it can be read, and changes are refused. Nothing was changed. Retry after 120 seconds.",
      });
    }
    expect(
      (await withToken("GET", "/v1/events?tzid=Etc/UTC&include_managed=true", accessToken)).json.events,
    ).toHaveLength(1);
    await end();
    expect((await write()).status).toBe(202);
    expect((await revoke(application, refreshToken)).status).toBe(200);
  });

  it("answers as always to those who show no valid credential, and to a body that is too large", async () => {
    await start();
    expect((await withToken("POST", "/v1/link_tokens", "none", {})).status).toBe(401);
    expect((await withToken("GET", "/v1/account", "none")).status).toBe(401);
    const wrong = { client_id: application.clientId, client_secret: "wrong", application_calendar_id: "x" };
    expect((await call("POST", "/v1/application_calendars", { json: wrong })).status).toBe(401);
  });

  it("lets an assistant read, and refuses what it changes", async () => {
    await write();
    await letWrite(application);
    const assistant = await assistantOf(calendar);
    await start();
    expect((await assistant.call("list_calendars", {})).isError).toBe(false);
    const booked = await assistant.call("book", {
      ...{ calendar_id: calendar.calendarId, summary: "Lunch", start: HOUR.start, end: HOUR.end },
    });
    expect(booked.isError).toBe(true);
  });

  it("says so on the connect page, in the reader's language", async () => {
    fakeClock();
    await start();
    await endsIn(10);
    const page = await authorize(application);
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "600"]);
    expect(titleOf(page)).toContain("Maintenance in progress");
    expect(titleOf(await authorize(application, { locale: "de" }))).toContain("Wartungsarbeiten");
  });

  it("goes on with webhooks", async () => {
    const channel = await openChannel(calendar, "https://app.acme.io/hook");
    await start();
    const { fanOut } = await import("@/server/webhooks/fan-out");
    await fanOut(db());
    expect(await storedDeliveries({ channelId: channel.channel_id })).toHaveLength(1);
  });

  it("is over by itself at its end, and says until then how long that is", async () => {
    const time = fakeClock();
    await start();
    await endsIn(30);
    expect((await write()).headers.get("retry-after")).toBe("900");
    time.advance(25 * 60_000);
    expect((await write()).headers.get("retry-after")).toBe("300");
    expect(maintenanceState()).toEqual({ isReadOnly: true, applications: 0 });
    time.advance(5 * 60_000);
    expect((await write()).status).toBe(202);
    expect(maintenanceState()).toEqual({ isReadOnly: false, applications: 0 });
  });

  it("is logged by its reason, and counted apart from failures", async () => {
    const refused: object[] = [];
    context.meters = new Proxy({} as never, {
      get: (_, name) => (about: object) => void (name === "refusedForMaintenance" && refused.push(about)),
    });
    onTestFinished(() => {
      context.meters = undefined;
    });
    await start();
    const answer = await write();
    await start({ application: id });
    await withToken("GET", "/v1/account", calendar.accessToken);
    expect(refused).toEqual([
      { scope: "service", api: "v1" },
      { scope: "application", api: "v1" },
    ]);
    const logged = await loggedRequests({ requestIds: [answer.headers.get("svc-request-id") ?? ""] });
    expect(logged).toMatchObject([{ status: 503, errorKeys: ["maintenance"] }]);
  });
});

describe("an application whose requests are refused for maintenance", () => {
  it("has all of them refused, and nobody else's", async () => {
    const other = await openCalendar();
    await start({ application: id, minutes: 60 });
    const refused = {
      read: await withToken("GET", "/v1/account", calendar.accessToken),
      write: await write(),
      "application calendar": await opening(),
      availability: await ask(application, hourOf([calendar], HOUR)),
      refresh: await refresh(application, calendar.refreshToken),
    };
    for (const [name, { status, headers, json }] of Object.entries(refused)) {
      expect([name, status, headers.get("retry-after")]).toEqual([name, 503, "900"]);
      expect(json).toMatchObject({ error: "maintenance", description: expect.stringContaining("this application") });
    }
    expect(refused.read.headers.get("ratelimit-remaining")).toMatch(/^\d+$/); // it is slowed down if it goes on
    const page = await authorize(application);
    expect([page.status, titleOf(page)]).toEqual([503, expect.stringContaining("Maintenance in progress")]);
    expect((await withToken("GET", "/v1/account", other.accessToken)).status).toBe(200);
    expect((await write(other)).status).toBe(202);
    await end({ application: id });
    expect((await withToken("GET", "/v1/account", calendar.accessToken)).status).toBe(200);
  });

  it("is forgotten with the application", async () => {
    await start({ application: id });
    await db()
      .query("DELETE FROM applications WHERE id = $1", [id])
      .catch(() => undefined);
    const left = await db().prisma.maintenanceSwitch.findMany();
    const isThere = await db().prisma.application.findUnique({ where: { id } });
    expect(left.length).toBe(isThere ? 1 : 0);
  });
});

describe("staff", () => {
  it("see what is on, who turned it on and why, and it is in the audit trail", async () => {
    await start({ minutes: 60, note: " moving the database " });
    await start({ application: id });
    const { service, applications } = await admin.api.maintenance.show();
    expect(service).toMatchObject({ id: "service", applicationName: null, note: "moving the database" });
    expect(Date.parse(service?.endsAt ?? "") - Date.parse(service?.since ?? "")).toBe(3_600_000);
    expect(applications).toMatchObject([{ id, applicationName: expect.any(String), endsAt: null, note: "" }]);
    await end();
    expect((await auditOf("service")).slice(-2)).toMatchObject([
      { action: "maintenance.started", detail: { minutes: 60, note: "moving the database" } },
      { action: "maintenance.ended" },
    ]);
    expect(await auditOf(id)).toMatchObject([{ action: "maintenance.started" }]);
  });

  it("are told what they can't turn on or off", async () => {
    expect(await refusal(start({ application: "app_none" }))).toMatchObject({ kind: "not_found" });
    expect(await refusal(end())).toMatchObject({ kind: "conflict", text: "Maintenance is already over." });
    expect(await refusal(start({ minutes: 0 }))).toMatchObject({ kind: "invalid" });
    expect(await refusal(start({ note: "x".repeat(201) }))).toMatchObject({ kind: "invalid" });
  });
});

describe("another process", () => {
  it("follows without a restart, from its first request on, and goes by what it knew while the database is away", async () => {
    const row = { id: "service", since: new Date(), note: "", actor: "another process" };
    await db().prisma.maintenanceSwitch.create({ data: row });
    const endWatch = await watchMaintenance(10);
    onTestFinished(endWatch);
    expect(readOnlyFor()).toBe(120);
    await db().prisma.maintenanceSwitch.deleteMany();
    await expect.poll(() => readOnlyFor()).toBe(null);
    await db().prisma.maintenanceSwitch.create({ data: row });
    await expect.poll(() => readOnlyFor()).toBe(120);
    const before = context.database;
    context.database = {
      prisma: { maintenanceSwitch: { findMany: () => Promise.reject(new Error("away")) } },
    } as never;
    await new Promise((resolve) => setImmediate(resolve));
    expect(readOnlyFor()).toBe(120);
    context.database = before;
  });
});
