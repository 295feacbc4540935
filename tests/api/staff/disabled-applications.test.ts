import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { eraseApplications } from "@/server/store/applications/erase";
import { claimProfiles } from "@/server/sync/claim-profiles";
import { claimWrites, nextWriteIn } from "@/server/sync/claim-writes";
import { claim, nextAttemptIn } from "@/server/webhooks/claim";
import { openSlots } from "../../fakes/open-slots";
import { changeProfile, setSyncDueNow } from "../../fakes/stored";
import {
  addAttempt,
  addChannels,
  addDeliveries,
  changeDeliveries,
  dropDeliveries,
  storedDeliveries,
} from "../../fakes/stored-deliveries";
import { loggedRequests } from "../../fakes/stored-traffic";
import { ask, hourOf } from "../availability";
import { authorize } from "../connect-page";
import { applicationId, connectAccount, credentialsOf, refresh, revoke, withToken } from "../grants";
import { ownDatabase } from "../own-database";
import { providerCalendar } from "../provider-calendar";
import { type Application, call, newApplication, openCalendar } from "../service";
import { storedRows } from "../stored-rows";
import { write } from "../written-series";
import { auditOf, newOperator, type Operator, refusal } from "./staff-caller";

// Claims look at everybody's rows.
ownDatabase();

let admin: Operator;
let application: Application;
let id: string;

beforeAll(async () => {
  admin = await newOperator("admin");
});
beforeEach(async () => {
  application = await newApplication();
  id = await applicationId(application);
});

const disable = () => admin.api.applications.disable({ id });
const enable = () => admin.api.applications.enable({ id });
const goesOn = () => true;

describe("an application that was disabled", () => {
  it("leaves what staff hold at a paused endpoint when it is enabled", async () => {
    const { accountId } = await openCalendar(application);
    const [paused = "", open = ""] = await addChannels(accountId, [{}, {}]);
    await addDeliveries(paused);
    await addDeliveries(open);
    await admin.api.channels.pause({ id: paused });
    await disable();
    await enable();
    expect(await storedDeliveries({ channelId: paused })).toMatchObject([{ state: "pending", nextAttemptAt: null }]);
    expect(await storedDeliveries({ channelId: open })).toMatchObject([{ nextAttemptAt: expect.any(Date) }]);
    await dropDeliveries({ applicationId: id });
  });

  it("has every request refused from the next one on, and accepted with the same credentials once it is enabled", async () => {
    const calendar = await openCalendar(application);
    const { accessToken, refreshToken } = calendar;
    const question = hourOf([calendar], { start: "2026-11-21T09:00:00Z", end: "2026-11-21T10:00:00Z" });
    const secretAlone = { authorization: `Bearer ${application.clientSecret}` };
    const open = { ...credentialsOf(application), application_calendar_id: "another" };
    const requests = {
      read: () => withToken("GET", "/v1/events?tzid=Etc/UTC", accessToken),
      account: () => withToken("GET", "/v1/account", accessToken),
      "link token": () => withToken("POST", "/v1/link_tokens", accessToken, {}),
      "application calendar": () => call("POST", "/v1/application_calendars", { json: open }),
      availability: () => ask(application, question),
      "availability, secret alone": () => call("POST", "/v1/availability", { json: question, headers: secretAlone }),
      refresh: () => refresh(application, refreshToken),
      "connect page": () => authorize(application),
    };
    const statuses = async () =>
      Object.fromEntries(
        await Promise.all(Object.entries(requests).map(async ([name, send]) => [name, (await send()).status])),
      );
    await disable();
    expect(await statuses()).toEqual({
      read: 401,
      account: 401,
      "link token": 401,
      "application calendar": 401,
      availability: 401,
      "availability, secret alone": 401,
      refresh: 400,
      "connect page": 400,
    });
    const read = await requests.read();
    expect(read.headers.get("www-authenticate")).toBe(
      'Bearer realm="svc", error="invalid_token", error_description="The application is disabled"',
    );
    for (const name of ["application calendar", "availability, secret alone"] as const)
      expect((await requests[name]()).headers.get("www-authenticate")).toContain("is disabled");
    const refused = { error: "invalid_client", error_description: "The application is disabled" };
    expect((await requests.refresh()).json).toEqual(refused);
    expect((await revoke(application, refreshToken)).json).toEqual(refused);
    const page = await requests["connect page"]();
    expect(page.headers.get("location")).toBe(null);
    expect(page.text).toContain("can’t connect calendars right now");
    await enable();
    expect(Object.values(await statuses()).filter((status) => Number(status) >= 400)).toEqual([]);
  });

  it("has its refused requests in the log, where staff see that they go on", async () => {
    const { accessToken } = await openCalendar(application);
    await disable();
    const refused = await withToken("GET", "/v1/calendars", accessToken);
    const logged = await loggedRequests({ requestIds: [refused.headers.get("svc-request-id") ?? ""] });
    expect(logged).toMatchObject([{ status: 401, applicationId: id, errorKeys: ["application_disabled"] }]);
    const open = { ...credentialsOf(application), application_calendar_id: "another" };
    const opened = await call("POST", "/v1/application_calendars", { json: open });
    const rows = await loggedRequests({ requestIds: [opened.headers.get("svc-request-id") ?? ""] });
    expect(rows).toMatchObject([{ status: 401, errorKeys: ["application_disabled"] }]);
    const listed = await admin.api.requests.list({ errorKey: "application_disabled", application: id });
    expect(listed.items.map(({ errorKeys }) => errorKeys)).toEqual([
      ["application_disabled"],
      ["application_disabled"],
    ]);
  });

  it("tells nobody with a wrong secret that it is disabled", async () => {
    await disable();
    const wrong = await refresh({ ...application, clientSecret: "wrong" }, "rt_none");
    expect(wrong.json.error_description).toBe("Unknown client id or wrong client secret");
  });

  it("has no delivery attempted, not even one that comes later, and loses none", async () => {
    const [channel = ""] = await addChannels((await connectAccount(application)).accountId);
    const [pending] = await addDeliveries(channel, [{ nextAttemptAt: new Date() }]);
    await disable();
    const [later] = await addDeliveries(channel, [{ nextAttemptAt: new Date() }]);
    expect(await claim(db(), { most: 10 })).toEqual([]);
    expect(await nextAttemptIn(db())).toBe(null);
    await enable();
    const claimed = await claim(db(), { most: 10, limits: { [`${id} hooks.acme.io`]: 5 } });
    expect(claimed.map((one) => one.id).sort()).toEqual([pending, later].sort());
    await changeDeliveries({ channelId: channel }, { state: "cancelled", nextAttemptAt: null });
  });

  it("has no mailbox read and nothing written to providers until it is enabled", async () => {
    const calendar = await providerCalendar("icloud");
    application = calendar.application;
    id = await applicationId(application);
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const times = { start: `${day}T09:00:00Z`, end: `${day}T10:00:00Z`, tzid: "Etc/UTC" };
    await write(calendar, { event_id: "m1", summary: "Planning", ...times });
    const [profile] = await db().prisma.profile.findMany({ where: { applicationId: id } });
    const profileId = profile?.id ?? "";
    await changeProfile(profileId, { initialSyncRequired: false });
    await setSyncDueNow(profileId);
    await disable();
    await changeProfile(profileId, { initialSyncRequired: true });
    await changeProfile(profileId, { initialSyncRequired: false }); // the end of a first sync that was in progress
    const slots = [openSlots("icloud", 5)];
    expect(await claimProfiles(db(), slots)).toEqual([]);
    expect(await claimWrites(db(), slots)).toEqual([]);
    expect(await nextWriteIn(db(), ["icloud"])).toBe(null);
    await enable();
    expect(await claimProfiles(db(), slots)).toMatchObject([{ id: profileId }]);
    expect(await claimWrites(db(), slots)).toMatchObject([{ profileId }]);
  });

  it("is disabled and enabled once, and both are in the audit trail", async () => {
    await disable();
    expect(await refusal(disable())).toMatchObject({ kind: "conflict" });
    await enable();
    expect(await refusal(enable())).toMatchObject({ kind: "conflict" });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(["application.disabled", "application.enabled"]);
  });
});

