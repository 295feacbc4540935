import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { VISITORS_APPLICATION } from "@/server/domain/visitors";
import { changeAccount, storedAccount } from "../../fakes/stored";
import { addChannels, addDeliveries } from "../../fakes/stored-deliveries";
import { applicationId, connectAccount } from "../grants";
import { ownDatabase } from "../own-database";
import { type Application, call, newApplication, openCalendar } from "../service";
import { newOperator, type Operator, refusal, stranger } from "./staff-caller";

ownDatabase();

let staff: Operator;
let owner: Application;
let application: string;
let account: string;
let profile: string;
let delivery: string;

const find = async (q: string) => (await staff.api.search.find({ q })).map(({ kind, id }) => [kind, id]);

beforeAll(async () => {
  staff = await newOperator();
  owner = await newApplication();
  application = await applicationId(owner);
  ({ accountId: account, profileId: profile } = await connectAccount(owner));
  await changeAccount(account, { email: "Anna@acme.io" });
  await addChannels(account, [
    { id: "chn_open", callbackUrl: "https://hooks.acme.io/calendar?token=s3cret" },
    { id: "chn_closed", callbackUrl: "https://hooks.acme.io/old", closedAt: new Date(), closedBy: "delete" },
  ]);
  [delivery = ""] = await addDeliveries("chn_open");
});

