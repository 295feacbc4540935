import { describe, expect, it } from "vitest";
import { KNOWN_SCOPES } from "@/server/domain/grants";
import { provideEnv } from "@/server/env";
import { authorize } from "./connect-page";
import { call, newApplication } from "./service";

const PATH = "/.well-known/oauth-authorization-server";

describe("the OAuth metadata", () => {
  it("names every address and what is supported (RFC 8414)", async () => {
    provideEnv({ APP_URL: "https://calendars.acme.io", BASE_URL: "https://api.acme.io" });
    const response = await call("GET", PATH);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("svc-request-id")).toMatch(/^req_/);
    expect(response.json).toEqual({
      issuer: "https://calendars.acme.io",
      authorization_endpoint: "https://calendars.acme.io/oauth/authorize",
      token_endpoint: "https://api.acme.io/oauth/token",
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
      revocation_endpoint: "https://api.acme.io/oauth/token/revoke",
      revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
      userinfo_endpoint: "https://api.acme.io/v1/userinfo",
      scopes_supported: KNOWN_SCOPES,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      ui_locales_supported: ["en", "de", "fr", "es", "ja"],
      service_documentation: "https://calendars.acme.io/docs",
    });
  });

  it("names the registration endpoint only where clients may register themselves", async () => {
    provideEnv({ BASE_URL: "https://api.acme.io", CLIENT_REGISTRATION: "on" });
    expect((await call("GET", PATH)).json.registration_endpoint).toBe("https://api.acme.io/oauth/register");
    provideEnv({ CLIENT_REGISTRATION: "off" });
    expect((await call("GET", PATH)).json).not.toHaveProperty("registration_endpoint");
  });

  it("says the truth: every endpoint exists, and every scope and language is accepted", async () => {
    const { json } = await call("GET", PATH);
    for (const name of ["token_endpoint", "revocation_endpoint"]) {
      const refused = await call("POST", new URL(json[name]).pathname, { form: {} });
      expect(refused.json).toMatchObject({ error: "invalid_request" });
    }
    expect((await call("GET", new URL(json.userinfo_endpoint).pathname)).status).toBe(401);
    const application = await newApplication();
    for (const scope of json.scopes_supported) expect((await authorize(application, { scope })).status).toBe(200);
    for (const locale of json.ui_locales_supported) {
      expect((await authorize(application, { locale })).text).toContain(`<html lang="${locale}">`);
    }
  });

  it("has nothing but GET and HEAD", async () => {
    expect(await call("HEAD", PATH)).toMatchObject({ status: 200, text: "" });
    const posted = await call("POST", PATH, { json: {} });
    expect(posted.status).toBe(405);
    expect(posted.headers.get("allow")).toBe("GET, HEAD");
  });
});
