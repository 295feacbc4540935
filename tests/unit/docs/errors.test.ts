import { describe, expect, it } from "vitest";
import { guideNamed } from "@/components/docs/guides/all";
import { authorizeErrors, oauthErrors } from "@/server/domain/oauth-errors";
import { openApiDocument } from "@/server/http/openapi/document";

const document = openApiDocument({
  ...{ baseUrl: "https://api.almanac.test", appUrl: "https://app.almanac.test" },
  ...{ names: "product", offered: ["icloud"], standIn: null, now: Date.parse("2026-11-25T12:00:00Z") },
});
const sections = guideNamed("errors", document).sections;
const textOf = (id: string) =>
  sections.find((section) => section.id === id)?.blocks.filter((block) => typeof block === "string") ?? [];
/** The first cells of the rows of a section's table. */
const listed = (id: string) =>
  textOf(id)
    .flatMap((text) => [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name))
    .filter((name) => name !== "error");

describe("the page of errors", () => {
  it("has each error of the OAuth endpoints, and each that a redirect may have", () => {
    const [, reserved = ""] = /^Reserved by RFC 6749, not returned: (.+)\.$/m.exec(textOf("oauth").join("\n")) ?? [];
    const unreturned = [...reserved.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(unreturned).toEqual(["unauthorized_client", "invalid_scope", "access_denied", "server_error"]);
    expect([...listed("oauth"), ...unreturned].sort()).toEqual([...oauthErrors].sort());
    expect(listed("redirect")).toEqual([...authorizeErrors]);
  });

  it("says that a 403 has a body exactly where an endpoint's has one", () => {
    const withBody = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .filter(({ responses }) => responses["403"]?.content?.["application/json"])
      .flatMap(({ tags }) => tags);
    expect([...new Set(withBody)]).toEqual(["Writing events", "Sandbox"]);
    const [row = ""] = textOf("statuses").flatMap((text) => text.match(/^\| 403 \|.*$/m) ?? []);
    expect(row).toMatch(
      /^\| 403 \| empty; for an event by its uid, and in the sandbox, JSON with `error` and `description` \|/,
    );
  });
});
