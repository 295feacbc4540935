import { describe, expect, it } from "vitest";
import { readEnv } from "@/server/env";
import { startupMessage } from "@/server/front-door/startup-message";

const credentials = { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "hush" };
const message = (source: Record<string, string>) => startupMessage(readEnv(source), {}, false);

describe("what a start says of Google", () => {
  it("is nothing without a client id", () => {
    expect(message({})).not.toContain("Google");
  });

  it("is the redirect URI to register, and that changes come late, where the API has no https URL", () => {
    const said = message({ ...credentials, PORT: "4000", SYNC_POLL_SECONDS: "90" });
    expect(said).toContain("register http://localhost:4000/oauth/callback/google as the redirect URI");
    expect(said).toContain("Calendars are checked every 90 s, because Google sends notifications over https only.");
    expect(said).toContain("set BASE_URL to an https URL that Google can reach");
    expect(said).not.toContain("hush");
  });

  it.each([
    ["the API has an https URL", { BASE_URL: "https://api.acme.io", APP_URL: "https://acme.io" }],
    ["another server stands in for Google", { GOOGLE_BASE_URL: "http://127.0.0.1:9999" }],
  ])("is the redirect URI alone where %s", (_, more) => {
    const said = message({ ...credentials, ...more });
    expect(said).toContain("/oauth/callback/google");
    expect(said).not.toContain("BASE_URL");
  });
});
