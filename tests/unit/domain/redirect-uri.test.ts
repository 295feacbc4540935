import { describe, expect, it } from "vitest";
import { isAtOtherPort, isRedirectUri } from "@/server/domain/redirect-uri";

describe("a redirect URI that may be registered", () => {
  it.each([
    "https://app.acme.io/callback",
    "https://app.acme.io",
    "https://app.acme.io:8443/a?b=c&d=/e@f",
    "http://localhost:4000/callback",
    "http://127.0.0.1/",
    "http://[::1]:4000/",
  ])("%s", (uri) => {
    expect(isRedirectUri(uri)).toBe(true);
  });

  it.each([
    "http://app.acme.io/callback",
    "https://app.acme.io/#part",
    "https://app.acme.io/#",
    "https://user@app.acme.io/",
    "https://@app.acme.io/",
    "https://user:secret@app.acme.io/",
    "https:///app.acme.io/",
    "https:app.acme.io",
    " https://app.acme.io/",
    "https://app.acme.io/a b",
    "https://app.acme.io\\@evil.io/",
    "https://app.acme.io/\n",
    "http://localhost.evil.io/",
    "javascript:alert(1)",
    "app://callback",
    "",
  ])("is not %j", (uri) => {
    expect(isRedirectUri(uri)).toBe(false);
  });
});

describe("the same URI at another port of the user's machine", () => {
  it.each([
    ["http://127.0.0.1:51234/cb", "http://127.0.0.1/cb"],
    ["http://localhost/cb?a=b", "http://localhost:8080/cb?a=b"],
    ["http://[::1]:65535", "http://[::1]:1"],
  ])("%s for %s", (uri, registered) => {
    expect(isAtOtherPort(uri, registered)).toBe(true);
  });

  it.each([
    ["http://localhost:1/cb", "http://127.0.0.1:1/cb"],
    ["http://127.0.0.1:1/cb/", "http://127.0.0.1:1/cb"],
    ["http://127.0.0.1:1/cb?a", "http://127.0.0.1:1/cb"],
    ["http://127.0.0.1:0/cb", "http://127.0.0.1/cb"],
    ["http://127.0.0.1:65536/cb", "http://127.0.0.1/cb"],
    ["http://127.0.0.1:1@evil.io/cb", "http://127.0.0.1/cb"],
    ["http://127.0.0.1.evil.io/cb", "http://127.0.0.1/cb"],
    ["https://127.0.0.1:1/cb", "https://127.0.0.1/cb"],
    ["https://app.acme.io:1/cb", "https://app.acme.io/cb"],
  ])("is not %s for %s", (uri, registered) => {
    expect(isAtOtherPort(uri, registered)).toBe(false);
  });
});
