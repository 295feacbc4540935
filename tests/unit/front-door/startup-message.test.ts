import { describe, expect, it } from "vitest";
import { readEnv } from "@/server/env";
import { startupMessage } from "@/server/front-door/startup-message";

const message = (source: Record<string, string>) => startupMessage(readEnv(source), {}, false);

describe.each([
  ["Google", "GOOGLE", "your OAuth client"],
  ["Microsoft", "MICROSOFT", "your app registration"],
])("what a start says of %s", (name, prefix, as) => {
  const credentials = { [`${prefix}_CLIENT_ID`]: "id", [`${prefix}_CLIENT_SECRET`]: "hush" };
  const path = `/oauth/callback/${name.toLowerCase()}`;

  it("is nothing without a client id", () => {
    expect(message({})).not.toContain(name);
  });

  it("is the redirect URI to register, and that changes come late, where the API has no https URL", () => {
    const said = message({ ...credentials, PORT: "4000", SYNC_POLL_SECONDS: "90" });
    expect(said).toContain(`register http://localhost:4000${path} as the redirect URI of ${as}.`);
    expect(said).toContain(`Calendars are checked every 90 s, because ${name} sends notifications over https only.`);
    expect(said).toContain(`set BASE_URL to an https URL that ${name} can reach`);
    expect(said).not.toContain("hush");
  });

  it.each([
    ["the API has an https URL", { BASE_URL: "https://api.acme.io", APP_URL: "https://acme.io" }],
    ["another server stands in for it", { [`${prefix}_BASE_URL`]: "http://127.0.0.1:9999" }],
  ])("is the redirect URI alone where %s", (_, more) => {
    const said = message({ ...credentials, ...more });
    expect(said).toContain(path);
    expect(said).not.toContain("BASE_URL");
  });
});
