import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const guides = readdirSync("docs/guides").map((name) => `docs/guides/${name}`);
const texts = ["sdk/README.md", "sdk/python/README.md", "server/http/openapi/openapi.json", ...guides];

/** The sentences of the developers' texts that match. */
const matching = (pattern: RegExp) =>
  texts.flatMap((name) =>
    readFileSync(name, "utf8")
      .split(/(?<=[.:|])\s/)
      .filter((sentence) => pattern.test(sentence))
      .map((sentence) => `${name}: ${sentence}`),
  );

describe("the documentation for developers", () => {
  it("sends nobody to the administrator for what a developer's own role does", () => {
    const sent = matching(
      /administrator (?:to|can|finds|retires|creates|registers) [^.]*(secret|redirect URI|replay|retry|look up|finds? the request)/i,
    );
    // Only an administrator registers applications.
    expect(sent.filter((sentence) => !/registers? your application/.test(sentence))).toEqual([]);
  });

  it("has one signature to verify, and the other for compatibility", () => {
    expect(matching(/both signatures|(all|two) signatures/i)).toEqual([]);
    const code = readdirSync("components/docs/webhook-code").map((name) =>
      readFileSync(`components/docs/webhook-code/${name}`, "utf8"),
    );
    for (const text of code) expect(text).not.toMatch(/svc-hmac|client_?secret/i);
    const elsewhere = guides.filter((name) => /Svc-HMAC-SHA256/.test(readFileSync(name, "utf8")));
    for (const name of elsewhere) {
      const isThere = name.endsWith("/compatibility.md");
      expect([name, isThere || readFileSync(name, "utf8").includes("compatibility.md#verify")]).toEqual([name, true]);
    }
  });
});
