import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@microsoft/microsoft-graph-client";
import type { ChangeNotification, Event } from "@microsoft/microsoft-graph-types";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Application } from "../../fakes/microsoft/applications";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { everyPage, failure, graphClient, guest, type Listed, meeting, weekly } from "./microsoft-client";
import { clientOf, organization } from "./microsoft-organizations";

let microsoft: MicrosoftFake;
let application: Application;
let api: Client;

beforeEach(async () => {
  ({ microsoft, application, api } = await organization());
});
afterEach(() => microsoft.close());

const ada = "/users/ada@example.com";
const WINDOW = "startDateTime=2027-01-01T00:00:00Z&endDateTime=2028-01-01T00:00:00Z";
const denied = { status: 403, code: "ErrorAccessDenied" };

describe("/me of an application", () => {
  it.each(["/me", "/me/calendars", "/me/mailboxSettings", "/me/anything"])("400 for %s", async (path) => {
    const error = await api
      .api(path)
      .get()
      .then(
        () => expect.fail("The call succeeded."),
        (reason) => reason,
      );
    expect(error).toMatchObject({
      statusCode: 400,
      code: "BadRequest",
      message: "/me request is only valid with delegated authentication flow.",
    });
  });
});

describe("a mailbox at users/{id}", () => {
  it("is read and written whole, by the object id and by the userPrincipalName", async () => {
    const { oid, primary } = microsoft.account("ada@example.com");
    for (const user of [`/users/${oid}`, "/users/ADA@example.com"]) {
      const { value: calendars } = await api.api(`${user}/calendars`).get();
      expect(calendars).toMatchObject([
        { id: primary.id, isDefaultCalendar: true, owner: { address: "ada@example.com" } },
      ]);
      const events = `${user}/calendars/${primary.id}/events`;
      const created: Event = await api.api(events).post(meeting({ attendees: [guest("bob@example.com")] }));
      expect(created).toMatchObject({ isOrganizer: true, organizer: { emailAddress: { address: "ada@example.com" } } });
      const one = `${user}/events/${created.id}`;
      await api.api(one).patch({ subject: "Moved" });
      expect(await api.api(one).get()).toMatchObject({ subject: "Moved" });
      expect(await api.api(`${events}/${created.id}`).get()).toMatchObject({ subject: "Moved" });
      await api.api(`${one}/cancel`).post({ comment: "No" });
      expect(await failure(api.api(one).get())).toEqual({ status: 404, code: "ErrorItemNotFound" });
      const second: Event = await api.api(`${user}/events`).post(meeting());
      await api.api(`${user}/events/${second.id}`).delete();
      expect((await api.api(`${user}/events`).get()).value).toEqual([]);
    }
    expect(microsoft.outbox.map(({ kind }) => kind)).toContain("cancellation");
  });

  it("lists occurrences, answers invitations, renames calendars and tells its settings", async () => {
    const series: Event = await api.api(`${ada}/events`).post(weekly());
    const { value: occurrences } = await api.api(`${ada}/events/${series.id}/instances?${WINDOW}`).get();
    expect(occurrences).toHaveLength(6);
    const { value: view } = await api.api(`${ada}/calendarView?${WINDOW}`).get();
    expect(view).toHaveLength(6);
    const { primary } = microsoft.account("bob@example.com");
    const organizer = { emailAddress: { address: "ada@example.com", name: "Ada" } };
    const id = primary.putEvent({ ...meeting({ attendees: [guest("bob@example.com")] }), organizer });
    await api.api(`/users/bob@example.com/events/${id}/accept`).post({});
    expect(microsoft.outbox.at(-1)).toMatchObject({ from: "bob@example.com", kind: "accepted" });
    const { id: calendarId } = await api.api(`${ada}/calendar`).patch({ name: "Work" });
    expect((await api.api(`${ada}/calendars/${calendarId}`).get()).name).toBe("Work");
    expect((await api.api(`${ada}/mailboxSettings`).get()).timeZone).toBe("W. Europe Standard Time");
  });

  it("is tracked by links that stay under users/{id}", async () => {
    for (let index = 0; index < 5; index += 1) await api.api(`${ada}/events`).post(meeting());
    const { primary, oid } = microsoft.account("ada@example.com");
    const path = `/users/${oid}/calendars/${primary.id}/calendarView/delta?${WINDOW}`;
    const first: Listed = await api.api(path).header("Prefer", "odata.maxpagesize=2").get();
    expect(first["@odata.nextLink"]).toContain(`/v1.0/users/${oid}/calendars/`);
    const { rows, link } = await everyPage(api, path, "odata.maxpagesize=2");
    expect(rows).toHaveLength(5);
    expect(link).toContain(`/v1.0/users/${oid}/calendars/`);
    await api.api(`${ada}/events/${rows[0]?.id}`).patch({ subject: "Moved" });
    expect((await everyPage(api, link)).rows).toMatchObject([{ subject: "Moved" }]);
    const list: Listed = await api.api(`/users/${oid}/events?$top=2`).get();
    expect(list["@odata.nextLink"]).toContain(`/v1.0/users/${oid}/events?`);
  });

  it("is reached by the parts of a batch", async () => {
    const requests = [
      { id: "1", method: "GET", url: `${ada}/calendars` },
      { id: "2", method: "GET", url: "/me/calendars" },
      {
        id: "3",
        method: "POST",
        url: `${ada}/events`,
        headers: { "Content-Type": "application/json" },
        body: meeting(),
      },
      { id: "4", method: "GET", url: "/users/zoe@other.test/events" },
    ];
    const { responses } = await api.api("/$batch").post({ requests });
    const statuses = responses.map(({ id, status }: { id: string; status: number }) => [id, status]);
    expect(Object.fromEntries(statuses)).toEqual({ 1: 200, 2: 400, 3: 201, 4: 404 });
  });

  it("is asked for by at most so many requests at once, each mailbox by itself", async () => {
    microsoft.knobs.latency = 50;
    microsoft.knobs.mailboxConcurrency = 1;
    const [one, other] = [`${ada}/calendars`, "/users/bob@example.com/calendars"];
    await Promise.all([one, other].map((path) => api.api(path).get()));
    expect(microsoft.counters.overConcurrency).toBe(0);
    const results = await Promise.allSettled([one, one].map((path) => api.api(path).get()));
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(microsoft.counters.mostAtOnce).toMatchObject({ "ada@example.com": 2, "bob@example.com": 1 });
  });

  it("404 for who is not in the tenant, and for who has no mailbox", async () => {
    for (const user of ["zoe@other.test", "nobody@example.com", microsoft.account("zoe@other.test").oid]) {
      expect(await failure(api.api(`/users/${user}/calendars`).get())).toEqual({
        status: 404,
        code: "ErrorInvalidUser",
      });
    }
    microsoft.account("bob@example.com").removeMailbox();
    const bob = "/users/bob@example.com";
    const paths = [`${bob}/calendars`, `${bob}/events`, `${bob}/mailboxSettings`, `${bob}/calendarView?${WINDOW}`];
    for (const path of paths) {
      expect(await failure(api.api(path).get())).toEqual({ status: 404, code: "MailboxNotEnabledForRESTAPI" });
    }
  });

  it("403 without the role", async () => {
    application.roles.delete("Calendars.ReadWrite");
    application.roles.add("Calendars.Read");
    application.roles.delete("MailboxSettings.Read");
    const reader = await clientOf(microsoft, application);
    expect((await reader.api(`${ada}/calendars`).get()).value).toHaveLength(1);
    expect(await failure(reader.api(`${ada}/events`).post(meeting()))).toEqual(denied);
    expect(await failure(reader.api(`${ada}/mailboxSettings`).get())).toEqual(denied);
  });

  it("stays with whom an administrator disables, who cannot refresh a token", async () => {
    const refresh_token = microsoft.refreshToken("ada@example.com");
    const account = microsoft.account("ada@example.com");
    const refresh = async () => {
      const { id: client_id, secret: client_secret } = microsoft.client;
      const body = new URLSearchParams({ grant_type: "refresh_token", client_id, client_secret, refresh_token });
      const response = await fetch(`${microsoft.origin}/common/oauth2/v2.0/token`, { method: "POST", body });
      return { status: response.status, ...((await response.json()) as { error_codes?: number[] }) };
    };
    account.disable();
    expect(await refresh()).toMatchObject({ status: 400, error_codes: [50057] });
    expect((await api.api(`${ada}/calendars`).get()).value).toHaveLength(1);
    account.enable();
    expect((await refresh()).status).toBe(200);
  });
});

