import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEnv } from "@/server/env";
import { keepDemo, startupMessage } from "@/server/front-door/startup-message";

const message = (source: Record<string, string>) => startupMessage(readEnv(source), {}, false);

describe("what a start says of the demo application", () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), "almanac-message-"));
  const env = readEnv({ DATA_DIR });
  const demo = { clientId: "demo_1", clientSecret: "hush", redirectUri: "http://localhost:4000/callback" };
  const file = join(DATA_DIR, "demo.env");

  it("is nothing where there is none", () => {
    expect(startupMessage(env, {}, true)).not.toContain("Demo application");
  });

  it("is everything that a first call and a connect link need, which a shell reads too", async () => {
    await keepDemo(env, { demo });
    expect(startupMessage(env, { demo }, true)).toContain(`Demo application (also in ${file}):
  client id      demo_1
  client secret  hush
  redirect URI   http://localhost:4000/callback
`);
    expect(readFileSync(file, "utf8")).toBe(
      "CLIENT_ID=demo_1\nCLIENT_SECRET=hush\nREDIRECT_URI=http://localhost:4000/callback\n",
    );
  });

  it("is where it stands at later starts, without the secret", () => {
    const said = startupMessage(env, {}, true);
    expect(said).toContain(`Demo application: see ${file}\n`);
    expect(said).not.toContain("hush");
    rmSync(DATA_DIR, { recursive: true });
  });
});

it("a start says which callback URLs are accepted", () => {
  expect(message({})).toContain("\n\nWebhooks: callback URLs must be public https URLs.\n");
  const allowed = message({ CALLBACK_ALLOWED_ORIGINS: "http://127.0.0.1:9999,http://10.0.0.7" });
  expect(allowed).toContain(
    "callback URLs must be public https URLs, or on one of these origins: http://127.0.0.1:9999, http://10.0.0.7.\n",
  );
});

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
