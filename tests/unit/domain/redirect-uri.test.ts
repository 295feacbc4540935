import { describe, expect, it } from "vitest";
import { isRedirectUri } from "@/server/domain/redirect-uri";

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
