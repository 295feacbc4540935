import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { processServices } from "@/server/http/process-services";
import { changeDelivery } from "../../fakes/stored-deliveries";
import { auditTrail } from "../../fakes/stored-operators";
import { applicationId } from "../grants";
import { ownReceiver } from "../own-receiver";
import { type Opened, openCalendar } from "../service";
import { deliveriesOf, openChannel, work } from "../webhooks/world";
import { type Browser, newOperator, signedInBrowser } from "./browser";
import { errorsOf, operate, read } from "./graphql-client";

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let staff: Browser;
let opened: Opened;
let application: string;
let channels: string[];
let deliveries: string[];

beforeAll(async () => {
  staff = await signedInBrowser(await newOperator());
  opened = await openCalendar(undefined, "room-1");
  for (const name of ["room-2", "room-3", "room-4"]) await openCalendar(opened.application, name);
  application = await applicationId(opened.application);
  receiver.answer(503);
  channels = [];
  for (const path of ["/a", "/b", "/c"]) channels.push((await openChannel(opened, receiver.url(path))).channel_id);
  await work();
  deliveries = (await Promise.all(channels.map(deliveriesOf))).flat().map(({ id }) => id);
  await opened.get("/v1/events", { tzid: "Europe/Nowhere" });
  await processServices().requestLog.flush(10_000);
});

const nodes = (connection: { edges: { node: { id: string } }[] }) => connection.edges.map(({ node }) => node.id);