describe("an application that was deleted", () => {
  it("needs its name typed", async () => {
    expect(await refusal(admin.api.applications.delete({ id, name: "Tset" }))).toMatchObject({
      kind: "invalid",
      issues: [{ path: ["name"] }],
    });
    expect(await admin.api.applications.head({ id })).toMatchObject({ isDeleted: false, disabledAt: null });
  });

  it("is refused at once, cannot be enabled again, and leaves nothing but its audit trail", async () => {
    const { accessToken } = await openCalendar(application);
    const connected = await connectAccount(application);
    const [channel = ""] = await addChannels(connected.accountId);
    await addDeliveries(channel, [{ nextAttemptAt: new Date() }, { state: "delivered" }]);
    await admin.api.applications.delete({ id, name: "Test" });
    expect((await withToken("GET", "/v1/account", accessToken)).status).toBe(401);
    expect(await refusal(enable())).toMatchObject({ kind: "conflict" });
    expect(await admin.api.applications.head({ id })).toMatchObject({ isDeleted: true });
    const before = await storedRows(application);
    expect(before.deliveries).toHaveLength(2);
    const deliveries = await storedDeliveries({ applicationId: id });
    for (const one of deliveries) await addAttempt(one.id, 1, one.createdAt);
    while (await eraseApplications(db(), Date.now() as never, goesOn));
    const ofThese = { deliveryId: { in: deliveries.map((one) => one.id) } };
    expect(await db().prisma.attempt.count({ where: ofThese })).toBe(0);
    expect(await db().prisma.account.count({ where: { applicationId: id } })).toBe(0);
    expect(await db().prisma.delivery.count({ where: { applicationId: id } })).toBe(0);
    expect(await refusal(admin.api.applications.head({ id }))).toEqual({ kind: "not_found" });
    const revocations = await db().prisma.providerRevocation.findMany({ where: { profileId: connected.profileId } });
    expect(revocations).toMatchObject([{ provider: "google" }]);
    expect(await auditOf(id)).toMatchObject([{ action: "application.deleted", detail: { name: "Test" } }]);
  });

  it("is erased piece by piece, and nothing of another application is", async () => {
    const other = await newApplication();
    for (const one of [application, application, other]) await connectAccount(one);
    const kept = await storedRows(other);
    await admin.api.applications.delete({ id, name: "Test" });
    let pieces = 1;
    while (await eraseApplications(db(), Date.now() as never, () => false)) pieces += 1;
    expect(pieces).toBeGreaterThan(2);
    expect(await db().prisma.application.count({ where: { id } })).toBe(0);
    expect(await storedRows(other)).toEqual(kept);
  });
});
