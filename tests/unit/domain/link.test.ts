import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLink, linkOf, linkSchemes } from "@/server/domain/events/link";
import { parsedUrl } from "@/server/domain/net/parsed-url";

const scripts = ["javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:msgbox(1)"];

describe("a link", () => {
  it.each(linkSchemes)("has a scheme that calendars use, in any case: %s", (scheme) => {
    expect([isLink(`${scheme}:x`), isLink(`${scheme.toUpperCase()}://x`)]).toEqual([true, true]);
  });

  it.each(["acme.io/a:b", "/a", "?a=javascript:x", "#javascript:x", "a b: c", "", "見る", "1:2", "-a:b"])(
    "has no scheme: %j",
    (text) => {
      expect(isLink(text)).toBe(true);
    },
  );

  const others = ["file:///etc/passwd", "blob:https://x/1", "about:blank", "view-source:x", "jar:x", "x-acme:y", "a:b"];
  it.each([...scripts, ...others, "livescript:x", "filesystem:x", "feed:javascript:x", "intent:x"])(
    "has no scheme that could do anything else: %s",
    (text) => {
      expect(isLink(text)).toBe(false);
    },
  );

  /** As `new URL` reads it, which is how a browser follows an href. */
  it.each(scripts)("is not a script, however a browser would still read one: %s", (script) => {
    const colon = script.indexOf(":");
    const controls = Array.from({ length: 33 }, (_, code) => String.fromCharCode(code));
    const invisible = [...controls, "\u00a0", "\u00ad", "\u200b", "\u2028", "\u202e", "\u2060", "\ufeff", "\u{e0041}"];
    const disguised = [
      script.toUpperCase(),
      script.replace(/[aeiou]/g, (letter) => letter.toUpperCase()),
      ...invisible.flatMap((one) => [one + script, `${one} ${one}${script}`]),
      ...["\t", "\n", "\r", "\u0000", "\u200b"].flatMap((one) => [
        script.slice(0, 4) + one + script.slice(4),
        script.slice(0, colon) + one + script.slice(colon),
        [...script].join(one),
        ` ${one}${[...script].join(one)}`,
      ]),
    ];
    for (const text of disguised) expect([isLink(text), linkOf(text)], JSON.stringify(text)).toEqual([false, null]);
  });

  it.each(["acme://1", "file://server/plan.pdf", "x-apple:1", ...scripts.map((script) => `see ${script}`)])(
    "that another client wrote is read, whatever its scheme: %s",
    (text) => {
      expect(linkOf(text)).toBe(text);
    },
  );

  it("is never one that a browser reads with another scheme", () => {
    const parts = [
      "java",
      "script",
      ":",
      "data",
      "\t",
      "\n",
      " ",
      "\u0001",
      "https",
      "//",
      "x",
      "&colon;",
      "%3A",
      "\\",
    ];
    const schemes = linkSchemes.map((scheme) => `${scheme}:`);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 7 }), (pieces) => {
        const text = pieces.join("");
        const read = parsedUrl(text, "https://almanac.test/page")?.protocol ?? "https:";
        expect(!isLink(text) || schemes.includes(read), JSON.stringify(text)).toBe(true);
        expect(linkOf(text) === null || !/^(?:javascript|data):/.test(read), JSON.stringify(text)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });
});