describe("a list", () => {
  it("of each kind is read in pages", async () => {
    const data = await read(
      `query ($application: ID!) {
        applications(first: 1, filter: { q: "test_" }) { edges { node { id name accountCount traffic { requestsPerHour } } } }
        accounts(filter: { application: $application }) { total { count more } edges { node { id kind applicationName } } }
        channels(filter: { application: $application }) { edges { node { id callbackUrl filters { calendarIds } } } }
        deliveries(filter: { application: $application, state: [PENDING], statusClass: [STATUS_5XX] })
          { total { count } edges { node { id type state attemptCount lastStatus } } }
        requests(filter: { application: $application, statusClass: [STATUS_4XX] })
          { total { count } edges { node { id endpoint status errorKeys } } }
      }`,
      staff,
      { application },
    );
    expect(nodes(data.applications)).toEqual([application]);
    expect(data.accounts.total).toEqual({ count: 4, more: false });
    expect(nodes(data.channels).sort()).toEqual([...channels].sort());
    expect(nodes(data.deliveries).sort()).toEqual([...deliveries].sort());
    expect(data.deliveries.edges[0].node).toMatchObject({
      type: "VERIFICATION",
      state: "PENDING",
      attemptCount: 1,
      lastStatus: 503,
    });
    expect(data.requests.edges.map(({ node }: { node: object }) => node)).toMatchObject([
      { endpoint: "/v1/events", status: 422, errorKeys: ["errors.invalid"] },
    ]);
  });

  it("of deliveries is narrowed to those that are late", async () => {
    const late = async (filter: object) => {
      const data = await read(
        `query ($filter: DeliveryFilter!, $channel: ID!) { deliveries(filter: $filter) { total { count } edges { node { id late } } }
          channel(id: $channel) { deliveries(filter: { late: true }) { edges { node { id } } } } }`,
        staff,
        { filter: { application, ...filter }, channel: channels[0] },
      );
      return { all: data.deliveries, below: nodes(data.channel.deliveries) };
    };
    expect(await late({ late: true })).toEqual({ all: { total: { count: 0 }, edges: [] }, below: [] });
    const [overdue = ""] = await deliveriesOf(channels[0] ?? "").then((rows) => rows.map(({ id }) => id));
    await changeDelivery(overdue, { nextAttemptAt: new Date(Date.now() - 31_000) });
    const node = { id: overdue, late: true };
    expect(await late({ late: true })).toEqual({ all: { total: { count: 1 }, edges: [{ node }] }, below: [overdue] });
    for (const rest of [{ late: false }, { late: null }, {}]) {
      expect(nodes((await late(rest)).all).sort()).toEqual([...deliveries].sort());
    }
    expect(nodes((await late({ late: true, state: ["FAILED"] })).all)).toEqual([]);
  });

  it("goes on after any cursor and ends with the last row", async () => {
    const page = (first: number, after?: string) =>
      read(
        `query ($application: ID!, $first: Int!, $after: String) { accounts(first: $first, after: $after, filter: { application: $application })
          { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
        staff,
        { application, first, after },
      ).then(({ accounts }) => accounts);
    const whole = await page(100);
    expect(whole.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    const two = await page(3);
    expect(two.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: two.edges[0].cursor,
      endCursor: two.edges[2].cursor,
    });
    for (const [index, { cursor }] of [...two.edges.entries()]) {
      expect(nodes(await page(2, cursor))).toEqual(nodes(whole).slice(index + 1, index + 3));
    }
    expect(await page(2, whole.pageInfo.endCursor)).toMatchObject({ edges: [], pageInfo: { hasNextPage: false } });
  });

  it("has 100 nodes at most, of each connection by itself", async () => {
    for (const [first, field] of [
      [101, "accounts"],
      [0, "deliveries"],
      [-1, "requests"],
      [101, "applications"],
    ] as const) {
      const answer = await operate(`{ ${field}(first: ${first}) { edges { cursor } } }`, { from: staff });
      expect(errorsOf(answer)).toEqual([["BAD_USER_INPUT", "First must be from 1 to 100."]]);
    }
    const below = await operate(
      `{ account(id: "${opened.accountId}") { calendars(first: 101) { edges { cursor } } } }`,
      {
        from: staff,
      },
    );
    expect(errorsOf(below)).toEqual([["BAD_USER_INPUT", "First must be from 1 to 100."]]);
  });
});

describe("a thing", () => {
  it("that is a calendar names its events that can't be read, with the reason", async () => {
    const { calendarId } = opened;
    const skipped = { calendarId, reason: "an event without a start", etag: null };
    const data = [
      { ...skipped, externalId: "/home/cal/broken.ics" },
      { ...skipped, externalId: "/home/cal/task.ics", isEvent: false },
    ];
    await db().prisma.skippedResource.createMany({ data });
    const { account } = await read(
      "query ($id: ID!) { account(id: $id) { calendars { edges { node { skippedEventCount skippedEvents { name reason } } } } } }",
      staff,
      { id: opened.accountId },
    );
    const skippedEvents = [{ name: "broken.ics", reason: "It has no start." }];
    expect(account.calendars.edges).toContainEqual({ node: { skippedEventCount: 1, skippedEvents } });
  });

  it("has below it what is its own", async () => {
    const { account, application: found } = await read(
      `query ($account: ID!, $application: ID!) {
        account(id: $account) { id defaultTzid waitingWrites failedWrites { id }
          profiles { edges { node { id provider connected } } }
          calendars(filter: { deleted: false }) { edges { node { id profileId } } }
          none: calendars(filter: { profile: "pro_1" }) { edges { node { id } } }
          channels(filter: { open: true }) { edges { node { id } } }
          deliveries(first: 2) { edges { node { id } } pageInfo { hasNextPage } }
          requests(filter: { method: ["GET"], statusClass: [STATUS_4XX] }) { edges { node { status } } } }
        application(id: $application) { clientId redirectUris { uri } accounts { total { count } } channels { edges { node { id } } } }
      }`,
      staff,
      { account: opened.accountId, application },
    );
    expect(nodes(account.profiles)).toEqual([opened.profileId]);
    expect(nodes(account.calendars)).toEqual([opened.calendarId]);
    expect(nodes(account.none)).toEqual([]);
    expect(nodes(account.channels)).toHaveLength(3);
    expect(account.deliveries.pageInfo).toEqual({ hasNextPage: true });
    expect(account.requests.edges).toEqual([{ node: { status: 422 } }]);
    expect(found).toMatchObject({ clientId: opened.application.clientId, accounts: { total: { count: 4 } } });
  });

  it("is a delivery with its attempts and without its signature, and reading it is noted", async () => {
    const [id = ""] = deliveries;
    const { delivery } = await read(
      `query ($id: ID!) { delivery(id: $id) { state body headersSent { name value } channelId
        attempts { number status responseHeaders { name } responseBody } waits { made most } } }`,
      staff,
      { id },
    );
    expect(delivery).toMatchObject({ state: "PENDING", attempts: [{ number: 1, status: 503 }], waits: { made: 1 } });
    expect(JSON.stringify(delivery.headersSent)).toContain("[secret]");
    expect((await auditTrail(id)).map(({ action }) => action)).toEqual(["delivery.viewed"]);
  });

  it("is a request with what was sent and answered, without its token, and reading it is noted", async () => {
    const { requests } = await read(
      `{ requests(filter: { errorKey: "errors.invalid" }) { edges { node { id } } } }`,
      staff,
    );
    const [id = ""] = nodes(requests);
    const { request } = await read(
      `query ($id: ID!) { request(id: $id) { query requestHeaders { name value } responseBody caused { events { state } } } }`,
      staff,
      { id },
    );
    expect(request).toMatchObject({ responseBody: { errors: {} }, caused: { events: [] } });
    expect(JSON.stringify(request)).not.toContain(opened.accessToken);
    expect((await auditTrail(id)).map(({ action }) => action)).toEqual(["request.viewed"]);
  });

  it("that there is not is NOT_FOUND, beside what there is", async () => {
    const answer = await operate(`{ account(id: "acc_none") { id } channel(id: "${channels[0]}") { id } }`, {
      from: staff,
    });
    expect(answer.json.data).toEqual({ account: null, channel: { id: channels[0] } });
    expect(errorsOf(answer)).toEqual([["NOT_FOUND", "Nothing was found with this ID."]]);
    expect(answer.json.errors[0].path).toEqual(["account"]);
  });
});
