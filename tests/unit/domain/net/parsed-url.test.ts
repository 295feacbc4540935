import { describe, expect, it } from "vitest";
import { checkCallbackUrl } from "@/server/domain/channels/callback-url";
import { parsedUrl } from "@/server/domain/net/parsed-url";

/** More often than it takes the engine to replace a function by its optimised form, which is where Node 20 changes its mind. */
const OFTEN = 20_000;

describe("a parsed URL", () => {
  it("is null where the text is none", () => {
    for (const text of ["", "nothing", "https://", "https://a b/", "https://Ã¨.acme.io/", "https://[::1/"]) {
      expect(parsedUrl(text)).toBeNull();
    }
    expect(parsedUrl("/cb", "nothing")).toBeNull();
    expect(parsedUrl("../b?c", "https://acme.io/x/y")?.href).toBe("https://acme.io/b?c");
  });

  it("is the same however often it was asked for", () => {
    const hosts = new Set<string | undefined>();
    const refused = new Set<unknown>();
    for (let i = 0; i < OFTEN; i += 1) {
      hosts.add(parsedUrl("https://bücher.acme.io/cb")?.host);
      refused.add(parsedUrl("https://Ã¨.acme.io/"));
    }
    expect([...hosts]).toEqual(["xn--bcher-kva.acme.io"]);
    expect([...refused]).toEqual([null]);
  });

  it("lets a callback URL be judged the same way however often it is", () => {
    const verdicts = new Set<string | null>();
    const refused = new Set<string | null>();
    for (let i = 0; i < OFTEN; i += 1) {
      verdicts.add(checkCallbackUrl("https://bücher.acme.io/cb", []));
      refused.add(checkCallbackUrl("https://Ã¨.acme.io/", []));
    }
    expect([...verdicts]).toEqual([null]);
    expect([...refused]).toEqual(["errors.invalid_callback_url"]);
  });
});
