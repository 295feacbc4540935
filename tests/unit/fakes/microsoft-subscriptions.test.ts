import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@microsoft/microsoft-graph-client";
import type { ChangeNotification, Subscription } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, failure, graphClient, meeting, weekly } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;
let state: CalendarState;
/** What the receiver got, one entry a request, and how it responds to what is no handshake. */
let received: { path: string; type: string | undefined; value: ChangeNotification[] }[];
let statuses: number[];
let handshakes: string[];
let handshake: (token: string, res: ServerResponse) => void;
let receiver: string;
let stop: () => Promise<void>;

beforeEach(async () => {
  ({ microsoft, api, state } = await adaOfMicrosoft());
  received = [];
  statuses = [];
  handshakes = [];
  handshake = (token, res) => void res.writeHead(200, { "content-type": "text/plain" }).end(token);
  const server = createServer((req, res) => void receive(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stop = () => new Promise((resolve) => server.close(() => resolve()));
});
afterEach(async () => {
  await microsoft.close();
  await stop();
});

async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const url = new URL(req.url ?? "/", receiver);
  const token = url.searchParams.get("validationToken");
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  if (token !== null) {
    handshakes.push(url.pathname);
    return handshake(token, res);
  }
  const { value } = JSON.parse(Buffer.concat(chunks).toString());
  received.push({ path: url.pathname, type: req.headers["content-type"], value });
  res.writeHead(statuses.shift() ?? 202).end();
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const wanted = (more: Subscription = {}): Subscription => ({
  changeType: "created,updated,deleted",
  notificationUrl: `${receiver}/hooks`,
  resource: "me/events",
  expirationDateTime: inMinutes(1000),
  clientState: "secret",
  ...more,
});
const subscribe = (more?: Subscription): Promise<Required<Subscription>> =>
  api.api("/subscriptions").post(wanted(more));
const renew = (id: string, changes: Subscription) => api.api(`/subscriptions/${id}`).patch(changes);
const notices = () => received.flatMap(({ value }) => value);
const types = () => notices().map(({ changeType, lifecycleEvent }) => changeType ?? lifecycleEvent);

describe("creating a subscription", () => {
  it("returns it, after the address has shown that it is the client's", async () => {
    expect(await subscribe()).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      resource: "me/events",
      changeType: "created,updated,deleted",
      clientState: "secret",
      notificationUrl: `${receiver}/hooks`,
      lifecycleNotificationUrl: null,
      creatorId: microsoft.account("ada@example.com").oid,
      applicationId: microsoft.client.id,
    });
    expect(handshakes).toEqual(["/hooks"]);
    expect(microsoft.requests[0]?.status).toBe(201);
  });

  it("validates the address for lifecycle notifications as well, if it is another", async () => {
    await subscribe({ lifecycleNotificationUrl: `${receiver}/lifecycle` });
    await subscribe({ lifecycleNotificationUrl: `${receiver}/hooks` });
    expect(handshakes).toEqual(["/hooks", "/lifecycle", "/hooks"]);
  });

  it.each<[string, (token: string, res: ServerResponse) => void]>([
    ["another status", (token, res) => void res.writeHead(202, { "content-type": "text/plain" }).end(token)],
    ["another type", (token, res) => void res.writeHead(200, { "content-type": "text/html" }).end(token)],
    [
      "an encoded token",
      (token, res) => void res.writeHead(200, { "content-type": "text/plain" }).end(encodeURIComponent(token)),
    ],
    ["nothing", (_, res) => void res.destroy()],
  ])("fails when the address answers with %s", async (_, answer) => {
    handshake = answer;
    expect(await failure(subscribe())).toMatchObject({ status: 400 });
    expect(microsoft.subscriptions.all).toEqual([]);
  });

  it.each<[string, () => Subscription]>([
    ["without a type of change", () => ({ changeType: undefined })],
    ["of an unknown type of change", () => ({ changeType: "moved" })],
    ["without a resource", () => ({ resource: undefined })],
    ["of the list of calendars", () => ({ resource: "me/calendars" })],
    ["of another user", () => ({ resource: "users/bob@example.com/events" })],
    ["without an end", () => ({ expirationDateTime: undefined })],
    ["that has ended", () => ({ expirationDateTime: inMinutes(-1) })],
    ["for longer than 4,230 minutes", () => ({ expirationDateTime: inMinutes(4231) })],
    ["with a clientState of 129 characters", () => ({ clientState: "x".repeat(129) })],
    ["to an address without TLS", () => ({ notificationUrl: "http://app.test/hooks" })],
    ["without an address", () => ({ notificationUrl: undefined })],
  ])("%s is refused", async (_, more) => {
    expect(await failure(subscribe(more()))).toEqual({ status: 400, code: "InvalidRequest" });
    expect(handshakes).toEqual([]);
  });

  it("of a calendar that is not there is 404", async () => {
    expect(await failure(subscribe({ resource: "me/calendars/nobody/events" }))).toMatchObject({ status: 404 });
  });

  it("for less than 45 minutes is one for 45 minutes", async () => {
    const { expirationDateTime } = await subscribe({ expirationDateTime: inMinutes(5) });
    expect(Date.parse(expirationDateTime) - Date.now()).toBeGreaterThan(44 * 60_000);
  });

  it("is possible for 4,230 minutes, and for seven days if the fake is told so", async () => {
    await subscribe({ expirationDateTime: inMinutes(4229) });
    microsoft.knobs.longestSubscription = 10_080;
    await subscribe({ expirationDateTime: inMinutes(10_079) });
    expect(microsoft.subscriptions.active()).toHaveLength(2);
  });
});

