import { describe, expect, it } from "vitest";
import { createPkce, type ListChangesQuery, NotFoundError, PermissionError } from "@/sdk/src/index";
import { operations } from "@/server/http/routes/all";
import { dayFromNow } from "../dates";
import { connectAccount, issueCode, REDIRECT_URI } from "../grants";
import { newApplication } from "../service";
import { newClient, openedWith } from "./client";
import { operationOf } from "./operation-of";

const day = { start: dayFromNow(1), end: dayFromNow(2) };

describe("the TypeScript client", () => {
  it("has a method for every operation of the API", async () => {
    const client = await newClient();
    const { almanac, application, responses } = client;
    const called = new Set<string>();

    const { codeVerifier, codeChallenge } = await createPkce();
    const url = almanac.authorizationUrl({ redirectUri: REDIRECT_URI, state: "state ü", codeChallenge, locale: "en" });
    expect((await fetch(url)).status).toBe(200);
    called.add("authorize");
    const less = almanac.authorizationUrl({ redirectUri: REDIRECT_URI, state: "s", access: "free_busy", locale: "en" });
    expect(await (await fetch(less)).text()).toContain("but not what’s in your events");
    const connected = await connectAccount(application);
    const code = await issueCode(application, connected, { challenge: codeChallenge });
    const connection = await almanac.exchangeCode({ code, redirectUri: REDIRECT_URI, codeVerifier });
    expect(connection).toMatchObject({ accountId: connected.accountId, profile: { profile_name: "ada@acme.io" } });
    // No provider that signs in by OAuth is configured here.
    const imported = almanac.profiles.import({ providerName: "google", refreshToken: "1//x", accountId: "acc_1" });
    await expect(imported).rejects.toMatchObject({ issues: [{ field: "provider_name" }] });
    const mailbox = { email: "grace@acme.io", callback_url: "https://app.acme.io/mailboxes" };
    await almanac.organizations.authorize(mailbox);
    await almanac.organizations.authorize([mailbox, { ...mailbox, state: "s" }]);
    expect(await almanac.organizations.rooms()).toEqual({ rooms: [], problems: [] });
    const person = almanac.account(connection);
    expect(await person.get()).toMatchObject({ account_id: connected.accountId, email: "ada@acme.io" });
    expect(await person.userinfo()).toMatchObject({ sub: connected.accountId });
    expect(await person.profiles.list()).toMatchObject([{ profile_id: connected.profileId, profile_connected: true }]);
    expect(await person.profiles.status(connected.profileId)).toMatchObject({ state: "connected" });
    expect(await person.reconnectLinks.create(connected.profileId)).toMatch(/link_token=lt_/);
    expect(await person.linkTokens.create()).toMatch(/^lt_/);

    const { account, calendarId, connection: hosted } = await openedWith(client, "all");
    expect(hosted).toMatchObject({ applicationCalendarId: "all", accountId: expect.stringMatching(/^apc_/) });
    const rules = [{ frequency: "daily", count: 3 } as const];
    await account.events.write(calendarId, { event_id: "series", summary: "Daily", ...day, recurrence: { rules } });
    await account.events.changeOccurrence(calendarId, {
      event_id: "series",
      occurrence_date: dayFromNow(2),
      summary: "Once",
    });
    await account.events.delete(calendarId, { event_id: "series", occurrence_date: dayFromNow(3) });
    expect(await account.events.receipt(calendarId, "series")).toMatchObject({ state: "sent", reason: null });
    const sent = { calendar_id: calendarId, event_id: "series", state: "sent" };
    expect(await account.writes.list({ calendar_ids: [calendarId] }).toArray()).toMatchObject([sent]);
    expect(await account.writes.list({ state: "refused" }).toArray()).toEqual([]);
    const window = { tzid: "Etc/UTC", from: dayFromNow(1), to: dayFromNow(10), calendar_ids: [calendarId] };
    const events = await account.events.list({ ...window, include_managed: true }).toArray();
    expect(events.map(({ summary }) => summary)).toEqual(["Daily", "Once"]);
    const periods = await account.freeBusy.list({ ...window, include_managed: true, include_ids: true }).toArray();
    expect(periods.map(({ event_id }) => event_id)).toEqual(["series", "series"]);
    expect(await account.events.list(window).toArray()).toEqual([]);

    const event = { summary: "Theirs", start: dayFromNow(5), end: dayFromNow(6) };
    await account.sandbox.change({ type: "event_created", calendar_id: calendarId, event });
    expect(await account.events.list(window).toArray()).toMatchObject([{ summary: "Theirs" }]);

    const question = {
      participants: [{ members: [{ sub: hosted.accountId }] }],
      required_duration: { minutes: 60 },
      query_periods: [{ start: `${dayFromNow(1)}T00:00:00Z`, end: `${dayFromNow(3)}T00:00:00Z` }],
    };
    for (const { availability } of [almanac, account]) {
      expect(await availability.find(question)).toMatchObject({
        available_periods: [],
        problems: [],
        as_of: { [hosted.accountId]: expect.any(String) },
      });
    }

    const uid = events[1]?.event_uid ?? "";
    const { event: occurrence, etag } = await account.events.get(uid);
    expect(occurrence).toMatchObject({ summary: "Once", rights: { update: true, delete: true, reply: false } });
    const changed = await account.events.update(uid, { summary: "Twice" }, { ifMatch: etag });
    expect(changed).toEqual(await account.events.get(uid));
    expect(changed).toMatchObject({ event: { summary: "Twice" }, etag: expect.not.stringContaining(etag) });
    // The application may not reply in its user's name: nobody has allowed it.
    const reply = account.events.reply(calendarId, uid, { status: "declined" });
    await expect(reply).rejects.toThrow(PermissionError);
    await account.events.deleteByUid(uid, { scope: "all" });
    await expect(account.events.get(uid)).rejects.toThrow(NotFoundError);

    const filters = { calendar_ids: [calendarId], only_managed: true };
    const channel = await account.channels.create({ callback_url: "https://app.acme.io/hook", filters });
    expect(channel.signing_secret).toMatch(/^whsec_/);
    expect(await account.channels.list()).toMatchObject([{ channel_id: channel.channel_id, filters }]);
    expect(await account.channels.test(channel.channel_id)).toMatch(/^whd_/);
    const settings = { payload: "changes", signature: "standard_webhooks", write_refused: true } as const;
    const delivery = await account.channels.setDelivery(channel.channel_id, settings);
    expect(delivery).toEqual({ ...settings, signing_secret: channel.signing_secret?.slice("whsec_".length) });
    await account.channels.close(channel.channel_id);
    expect(await account.channels.list()).toEqual([]);

    const reminder = { callback_url: "https://app.acme.io/hook", before: "event_start", minutes: 10 } as const;
    const trigger = await account.triggers.create(reminder);
    expect(trigger).toMatchObject({ ...reminder, signing_secret: expect.stringMatching(/^whsec_/) });
    expect(await account.triggers.list()).toEqual([{ trigger_id: trigger.trigger_id, ...reminder }]);
    await account.triggers.delete(trigger.trigger_id);
    expect(await account.triggers.list()).toEqual([]);

    const feed = { url: "https://calendars.acme.io/roster.ics", name: "Roster", refresh_minutes: 30 };
    const subscribed = await account.subscriptions.create(feed);
    expect(await account.subscriptions.create(feed)).toEqual(subscribed);
    expect(await account.subscriptions.list()).toMatchObject([
      { ...subscribed, name: "Roster", host: "calendars.acme.io", refresh_minutes: 30 },
    ]);
    await account.subscriptions.delete(subscribed.calendar_id);
    expect(await account.subscriptions.list()).toEqual([]);
    const { url: address, ...published } = await account.feeds.create(calendarId, { detail: "busy", days_ahead: 30 });
    expect(new URL(address).pathname).toMatch(/^\/feeds\/[\w-]{43}\.ics$/);
    expect(await account.feeds.list(calendarId)).toEqual([published]);
    await account.feeds.delete(calendarId, published.feed_id);
    expect(await account.feeds.list(calendarId)).toEqual([]);

    const relative_url = `/v1/calendars/${calendarId}/events`;
    const outcomes = await account.events.batch([
      { method: "POST", relative_url, data: { event_id: "batch", summary: "Batch", ...day } },
      { method: "POST", relative_url, data: { event_id: "nothing" } },
    ]);
    expect(outcomes).toMatchObject([{ status: 202 }, { status: 422, data: { errors: expect.any(Object) } }]);
    await account.events.deleteAll({ calendar_ids: [calendarId] });
    expect(await account.writes.list({ state: "pending" }).toArray()).toEqual([]);

    const { cursor } = await account.changes.list();
    const times = { start: `${dayFromNow(8)}T09:00:00Z`, end: `${dayFromNow(8)}T10:00:00Z` };
    for (const { bookings } of [almanac, account]) {
      const held = await bookings.book({
        calendar_id: calendarId,
        event: { event_id: "interview", summary: "Interview", ...times },
        require_free: [{ sub: hosted.accountId }],
        hold_seconds: 60,
      });
      expect(await bookings.get(held.booking_id)).toEqual(held);
      expect(held.state).toBe("held");
      expect(await bookings.confirm(held.booking_id)).toMatchObject({ state: "booked", event_uid: held.event_uid });
      await bookings.cancel(held.booking_id);
    }
    const { changes } = await account.changes.list({ cursor });
    expect(changes.map(({ kind, by }) => `${kind} ${by}`)).toEqual(
      Array(2).fill(["created application", "deleted application"]).flat(),
    );
    await almanac.revoke(hosted.accessToken);

    for (const { method, path } of responses) called.add(operationOf(method, path));
    // A client that registers itself has no secret, as users of this SDK have.
    const own = operations.filter(({ id }) => id !== "registerClient");
    expect([...called].toSorted()).toEqual(own.map(({ id }) => id).toSorted());
  });

  it("finds time for the application's accounts, and for an account nothing but its own", async () => {
    const { almanac } = await newClient(
      {},
      await newApplication({ clientSecret: "a secret: with % and ü, long enough" }),
    );
    const [ada, ben] = [await almanac.applicationCalendars.open("ada"), await almanac.applicationCalendars.open("ben")];
    const question = {
      participants: [{ members: [{ sub: ada.accountId }, { sub: ben.accountId }] }],
      required_duration: { minutes: 60 },
      query_periods: [{ start: `${dayFromNow(1)}T08:00:00Z`, end: `${dayFromNow(1)}T12:00:00Z` }],
    };
    const { available_periods } = await almanac.availability.find(question);
    const participants = [{ sub: ada.accountId }, { sub: ben.accountId }];
    expect(available_periods).toEqual([{ ...question.query_periods[0], participants }]);
    const own = await almanac
      .account(ada)
      .availability.find(question)
      .catch((error) => error);
    expect(own).toMatchObject({ status: 422, issues: [{ field: "participants[0].members[1].sub" }] });
    const other = await newClient({}, { clientId: "unknown", clientSecret: "a-secret-of-nobody-at-all" });
    await expect(other.almanac.availability.find(question)).rejects.toMatchObject({ status: 401 });
  });

  it("follows the feed of changes up to now, and yields the cursor to store with each page", async () => {
    const { account, calendarId } = await openedWith(await newClient());
    const write = async (from: number, to: number) => {
      for (let i = from; i < to; i++)
        await account.events.write(calendarId, { event_id: `${i}`, summary: "s", ...day });
    };
    const read = async (query: ListChangesQuery) => {
      const pages: string[][] = [];
      let cursor = "";
      for await (const page of account.changes.follow(query)) {
        pages.push(page.changes.map(({ event_id = "" }) => event_id));
        cursor = page.cursor;
      }
      return { pages, cursor };
    };
    await write(0, 3);
    const first = await read({ from: "beginning", limit: 2 });
    expect(first.pages.flat().toSorted()).toEqual(["0", "1", "2"]);
    expect(first.pages.length).toBeGreaterThan(1);
    await write(3, 6);
    const next = await read({ cursor: first.cursor, limit: 2, calendar_ids: [calendarId] });
    expect(next.pages).toEqual([["3", "4"], ["5"]]);
    expect((await read({ cursor: next.cursor })).pages).toEqual([[]]);
  });

  it("sends a request id of the caller's along, and no other authorization", async () => {
    const client = await newClient();
    const { account } = await openedWith(client);
    await account.get({ headers: { "Svc-Request-Id": "checkout-4711", Authorization: "Bearer at_another" } });
    expect(client.responses.at(-1)).toMatchObject({ status: 200, requestId: "checkout-4711" });
  });

  it("sends the values of a query as they are", async () => {
    const client = await newClient();
    const { account, calendarId } = await openedWith(client);
    const start = "2026-11-24T09:00:00+01:00";
    const lists = [
      account.events.list({ tzid: "Europe/Paris", from: start, last_modified: new Date().toISOString() }),
      account.freeBusy.list({ tzid: "Europe/Paris", from: start, localized_times: true, calendar_ids: [calendarId] }),
    ];
    for (const list of lists) expect(await list.toArray()).toEqual([]);
  });
});
