import { expect, it } from "vitest";
import { readEnv } from "@/server/env";
import { LOCAL_RECEIVERS, localReceivers } from "@/server/front-door/local-receivers";

const allowed = (source: Record<string, string>) => localReceivers(source, readEnv(source));

it.each([
  ["nothing is set", {}],
  ["the URLs are of this machine", { BASE_URL: "http://127.0.0.1:4000", APP_URL: "http://[::1]:4000" }],
  ["another address is listened on, as by default", { HOST: "0.0.0.0", PORT: "8080" }],
])("a start on one's own machine allows receivers on it: %s", (_, source) => {
  expect(allowed(source)?.split(",")).toEqual([...LOCAL_RECEIVERS]);
  expect(readEnv({ CALLBACK_ALLOWED_ORIGINS: allowed(source) }).CALLBACK_ALLOWED_ORIGINS).toEqual([...LOCAL_RECEIVERS]);
});

it.each([
  ["a database is configured", { DATABASE_URL: "postgresql://127.0.0.1/almanac" }],
  ["the API has a URL of others", { BASE_URL: "https://api.acme.io", APP_URL: "http://localhost:3000" }],
  ["the pages have a URL of others", { APP_URL: "https://calendars.acme.io" }],
  [
    "the URL only begins like one of this machine",
    { BASE_URL: "http://localhost.acme.io", APP_URL: "http://127.0.0.1.nip.io" },
  ],
  ["an administrator has set which ones", { CALLBACK_ALLOWED_ORIGINS: "https://hooks.acme.io" }],
  ["an administrator has set that there are none", { CALLBACK_ALLOWED_ORIGINS: "" }],
])("no other start does: %s", (_, source) => {
  expect(allowed(source)).toBeUndefined();
});

it("they are on the loopback of this machine alone, each with its port", () => {
  for (const origin of LOCAL_RECEIVERS) expect(origin).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d{4}$/);
});