describe("a change", () => {
  it("is notified with the client's state and the event's id and etag", async () => {
    const { id: subscriptionId, expirationDateTime } = await subscribe();
    const event = await api.api("/me/events").post(meeting());
    await microsoft.notices.settled();
    const { oid, tid } = microsoft.account("ada@example.com");
    expect(received).toEqual([
      {
        path: "/hooks",
        type: "application/json; charset=utf-8",
        value: [
          {
            subscriptionId,
            subscriptionExpirationDateTime: expirationDateTime,
            clientState: "secret",
            tenantId: tid,
            changeType: "created",
            resource: `Users/${oid}/Events/${event.id}`,
            resourceData: {
              "@odata.type": "#Microsoft.Graph.Event",
              "@odata.id": `Users/${oid}/Events/${event.id}`,
              "@odata.etag": event["@odata.etag"],
              id: event.id,
            },
          },
        ],
      },
    ]);
  });

  it("names immutable ids if the subscription was created with them", async () => {
    await api.api("/subscriptions").header("Prefer", 'IdType="ImmutableId"').post(wanted());
    state.putEvent(meeting());
    await microsoft.notices.settled();
    expect(notices()).toMatchObject([{ resourceData: { id: expect.stringMatching(/^AAkA/) } }]);
  });

  it("of each type is notified to who asked for that type", async () => {
    await subscribe({ changeType: "updated, deleted" });
    const id = state.putEvent(meeting());
    state.changeEvent(id, { subject: "Review" });
    state.deleteEvent(id);
    await microsoft.notices.settled();
    expect(types()).toEqual(["updated", "deleted"]);
  });

  it("of an occurrence is a change of its series, and so is its deletion", async () => {
    const series = state.putEvent(weekly());
    await subscribe();
    state.changeEvent(state.occurrenceId(series, "2027-03-08"), { subject: "Special" });
    state.deleteOccurrence(series, "2027-03-15");
    await microsoft.notices.settled();
    expect(types()).toEqual(["updated", "updated"]);
    expect(notices().every(({ resource }) => resource?.endsWith(series))).toBe(true);
  });

  it.each([
    ["me/calendars/{id}/events", "/me/calendars/{id}/events"],
    ["users/ada@example.com/calendars/{id}/events", "users/{oid}/calendars/{id}/events"],
  ])("in another calendar is not notified to %s", async (one, other) => {
    const account = microsoft.account("ada@example.com");
    const team = account.addCalendar({ name: "Team" });
    for (const resource of [one, other]) {
      await subscribe({ resource: resource.replace("{id}", encodeURIComponent(team)).replace("{oid}", account.oid) });
    }
    state.putEvent(meeting());
    microsoft.calendar(team).putEvent(meeting());
    await microsoft.notices.settled();
    expect(types()).toEqual(["created", "created"]);
  });

  it("by moving is a deletion in one calendar and a creation in the other", async () => {
    const id = state.putEvent(meeting());
    const team = microsoft.account("ada@example.com").addCalendar({ name: "Team" });
    await subscribe({ resource: "me/calendar/events" });
    await subscribe({ resource: `me/calendars/${encodeURIComponent(team)}/events` });
    state.moveEvent(id, team);
    await microsoft.notices.settled();
    expect(types()).toEqual(["deleted", "created"]);
  });

  it("of somebody else's is not notified", async () => {
    await subscribe();
    microsoft.account("bob@example.com").primary.putEvent(meeting());
    await microsoft.notices.settled();
    expect(received).toEqual([]);
  });
});

