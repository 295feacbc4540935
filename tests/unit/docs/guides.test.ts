import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generatedText } from "@/components/docs/generated/all";
import { writtenLists } from "@/components/docs/guide-lists";
import { guideFile, guideNamed, guideNames } from "@/components/docs/guides/all";
import { fileText } from "@/components/docs/guides/files";
import { marksOf, renewed } from "@/components/docs/guides/marks";
import { guideOf } from "@/components/docs/guides/parse";
import { servedText } from "@/components/docs/guides/text";
import { slug } from "@/components/docs/slug";
import { pieces, written } from "@/components/docs/written/parts";
import { providerTraits } from "@/server/domain/providers";
import { openApiDocument } from "@/server/http/openapi/document";
import { clientCode } from "@/tests/fakes/client-code";
import { writtenDocument } from "@/tests/fakes/written-document";

const source = { document: writtenDocument, traits: providerTraits };

/** What is generated, with links as they lead from file to file. */
function asInFile(text: string): string {
  return text
    .replace(/\]\(\/docs\/reference/g, "](http://localhost:3000/docs/reference")
    .replace(/\]\(\/docs\/([\w-]+)(#[^)]+)?\)/g, (_, name, id = "") => `](${name}.md${id})`);
}

describe("the files of docs/guides", () => {
  it.each(guideNames)(
    "%s has what is generated as the code makes it (renew with RENEW=1 npx vitest run --config tests/vitest.config.ts --project unit tests/unit/docs/guides.test.ts)",
    async (name) => {
      const text = fileText(guideFile(name));
      const lists = await writtenLists(writtenDocument, guideNamed(name, writtenDocument));
      const clients = {
        "client typescript": pieces(...(await clientCode("typescript")).map(written)),
        "client python": pieces(...(await clientCode("python")).map(written)),
      };
      const texts: Partial<Record<string, string>> = { ...lists, ...clients };
      const made = (part: string) => asInFile(generatedText(source, part) ?? texts[part] ?? "");
      const now = renewed(marksOf(text), made);
      if (process.env.RENEW === "1") writeFileSync(guideFile(name), now);
      expect(fileText(guideFile(name))).toBe(now);
    },
  );

  it("name a section's id only where a forge would make another", () => {
    for (const name of guideNames) {
      const marked = [...fileText(guideFile(name)).matchAll(/^## (.*?) <a id="([\w-]+)"><\/a>$/gm)];
      expect(marked.filter(([, title = "", id]) => slug(title) === id)).toEqual([]);
    }
  });
});

describe("a guide", () => {
  const text = (file: string, document = writtenDocument) => servedText(file, { document, traits: providerTraits });
  const off = openApiDocument({
    ...{ baseUrl: "https://api.almanac.test", appUrl: "https://app.almanac.test", names: "product", offered: [] },
    ...{ standIn: null, now: Date.now(), isSandboxOff: true },
  });

  it("says what its service is configured to do", () => {
    const file =
      "A<!-- if the sandbox is on --> on<!-- else --> off<!-- if the sandbox is off -->, still<!-- end --><!-- end -->.";
    expect(text(file)).toBe("A on.");
    expect(text(file, off)).toBe("A off, still.");
  });

  it("has the figures of the code, the addresses of its service, and links to pages", () => {
    expect(text("{{limits.guests}} guests")).toBe("100 guests");
    expect(text("http://localhost:3000/v1 http://localhost:3000/oauth/authorize?x http://localhost:9999", off)).toBe(
      "https://api.almanac.test/v1 https://app.almanac.test/oauth/authorize?x https://your-tunnel.acme.io",
    );
    const links =
      "[a](webhooks.md#verify) [b](../install.md) [c](http://localhost:3000/openapi.json) [d](../../README.md)";
    expect(text(links, off)).toBe("[a](/docs/webhooks#verify) [b](/docs/install) [c](/openapi.json) d");
  });

  it.each([
    ["{{limits.nothing}}", /nothing called limits.nothing/],
    ["<!-- generated: nothing --><!-- end -->", /nothing called nothing/],
    ["<!-- if it rains -->x<!-- end -->", /no condition “it rains”/],
    ["<!-- if the sandbox is on -->x", /has no end/],
    ["x<!-- end -->", /nothing is open/],
  ])("is refused with a mark that means nothing: %s", (file, message) => {
    expect(() => text(file)).toThrow(message);
  });

  it("is made of sections, code in several languages, and what comes back", () => {
    const file = [
      ...["# Title", "Lead.", "## First part", "Some", "words.", "", "- a", "- b"],
      ...[
        "",
        "**Ask**",
        "```sh",
        "curl",
        "```",
        "```python",
        "print()",
        "```",
        "**Response 200**",
        "```json",
        "{}",
        "```",
      ],
      ...['## Other <a id="second"></a>', "```toml", "a = 1", "```"],
    ].join("\n");
    expect(guideOf(file, { path: "/docs/x" })).toEqual({
      ...{ name: "Title", path: "/docs/x", title: "Title", lead: "Lead." },
      sections: [
        {
          ...{ id: "first-part", title: "First part" },
          blocks: [
            "Some words.",
            "- a\n- b",
            {
              step: "Ask",
              codes: { curl: "curl", python: "print()" },
              response: { name: "Response 200", language: "json", text: "{}" },
            },
          ],
        },
        {
          id: "second",
          title: "Other",
          blocks: [{ name: "Text", language: "text", text: "a = 1", label: "Text: Other, 1" }],
        },
      ],
    });
  });
});