describe("a user's own token", () => {
  it("works at users/{own id}, and is denied at those of others", async () => {
    const own = graphClient(microsoft);
    const { oid } = microsoft.account("ada@example.com");
    expect((await own.api(`/users/${oid}/calendars`).get()).value).toHaveLength(1);
    expect(await failure(own.api("/users/bob@example.com/calendars").get())).toEqual(denied);
  });
});

describe("a subscription of an application", () => {
  let receiver: string;
  let received: ChangeNotification[];
  let stop: () => Promise<void>;

  beforeEach(async () => {
    received = [];
    const server = createServer(async (req, res) => {
      const token = new URL(req.url ?? "/", "http://127.0.0.1").searchParams.get("validationToken");
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      if (token === null) received.push(...JSON.parse(Buffer.concat(chunks).toString()).value);
      res.writeHead(200, { "content-type": "text/plain" }).end(token ?? "");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    stop = () => new Promise((resolve) => server.close(() => resolve()));
  });
  afterEach(() => stop());

  const subscribe = (resource: string, client = api) =>
    client.api("/subscriptions").post({
      changeType: "created,updated,deleted",
      notificationUrl: receiver,
      resource,
      expirationDateTime: new Date(Date.now() + 3_600_000).toISOString(),
    });

  it("notifies of changes of the calendar, in the name of the application", async () => {
    const { oid, primary, tid } = microsoft.account("ada@example.com");
    const created = await subscribe(`/users/${oid}/calendars/${primary.id}/events`);
    expect(created).toMatchObject({ applicationId: application.clientId });
    expect(created.creatorId).not.toBe(oid);
    const event: Event = await api.api(`${ada}/events`).post(meeting());
    microsoft.account("bob@example.com").primary.putEvent(meeting());
    await microsoft.notices.settled();
    expect(received).toMatchObject([
      {
        subscriptionId: created.id,
        changeType: "created",
        tenantId: tid,
        resource: `Users/${oid}/Events/${event.id}`,
      },
    ]);
  });

  it("is the application's alone: it renews, lists and deletes it, and the user does not see it", async () => {
    const { id } = await subscribe("users/ada@example.com/events");
    const expirationDateTime = new Date(Date.now() + 7_200_000).toISOString();
    expect((await api.api(`/subscriptions/${id}`).patch({ expirationDateTime })).expirationDateTime).toBe(
      expirationDateTime,
    );
    const own = graphClient(microsoft);
    expect((await own.api("/subscriptions").get()).value).toEqual([]);
    expect(await failure(own.api(`/subscriptions/${id}`).get())).toMatchObject({ status: 404 });
    const other = await clientOf(microsoft, microsoft.addApplication({ roles: ["Calendars.Read"] }));
    expect((await other.api("/subscriptions").get()).value).toEqual([]);
    expect((await api.api("/subscriptions").get()).value).toMatchObject([{ id }]);
    await api.api(`/subscriptions/${id}`).delete();
    expect(microsoft.subscriptions.active()).toEqual([]);
  });

  it("is refused for /me, for who is not in the tenant, and without the role", async () => {
    expect(await failure(subscribe("me/events"))).toEqual({ status: 400, code: "BadRequest" });
    expect(await failure(subscribe("users/zoe@other.test/events"))).toEqual({ status: 404, code: "ErrorInvalidUser" });
    const unable = await clientOf(microsoft, microsoft.addApplication({ roles: ["User.Read.All"] }));
    expect(await failure(subscribe("users/ada@example.com/events", unable))).toEqual(denied);
  });
});