describe("a subscription", () => {
  it("is read, listed, renewed and deleted by who created it", async () => {
    const { id } = await subscribe();
    expect((await api.api(`/subscriptions/${id}`).get()).id).toBe(id);
    const renewed = await renew(id, { expirationDateTime: inMinutes(4000) });
    expect(Date.parse(renewed.expirationDateTime)).toBeGreaterThan(Date.now() + 3999 * 60_000);
    const bob = graphClient(microsoft, "bob@example.com");
    expect(await failure(bob.api(`/subscriptions/${id}`).delete())).toMatchObject({ status: 404 });
    expect((await bob.api("/subscriptions").get()).value).toEqual([]);
    expect((await api.api("/subscriptions").get()).value).toHaveLength(1);
    await api.api(`/subscriptions/${id}`).delete();
    expect(await failure(api.api(`/subscriptions/${id}`).get())).toMatchObject({ status: 404 });
    state.putEvent(meeting());
    await microsoft.notices.settled();
    expect(received).toEqual([]);
  });

  it("is renewed for no longer than a new one, and gets no other addresses for its lifecycle", async () => {
    const { id } = await subscribe();
    expect(await failure(renew(id, { expirationDateTime: inMinutes(5000) }))).toMatchObject({ status: 400 });
    expect(
      await failure(
        renew(id, { expirationDateTime: inMinutes(100), lifecycleNotificationUrl: `${receiver}/lifecycle` }),
      ),
    ).toMatchObject({ status: 400 });
  });

  it("ends with its time, without a word", async () => {
    const { id } = await subscribe({ lifecycleNotificationUrl: `${receiver}/lifecycle` });
    microsoft.advance(1001 * 60_000);
    state.putEvent(meeting());
    await microsoft.notices.settled();
    expect(received).toEqual([]);
    const later = graphClient(microsoft);
    expect(
      await failure(later.api(`/subscriptions/${id}`).patch({ expirationDateTime: inMinutes(4000) })),
    ).toMatchObject({ status: 404 });
  });
});

describe("the lifecycle", () => {
  const lifecycle = () => ({ lifecycleNotificationUrl: `${receiver}/lifecycle` });

  it.each(["renewing", "reauthorizing"])("wants to be reauthorized, pauses, and goes on after %s", async (how) => {
    const { id } = await subscribe(lifecycle());
    microsoft.subscriptions.requireReauthorization(id);
    state.putEvent(meeting());
    if (how === "renewing") await renew(id, { expirationDateTime: inMinutes(4000) });
    else await api.api(`/subscriptions/${id}/reauthorize`).post({});
    state.putEvent(meeting());
    await microsoft.notices.settled();
    expect(types()).toEqual(["reauthorizationRequired", "created"]);
    expect(received[0]).toMatchObject({ path: "/lifecycle", value: [{ subscriptionId: id, clientState: "secret" }] });
    expect(received[0]?.value[0]).not.toHaveProperty("resource");
  });

  it("says that a subscription was removed, which it is", async () => {
    const { id } = await subscribe(lifecycle());
    microsoft.subscriptions.remove(id);
    state.putEvent(meeting());
    await microsoft.notices.settled();
    expect(types()).toEqual(["subscriptionRemoved"]);
    expect(await failure(renew(id, { expirationDateTime: inMinutes(100) }))).toMatchObject({ status: 404 });
  });

  it("says that notifications were missed", async () => {
    const { id } = await subscribe(lifecycle());
    microsoft.subscriptions.sayMissed(id);
    await microsoft.notices.settled();
    expect(types()).toEqual(["missed"]);
  });

  it("says nothing to who gave no address for it", async () => {
    const { id } = await subscribe();
    microsoft.subscriptions.sayMissed(id);
    microsoft.subscriptions.remove(id);
    await microsoft.notices.settled();
    expect(received).toEqual([]);
    expect(() => microsoft.subscriptions.sayMissed("nobody")).toThrow(/no subscription/);
  });
});

describe("notices", () => {
  it("are lost, and sent again when they are refused", async () => {
    await subscribe();
    microsoft.notices.mode = "drop";
    state.putEvent(meeting());
    microsoft.notices.mode = "deliver";
    statuses = [503];
    state.putEvent(meeting());
    await microsoft.notices.settled();
    expect(received).toHaveLength(2);
    expect(microsoft.notices.sent.map(({ status }) => status)).toEqual([503, 202]);
  });

  it("are held, and come reversed, double, or together", async () => {
    await subscribe();
    microsoft.notices.mode = "hold";
    const put = () => {
      const id = state.putEvent(meeting());
      state.deleteEvent(id);
    };
    put();
    expect(microsoft.notices.held()).toBe(2);
    await microsoft.notices.release("reversed");
    expect(types()).toEqual(["deleted", "created"]);
    put();
    microsoft.notices.copies = 2;
    await microsoft.notices.release();
    expect(types().slice(2)).toEqual(["created", "created", "deleted", "deleted"]);
    put();
    microsoft.notices.copies = 1;
    await microsoft.notices.release("together");
    expect(received.at(-1)?.value.map(({ changeType }) => changeType)).toEqual(["created", "deleted"]);
  });

  it("come late, and are given up when nobody is there", async () => {
    await subscribe();
    microsoft.notices.delay = 5;
    state.putEvent(meeting());
    await microsoft.notices.settled();
    expect(received).toHaveLength(1);
    const [record] = microsoft.subscriptions.all;
    if (record) record.notificationUrl = "http://127.0.0.1:1/";
    state.putEvent(meeting());
    await microsoft.notices.settled();
    expect(microsoft.notices.sent.slice(1).map(({ status }) => status)).toEqual([0, 0, 0]);
  });
});
