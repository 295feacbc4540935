import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { addChannels, storedChannel } from "../fakes/stored-deliveries";
import { eventIds } from "../fakes/stored-events";
import { dayFromNow } from "./dates";
import { connectedWithTokens, credentialsOf, exchange, issueCode, refresh, revoke, withToken } from "./grants";
import { comparable, expectEmpty, expectIssues, expectOAuthError, expectSignedOut } from "./responses";
import { call, newApplication, openCalendar } from "./service";

async function expectWorking(accessToken: string): Promise<void> {
  expect(await withToken("GET", "/v1/account", accessToken)).toMatchObject({ status: 200 });
}

async function expectEnded(accessToken: string): Promise<void> {
  expectSignedOut(await withToken("GET", "/v1/account", accessToken), "invalid_token");
}

async function countOf(table: string, accountId: string): Promise<number> {
  const [row] = await db().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE account_id = $1`,
    [accountId],
  );
  return row?.count ?? 0;
}

const DAY = dayFromNow(1);

describe("200", () => {
  it.each(["accessToken", "refreshToken"] as const)("ends the whole grant by its %s", async (which) => {
    const opened = await openCalendar();
    const later = (await refresh(opened.application, opened.refreshToken)).json.access_token;
    expectEmpty(await revoke(opened.application, opened[which]), 200);
    await expectEnded(opened.accessToken);
    await expectEnded(later);
    expectOAuthError(await refresh(opened.application, opened.refreshToken), "invalid_grant");
  });

  it("ends every token pair of the account", async () => {
    const application = await newApplication();
    const first = await openCalendar(application, "room");
    const second = await openCalendar(application, "room");
    expectEmpty(await revoke(application, first.accessToken), 200);
    await expectEnded(second.accessToken);
    expectOAuthError(await refresh(application, second.refreshToken), "invalid_grant");
  });

  it("ends every token with the account, even one that is still stored", async () => {
    const { accountId, application, accessToken, refreshToken } = await openCalendar();
    await db().prisma.account.update({ where: { id: accountId }, data: { revokedAt: new Date() } });
    await expectEnded(accessToken);
    expectSignedOut(await withToken("GET", "/v1/events?tzid=Etc/UTC", accessToken), "invalid_token");
    expectOAuthError(await refresh(application, refreshToken), "invalid_grant");
  });

  it("leaves other accounts of the application alone", async () => {
    const application = await newApplication();
    const [revoked, other] = [await openCalendar(application), await openCalendar(application)];
    await revoke(application, revoked.accessToken);
    await expectWorking(other.accessToken);
  });

  it("closes the account's channels", async () => {
    const { application, accountId, accessToken } = await openCalendar();
    const [id = ""] = await addChannels(accountId);
    await revoke(application, accessToken);
    expect(await storedChannel(id)).toMatchObject({ closedAt: expect.any(Date), closedBy: "revoke" });
  });

  it("removes tokens, codes, provider credentials, calendars and cached events of the account", async () => {
    const application = await newApplication();
    const account = await connectedWithTokens(application);
    const unused = await issueCode(application, account);
    const path = `/v1/calendars/${account.calendarIds.writable}/events`;
    const event = { event_id: "1", summary: "Secret", start: DAY, end: DAY };
    expectEmpty(await withToken("POST", path, account.accessToken, event), 202);
    await revoke(application, account.refreshToken);
    for (const table of ["grants", "codes", "profiles", "calendars"]) {
      expect([table, await countOf(table, account.accountId)]).toEqual([table, 0]);
    }
    for (const table of ["events", "occurrences", "calendar_days", "calendar_months"]) {
      expect(await db().query(`SELECT 1 FROM ${table} WHERE calendar_id = $1`, [account.calendarIds.writable])).toEqual(
        [],
      );
    }
    expectOAuthError(await exchange(application, unused), "invalid_grant");
  });

  it("is the answer whether or not the token was known, with nothing in the body", async () => {
    const { application, accessToken } = await openCalendar();
    const known = await revoke(application, accessToken);
    const again = await revoke(application, accessToken);
    const unknown = await revoke(application, "rt_unknown");
    expectEmpty(known, 200);
    expect(comparable(again)).toEqual(comparable(known));
    expect(comparable(unknown)).toEqual(comparable(known));
  });

  it("does nothing to the token of another application", async () => {
    const { accessToken, refreshToken, application } = await openCalendar();
    const stranger = await newApplication();
    expectEmpty(await revoke(stranger, accessToken), 200);
    expectEmpty(await revoke(stranger, refreshToken), 200);
    await expectWorking(accessToken);
    expect(await refresh(application, refreshToken)).toMatchObject({ status: 200 });
  });

  it("takes a form as well as JSON, and extra properties", async () => {
    const { application, accessToken } = await openCalendar();
    const form = { ...credentialsOf(application), token: accessToken, token_type_hint: "access_token" };
    expectEmpty(await call("POST", "/oauth/token/revoke", { form }), 200);
    await expectEnded(accessToken);
  });

  it("does not look at an Authorization that is not HTTP Basic, and has no RateLimit headers", async () => {
    const { application, accessToken } = await openCalendar();
    const answer = await call("POST", "/oauth/token/revoke", {
      json: { ...credentialsOf(application), token: accessToken },
      headers: { authorization: "Bearer undefined" },
    });
    expectEmpty(answer, 200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect([...answer.headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });

  it("holds for a token with which an event is being written: before or after, never in between", async () => {
    const { application, accessToken, calendarId } = await openCalendar();
    const path = `/v1/calendars/${calendarId}/events`;
    const writes = Array.from({ length: 10 }, (_, i) =>
      withToken("POST", path, accessToken, { event_id: `${i}`, summary: "s", start: DAY, end: DAY }),
    );
    const [revoked, ...written] = await Promise.all([revoke(application, accessToken), ...writes]);
    expectEmpty(revoked, 200);
    for (const { status } of written) expect([202, 401]).toContain(status);
    expect(await eventIds(calendarId)).toEqual([]);
  });
});

describe("a code that is exchanged while its account is revoked", () => {
  it("leaves no living token, whichever comes first", async () => {
    const application = await newApplication();
    for (let round = 0; round < 15; round++) {
      const account = await connectedWithTokens(application);
      const code = await issueCode(application, account);
      const [exchanged] = await Promise.all([exchange(application, code), revoke(application, account.accessToken)]);
      if (exchanged.status !== 200) continue;
      expect((await withToken("GET", "/v1/account", exchanged.json.access_token)).status).toBe(401);
      expect((await refresh(application, exchanged.json.refresh_token)).json.error).toBe("invalid_grant");
    }
  });
});

describe("400 invalid_client", () => {
  it("does not tell an unknown client id from a wrong secret, and ends nothing", async () => {
    const { application, accessToken } = await openCalendar();
    const wrongSecret = await revoke({ ...application, clientSecret: "wrong" }, accessToken);
    const unknownId = await revoke({ ...application, clientId: "unknown" }, accessToken);
    expectOAuthError(wrongSecret, "invalid_client");
    expect(comparable(unknownId)).toEqual(comparable(wrongSecret));
    await expectWorking(accessToken);
  });
});

describe("400 invalid_request", () => {
  it.each(["client_id", "client_secret", "token"])("is the answer without %s", async (field) => {
    const { application, accessToken } = await openCalendar();
    const complete: Record<string, string> = { ...credentialsOf(application), token: accessToken };
    const { [field]: _, ...rest } = complete;
    const answer = await call("POST", "/oauth/token/revoke", { json: rest });
    expectOAuthError(answer, "invalid_request");
    expect(answer.json.error_description).toContain(field);
    expectOAuthError(await call("POST", "/oauth/token/revoke", { form: { ...rest, [field]: "" } }), "invalid_request");
    await expectWorking(accessToken);
  });

  it.each(["client_id", "client_secret", "token"])("is the answer to %s over 500 characters", async (field) => {
    const json = { client_id: "a", client_secret: "b", token: "c" };
    const send = (length: number) =>
      call("POST", "/oauth/token/revoke", { json: { ...json, [field]: "𝄞".repeat(length) } });
    expectOAuthError(await send(500), "invalid_client");
    expectOAuthError(await send(501), "invalid_request");
  });

  it("is the answer to refresh_token in place of token, which only compatibility mode takes", async () => {
    const { application, refreshToken, accessToken } = await openCalendar();
    const json = { ...credentialsOf(application), refresh_token: refreshToken };
    expectOAuthError(await call("POST", "/oauth/token/revoke", { json }), "invalid_request");
    await expectWorking(accessToken);
  });
});

describe("an application calendar that was revoked", () => {
  it("is deleted: opening its id again gives a new, empty calendar", async () => {
    const application = await newApplication();
    const before = await openCalendar(application, "room");
    await before.write({ event_id: "1", summary: "Old", start: DAY, end: DAY });
    await revoke(application, before.accessToken);
    const after = await openCalendar(application, "room");
    expect(after.accountId).not.toBe(before.accountId);
    expect(after.calendarId).not.toBe(before.calendarId);
    expect(after.profileId).not.toBe(before.profileId);
    const read = await after.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
    expect(read.json.events).toEqual([]);
    expectEmpty(await withToken("GET", "/v1/account", before.accessToken), 401);
    const body = { event_id: "2", summary: "New", start: DAY, end: DAY };
    expectEmpty(await after.post(`/v1/calendars/${before.calendarId}/events`, body), 404);
    expectIssues(await after.post(`/v1/calendars/${before.calendarId}/events`, { ...body, event_id: 1 }), {
      event_id: "errors.invalid_type",
    });
  });
});
