import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { examplesOf } from "@/components/docs/examples";
import { ExamplesPanel } from "@/components/docs/examples-panel";
import { findOperation } from "@/components/docs/operations";
import { docsPages } from "@/components/docs/pages";
import { openApiDocument } from "@/server/http/openapi/document";
import { scenario } from "@/server/http/openapi/examples/scenario";

const document = openApiDocument({
  ...{ baseUrl: "https://api.almanac.test", appUrl: "https://app.almanac.test" },
  ...{ names: "product", offered: ["icloud"], standIn: null, now: Date.parse("2026-11-25T12:00:00Z") },
});

/** A request as each page writes it in Markdown: with curl, or with a client, which prints something. */
const CALLS = /^(?:\w+=\$\()?curl |almanac\.account\(/m;
const BLOCK = /\*\*([^*\n]+)\*\*\n\n(`{3,})[^\n]*\n(.*?)\n\2(?:\n|$)/gs;
const ANSWERED = /^\s*(?:\*\*(?:Response\b[^*]*|Output\b[^*]*)\*\*\n|Response \d{3}, (?:empty body|an HTML page)\.)/;

it("every block of code that calls the API has the expected response under it, on every page", async () => {
  const unanswered: string[] = [];
  let calls = 0;
  for (const { path, markdown } of docsPages(document)) {
    const text = await markdown();
    for (const block of text.matchAll(BLOCK)) {
      const [whole, name = "", , code = ""] = block;
      if (!CALLS.test(code)) continue;
      calls += 1;
      if (!ANSWERED.test(text.slice(block.index + whole.length))) unanswered.push(`${path}: ${name}`);
    }
  }
  expect(unanswered).toEqual([]);
  expect(calls).toBeGreaterThan(60);
});

it("the page of authorize says that its responses are pages, and where an error leads", async () => {
  const page = docsPages(document).find(({ path }) => path === "/docs/reference/authorize");
  const located = findOperation(document, "authorize");
  const statuses = Object.fromEntries(scenario.map(({ name, status }) => [name, status]));
  const examples = located ? examplesOf(located, statuses) : [];
  const panel = renderToStaticMarkup(createElement(ExamplesPanel, { examples, isTried: false }));
  const texts = [(await page?.markdown()) ?? "", panel];
  for (const text of texts) {
    expect(text).toContain("Response 200, an HTML page");
    expect(text).toContain("Response 400, an HTML page");
    expect(text).not.toContain("empty body");
    expect(text).toMatch(
      /HTTP\/1\.1 302 Found\nLocation: https:\/\/app\.acme\.io\/callback\?error=invalid_scope&(?:amp;)?error_description=/,
    );
  }
});
