import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  ApiError,
  AuthenticationError,
  type EventWrite,
  NotFoundError,
  OAuthError,
  PermissionError,
  ValidationError,
} from "@/sdk/src/index";
import { loggedRequests } from "../../fakes/stored-traffic";
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
