import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  EventChangedError,
  type EventWrite,
  NotFoundError,
  OAuthError,
  PermissionError,
  ServerError,
  UnreachableError,
  ValidationError,
} from "@/sdk/src/index";
import { fakeClock } from "../../fakes/clock";
import { changeProfile } from "../../fakes/stored";
import { loggedRequests } from "../../fakes/stored-traffic";
import { readAll } from "../availability";
import { dayFromNow } from "../dates";
import { connectedWithTokens } from "../grants";
import { address, newApplication } from "../service";
import { newClient, openedWith } from "./client";

const event: EventWrite = { event_id: "1", summary: "s", start: "2026-11-21", end: "2026-11-22" };

async function thrownBy(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => undefined,
    (error) => error,
  );
}

describe("an error of the service", () => {
  it("422 has its keys by field", async () => {
    const { account, calendarId } = await openedWith(await newClient());
    const body = { ...event, end: "2026-11-20", summary: "s".repeat(2_001), tzid: "Europe/Atlantis" };
    const error = await thrownBy(account.events.write(calendarId, body));
    if (!(error instanceof ValidationError)) throw error;
    expect(error.has("errors.too_big", "summary")).toBe(true);
    expect(error.has("errors.too_big")).toBe(true);
    expect(error.has("errors.too_big", "end")).toBe(false);
    expect(error.has("errors.required")).toBe(false);
    for (const issue of error.issues) {
      expect(issue).toEqual({
        field: expect.any(String),
        key: expect.stringMatching(/^errors\./),
        description: expect.any(String),
      });
    }
    expect(error.message).toContain("summary errors.too_big");
  });

  it.each([
    ["http://app.acme.io/hook", "errors.invalid_callback_url"],
    ["https://localhost/hook", "errors.invalid_callback_url_blocked"],
  ] as const)("422 for a channel to %s is %s", async (callback_url, key) => {
    const { account } = await openedWith(await newClient());
    const error = await thrownBy(account.channels.create({ callback_url }));
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).has(key, "callback_url")).toBe(true);
  });

  it("422 names nested fields, and whole queries", async () => {
    const { account, calendarId } = await openedWith(await newClient());
    const conferencing = { profile_id: "integrated" } as const;
    const error = await thrownBy(account.events.write(calendarId, { ...event, conferencing }));
    expect(error).toMatchObject({
      issues: [{ field: "conferencing.profile_id", key: "errors.conferencing_unavailable" }],
    });
    const list = account.events.list({ tzid: "Europe/Atlantis" });
    expect(await thrownBy(list.toArray())).toMatchObject({ issues: [{ field: "tzid", key: "errors.invalid" }] });
  });

  it("403, 404 and their request ids", async () => {
    const { almanac, application } = await newClient();
    const { accessToken, refreshToken, calendarIds } = await connectedWithTokens(application);
    const account = almanac.account({ accessToken, refreshToken });
    const cases = [
      [() => account.events.write(calendarIds.readonly, event), PermissionError, 403],
      [() => account.events.write("cal_ä/../x", event), NotFoundError, 404],
      [() => account.channels.close("chn_unknown"), NotFoundError, 404],
    ] as const;
    for (const [call, type, status] of cases) {
      const error = await thrownBy(call());
      expect(error).toBeInstanceOf(type);
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ status, requestId: expect.stringMatching(/^req_/) });
      expect(await loggedRequests((error as ApiError).requestId ?? "")).toMatchObject([{ status }]);
    }
  });

  it("412 has the event as it is now, and the tag to try again with", async () => {
    const { account, calendarId } = await openedWith(await newClient());
    await account.events.write(calendarId, event);
    const [listed] = await account.events
      .list({ tzid: "Etc/UTC", from: "2026-11-21", include_managed: true })
      .toArray();
    const uid = listed?.event_uid ?? "";
    const { etag } = await account.events.get(uid);
    await account.events.update(uid, { description: "The canary quoll sings!" });
    for (const call of [
      () => account.events.update(uid, { description: null }, { ifMatch: etag }),
      () => account.events.deleteByUid(uid, { ifMatch: etag }),
    ]) {
      const error = await thrownBy(call());
      if (!(error instanceof EventChangedError)) throw error;
      expect(error.current).toEqual(await account.events.get(uid));
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("canary");
    }
    const { etag: newer } = await account.events.get(uid);
    expect(await account.events.update(uid, { description: null }, { ifMatch: newer })).toMatchObject({
      event: { description: "" },
    });
  });

  it("404 of a base URL with a path of its own says that there is nothing", async () => {
    const { almanac } = await newClient({ baseUrl: `${await address()}/v1` });
    const error = await thrownBy(almanac.applicationCalendars.open("room"));
    expect(error).toBeInstanceOf(NotFoundError);
    expect((error as ApiError).message).toContain("There is nothing at this path");
  });

  it("of wrong client credentials is invalid_client, and 401 for application calendars", async () => {
    const application = await newApplication();
    const { almanac } = await newClient({}, { ...application, clientSecret: "the-wrong-secret" });
    const refused = await thrownBy(almanac.refresh("rt_unknown"));
    expect(refused).toBeInstanceOf(OAuthError);
    expect(refused).toMatchObject({ error: "invalid_client", status: 400 });
    expect(await thrownBy(almanac.applicationCalendars.open("room"))).toBeInstanceOf(AuthenticationError);
    expect(await thrownBy(almanac.exchangeCode({ code: "x", redirectUri: "https://app.acme.io/" }))).toMatchObject({
      error: "invalid_client",
    });
  });

  it("409 has the time that is taken and whose time isn't known, and a hold that has expired", async () => {
    const fake = fakeClock();
    const { almanac } = await newClient({ fake });
    const tokens = await almanac.applicationCalendars.open("room");
    const [calendar] = await almanac.account(tokens).calendars.list();
    const calendarId = calendar?.calendar_id ?? "";
    const [start, end] = [`${dayFromNow(3)}T09:00:00Z`, `${dayFromNow(3)}T10:00:00Z`];
    const bookingOf = (event_id: string) => ({
      calendar_id: calendarId,
      event: { event_id, summary: "Interview", start, end },
      require_free: [{ sub: tokens.accountId }],
    });
    const held = await almanac.bookings.book({ ...bookingOf("first"), hold_seconds: 30 });
    const taken = await thrownBy(almanac.bookings.book(bookingOf("second")));
    expect(taken).toBeInstanceOf(ConflictError);
    expect(taken).toMatchObject({ status: 409, conflicts: [{ calendar_id: calendarId, start, end }], problems: [] });
    fake.advance(31_000);
    const late = await thrownBy(almanac.bookings.confirm(held.booking_id));
    expect(late).toBeInstanceOf(ConflictError);
    expect(late).toMatchObject({ conflicts: [], problems: [], message: expect.stringContaining("hold has expired") });
    await changeProfile((await almanac.account(tokens).profiles.list())[0]?.profile_id ?? "", { connected: false });
    const lost = await thrownBy(almanac.bookings.book(bookingOf("third")));
    expect(lost).toMatchObject({ problems: [{ sub: tokens.accountId, reason: "disconnected" }] });
  });

  it("503 of a provider that can't be asked names the account, after the retries", async () => {
    const client = await newClient();
    const account = await connectedWithTokens(client.application);
    await readAll(account);
    const [start, end] = [`${dayFromNow(3)}T09:00:00Z`, `${dayFromNow(3)}T10:00:00Z`];
    const booking = {
      calendar_id: account.calendarIds.writable,
      event: { event_id: "1", summary: "Interview", start, end },
      require_free: [{ sub: account.accountId }],
    };
    const error = await thrownBy(client.almanac.bookings.book(booking, { maxRetries: 1 }));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ status: 503, sub: account.accountId });
    expect(client.responses.map(({ status }) => status)).toEqual([503, 503]);
    expect(client.waits[0]).toBeGreaterThanOrEqual(((error as ServerError).retryAfter ?? 0) * 1_000);
    const accepted = await client.almanac.bookings.book({ ...booking, if_unreachable: "accept" });
    expect(accepted.state).toBe("booked");
  });

  it("of an unknown refresh token is invalid_grant", async () => {
    const { almanac } = await newClient();
    expect(await thrownBy(almanac.account({ refreshToken: "rt_unknown" }).get())).toMatchObject({
      error: "invalid_grant",
    });
  });

  it("has no secret, no token and no text of an event, and neither has the client", async () => {
    const client = await newClient();
    const { account, calendarId, connection } = await openedWith(client);
    const body = { ...event, summary: "The canary quoll sings!", end: "2026-11-20" };
    const errors = [
      await thrownBy(account.events.write(calendarId, body)),
      await thrownBy(account.events.write("cal_unknown", body)),
      await thrownBy(client.almanac.refresh("rt_the-refresh-token")),
    ];
    const text = inspect([errors, client.almanac, account], { depth: 10, showHidden: true });
    expect(text).toContain("ValidationError");
    for (const secret of [
      client.application.clientSecret,
      connection.accessToken,
      connection.refreshToken,
      "rt_the-refresh-token",
      "canary",
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});
