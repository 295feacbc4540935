import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Application } from "../../fakes/microsoft/applications";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { clientWith, failure } from "./microsoft-client";
import {
  type AssertionInput,
  asked,
  clientOf,
  organization,
  thumbprint,
  withAssertion,
} from "./microsoft-organizations";

let microsoft: MicrosoftFake;
let application: Application;

beforeEach(async () => {
  ({ microsoft, application } = await organization());
});
afterEach(() => microsoft.close());

const ask = (more?: Record<string, string | undefined>, at?: string) => asked(microsoft, application, more, at);
const assert = async (input?: AssertionInput) => await ask(await withAssertion(microsoft, application, input));
const refusal = (number: number, error: string, status: number) => ({
  status,
  body: { error, error_codes: [number], error_description: expect.stringMatching(`^AADSTS${number}: `) },
});
const now = () => Math.floor(Date.now() / 1000);

describe("a client secret", () => {
  it("gets an access token, and no refresh token", async () => {
    expect(await ask()).toEqual({
      status: 200,
      body: {
        token_type: "Bearer",
        expires_in: 3599,
        ext_expires_in: 3599,
        access_token: expect.stringMatching(/^eyJ0eXAi/),
      },
    });
  });

  it("may come in a header", async () => {
    const { clientId, clientSecret, tenant } = application;
    const basic = Buffer.from(`${clientId}:${encodeURIComponent(clientSecret)}`).toString("base64");
    const response = await fetch(`${microsoft.origin}/${tenant}/oauth2/v2.0/token`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "https://graph.microsoft.com/.default" }),
    });
    expect(response.status).toBe(200);
  });

  it("is refused if it is wrong, expired or missing", async () => {
    expect(await ask({ client_secret: "wrong" })).toMatchObject(refusal(7000215, "invalid_client", 401));
    expect(await ask({ client_secret: undefined })).toMatchObject(refusal(7000218, "invalid_client", 401));
    application.expireSecret();
    expect(await ask()).toMatchObject(refusal(7000222, "invalid_client", 401));
    expect((await assert()).status).toBe(200);
  });
});

describe("a request for a token", () => {
  it("is refused in a tenant that does not exist, or without the application", async () => {
    const nowhere = "00000000-1111-4222-8333-444444444444";
    expect(await ask({}, nowhere)).toMatchObject(refusal(90002, "invalid_request", 400));
    const { tid } = microsoft.account("zoe@other.test");
    expect(await ask({}, tid)).toMatchObject(refusal(700016, "unauthorized_client", 400));
    expect(await ask({ client_id: nowhere })).toMatchObject(refusal(700016, "unauthorized_client", 400));
    application.remove();
    expect(await ask()).toMatchObject(refusal(700016, "unauthorized_client", 400));
  });

  it.each(["https://graph.microsoft.com/Calendars.ReadWrite", "User.Read.All", "openid", ""])(
    "is refused for the scope '%s'",
    async (scope) => {
      expect(await ask({ scope })).toMatchObject(refusal(1002012, "invalid_scope", 400));
    },
  );

  it("is refused without a scope", async () => {
    expect(await ask({ scope: undefined })).toMatchObject(refusal(900144, "invalid_request", 400));
  });
});

describe("an assertion by certificate", () => {
  it("is accepted with PS256 and the SHA-256 thumbprint, and with RS256 and the SHA-1 thumbprint", async () => {
    expect((await assert()).status).toBe(200);
    const x5t = thumbprint(application.certificate.certificate, "sha1");
    expect((await assert({ alg: "RS256", header: { x5t } })).status).toBe(200);
  });

  it("may name Microsoft's own address as its audience", async () => {
    const aud = `https://login.microsoftonline.com/${application.tenant}/oauth2/v2.0/token`;
    expect((await assert({ claims: { aud } })).status).toBe(200);
  });

  const other = () =>
    generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  it.each<[string, number, () => AssertionInput]>([
    ["is signed by another key", 700027, () => ({ privateKey: other() })],
    ["names another certificate", 700027, () => ({ header: { x5t: "abc" } })],
    ["names no certificate", 700027, () => ({ header: {} })],
    ["is of another application", 700021, () => ({ claims: { sub: "another" } })],
    ["is for another tenant", 700023, () => ({ claims: { aud: `${microsoft.origin}/common/oauth2/v2.0/token` } })],
    ["is expired", 700024, () => ({ claims: { nbf: now() - 900, exp: now() - 600 } })],
    ["is of the future", 700024, () => ({ claims: { nbf: now() + 600, exp: now() + 900 } })],
    ["has no end", 700024, () => ({ claims: { exp: undefined } })],
  ])("is refused if it %s: AADSTS%s", async (_, number, input) => {
    expect(await assert(input())).toMatchObject(refusal(number, "invalid_client", 401));
  });

  it("is refused if it is no JWT", async () => {
    const parameters = { ...(await withAssertion(microsoft, application)), client_assertion: "nonsense" };
    expect(await ask(parameters)).toMatchObject(refusal(700021, "invalid_client", 401));
  });
});

describe("a token of an application", () => {
  it("has the roles of when it was issued, and expires", async () => {
    const api = await clientOf(microsoft, application);
    application.roles.delete("Calendars.ReadWrite");
    expect((await api.api("/users/ada@example.com/calendars").get()).value).toHaveLength(1);
    const later = await clientOf(microsoft, application);
    expect(await failure(later.api("/users/ada@example.com/calendars").get())).toEqual({
      status: 403,
      code: "ErrorAccessDenied",
    });
    microsoft.advance(3600 * 1000);
    expect(await failure(api.api("/users/ada@example.com/calendars").get())).toEqual({
      status: 401,
      code: "InvalidAuthenticationToken",
    });
  });

  it("is nobody's at the userinfo endpoint", async () => {
    const { body } = await ask();
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await fetch(`${microsoft.origin}/oidc/userinfo`, { headers })).status).toBe(401);
    const api = clientWith(microsoft, String(body.access_token));
    expect((await api.api("/users/ada@example.com").get()).displayName).toBe("Ada Lovelace");
  });
});