describe("a search while it is typed", () => {
  it.each([
    ["anna@", () => [["account", account]]],
    ["ANNA@acme.io", () => [["account", account]]],
    ["test", () => [["application", application]]],
    ["hooks.acme.io/cal", () => [["endpoint", "chn_open"]]],
    ["https://hooks.acme.io/calendar?token=other", () => [["endpoint", "chn_open"]]],
    ["https://hooks.acme.io/cal?for=a@b.io", () => [["endpoint", "chn_open"]]],
    ["ann", () => [["account", account]]],
    ["acme.io", () => [["endpoint", "chn_open"]]],
    ["https://hooks.acme.io/calendar/", () => [["endpoint", "chn_open"]]],
    ["/calendar", () => [["endpoint", "chn_open"]]],
    ["/calendar/", () => [["endpoint", "chn_open"]]],
    ["/cal/", () => []],
    ["s3cret", () => []],
    ["calendar", () => [["endpoint", "chn_open"]]],
    ["a", () => []],
    ["100%_", () => []],
  ])("finds what begins like %s", async (q, expected) => {
    expect(await find(q)).toEqual(expected());
  });

  it("finds a thing by its id, closed or not, and says what it is", async () => {
    expect(await staff.api.search.find({ q: "chn_closed" })).toEqual([
      {
        ...{ kind: "endpoint", id: "chn_closed", name: "hooks.acme.io/old" },
        ...{ applicationName: "Test", accountName: "Anna@acme.io", state: "closed" },
      },
    ]);
    expect(await staff.api.search.find({ q: ` ${delivery} ` })).toEqual([
      {
        ...{ kind: "delivery", id: delivery, name: "hooks.acme.io/calendar" },
        ...{ applicationName: "Test", accountName: null, state: "pending" },
      },
    ]);
    expect(await find(account)).toEqual([["account", account]]);
    expect(await find(profile)).toEqual([["account", account]]);
    expect(await find(application)).toEqual([["application", application]]);
    expect(await find("whd_nothing")).toEqual([]);
  });

  it("finds an application by how its client ID begins", async () => {
    const { clientId } = await db().prisma.application.findUniqueOrThrow({ where: { id: application } });
    expect(await find(clientId)).toEqual([["application", application]]);
    expect(await find(clientId.slice(0, 8))).toEqual([["application", application]]);
  });

  it("finds applications alone, some of them if nothing is typed", async () => {
    const named = async (q: string) => (await staff.api.search.applications({ q })).map(({ id }) => id);
    expect(await named("tes")).toEqual([application]);
    expect(await named("anna@")).toEqual([]);
    expect(await named("")).toContain(application);
    expect(await staff.api.search.applications()).toContainEqual({
      ...{ kind: "application", id: application, name: "Test", applicationName: null, accountName: null, state: null },
    });
  });

  it("finds an event by the application's id for it and by ours, also a deleted one", async () => {
    const calendar = await openCalendar(owner);
    const times = { start: "2026-11-30T23:30:00Z", end: "2026-12-01T00:30:00Z" };
    await calendar.write({ event_id: "kick-off", summary: "Kick-off", ...times });
    const [event] = await db().prisma.event.findMany({ where: { eventId: "kick-off" } });
    const { applicationCalendarId: accountName } = await storedAccount(calendar.accountId);
    const found = { kind: "event", id: event?.id, name: "kick-off", applicationName: "Test", accountName, state: null };
    expect(await staff.api.search.find({ q: "kick-off" })).toEqual([found]);
    expect(await staff.api.search.find({ q: event?.id ?? "" })).toEqual([found]);
    expect(await find("kick-of")).toEqual([]);
    await db().prisma.event.updateMany({ where: { eventId: "kick-off" }, data: { deletedAt: new Date() } });
    expect(await staff.api.search.find({ q: "kick-off" })).toEqual([{ ...found, state: "deleted" }]);
    expect(await staff.api.search.find({ q: event?.id ?? "" })).toEqual([{ ...found, state: "deleted" }]);
    await calendar.write({ event_id: "kick-off", summary: "Again", ...times });
    const again = await staff.api.search.find({ q: "kick-off" });
    expect(again).toMatchObject([{ kind: "event", state: null }]);
    expect(again[0]?.id).not.toBe(event?.id);
  });

  it("finds a series by the uid of each of its occurrences", async () => {
    const calendar = await openCalendar(owner);
    const start = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const times = { start: `${start}T10:00:00Z`, end: `${start}T11:00:00Z` };
    const recurrence = { rules: [{ frequency: "daily", interval: 1, count: 3 }] };
    await calendar.write({ event_id: "stand-up", summary: "Stand-up", ...times, tzid: "Etc/UTC", recurrence });
    const uids = await db().prisma.occurrence.findMany({ where: { calendarId: calendar.calendarId } });
    expect(uids).toHaveLength(3);
    for (const { uid, masterId } of uids) expect(await find(uid)).toEqual([["event", masterId]]);
  });

  it("finds an endpoint by a part of its callback URL's path", async () => {
    await addChannels(account, [{ id: "chn_deep", callbackUrl: "https://deep.test/v2/tenant-42/almanac/events" }]);
    for (const q of ["tenant-42", "tenant-42/alm", "/tenant-42", "v2/tenant-42/almanac/events", "almanac/events"])
      expect(await find(q), q).toEqual([["endpoint", "chn_deep"]]);
    for (const q of ["tenant-4", "ant-42/almanac", "almanac/tenant-42"]) expect(await find(q), q).toEqual([]);
  });

  it("finds a request by the id that its caller gave", async () => {
    const { status } = await call("GET", "/v1/account", { headers: { "svc-request-id": "my-own-request-7" } });
    expect(status).toBe(401);
    await expect.poll(() => find("my-own-request-7")).toEqual([["request", expect.any(String)]]);
    const [[, id = ""] = []] = await find("my-own-request-7");
    expect(await staff.api.search.find({ q: id })).toMatchObject([{ id, name: "GET /v1/account", state: "401" }]);
  });

  it("is for whoever is signed in, and no longer than a callback URL", async () => {
    expect(await refusal(stranger().search.find({ q: "acme" }))).toMatchObject({ kind: "signed_out" });
    expect(await refusal(staff.api.search.find({ q: "a".repeat(2_049) }))).toMatchObject({ kind: "invalid" });
  });
});

describe("the application of the documentation's visitors", () => {
  it("is not among those that somebody registered, and is found by its id", async () => {
    const visit = await call("POST", "/api/docs/visit", { headers: { "sec-fetch-site": "same-origin" } });
    expect(visit.status).toBe(200);
    expect((await staff.api.applications.names()).map(({ id }) => id)).toEqual([application]);
    expect((await staff.api.applications.list()).map(({ id }) => id)).toEqual([application]);
    expect(await staff.api.applications.head({ id: VISITORS_APPLICATION })).toMatchObject({ name: "Documentation" });
    expect(await staff.api.applications.get({ id: VISITORS_APPLICATION })).toMatchObject({ name: "Documentation" });
    expect(await find("documentation")).toEqual([["application", VISITORS_APPLICATION]]);
  });
});
