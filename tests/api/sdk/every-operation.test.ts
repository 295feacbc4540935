import { describe, expect, it } from "vitest";
import { createPkce } from "@/sdk/src/index";
import { operations } from "@/server/http/routes/all";
import { dayFromNow } from "../dates";
import { connectAccount, issueCode, REDIRECT_URI } from "../grants";
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
    const connected = await connectAccount(application);
    const code = await issueCode(application, connected, { challenge: codeChallenge });
    const connection = await almanac.exchangeCode({ code, redirectUri: REDIRECT_URI, codeVerifier });
    expect(connection).toMatchObject({ accountId: connected.accountId, profile: { profile_name: "ada@acme.io" } });
    const person = almanac.account(connection);
    expect(await person.get()).toMatchObject({ account_id: connected.accountId, email: "ada@acme.io" });
    expect(await person.userinfo()).toMatchObject({ sub: connected.accountId });
    expect(await person.profiles.list()).toMatchObject([{ profile_id: connected.profileId, profile_connected: true }]);
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
    const window = { tzid: "Etc/UTC", from: dayFromNow(1), to: dayFromNow(10), calendar_ids: [calendarId] };
    const events = await account.events.list({ ...window, include_managed: true }).toArray();
    expect(events.map(({ summary }) => summary)).toEqual(["Daily", "Once"]);
    const periods = await account.freeBusy.list({ ...window, include_managed: true, include_ids: true }).toArray();
    expect(periods.map(({ event_id }) => event_id)).toEqual(["series", "series"]);
    expect(await account.events.list(window).toArray()).toEqual([]);

    const event = { summary: "Theirs", start: dayFromNow(5), end: dayFromNow(6) };
    await account.sandbox.change({ type: "event_created", calendar_id: calendarId, event });
    expect(await account.events.list(window).toArray()).toMatchObject([{ summary: "Theirs" }]);

    const filters = { calendar_ids: [calendarId], only_managed: true };
    const channel = await account.channels.create({ callback_url: "https://app.acme.io/hook", filters });
    expect(channel.signing_secret).toMatch(/^whsec_/);
    expect(await account.channels.list()).toMatchObject([{ channel_id: channel.channel_id, filters }]);
    expect(await account.channels.test(channel.channel_id)).toMatch(/^whd_/);
    await account.channels.close(channel.channel_id);
    expect(await account.channels.list()).toEqual([]);
    await almanac.revoke(hosted.accessToken);

    for (const { method, path } of responses) called.add(operationOf(method, path));
    expect([...called].toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
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
