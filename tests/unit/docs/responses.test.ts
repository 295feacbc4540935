import { expect, it } from "vitest";
import { docsPages } from "@/components/docs/pages";
import { openApiDocument } from "@/server/http/openapi/document";

const document = openApiDocument({
  ...{ baseUrl: "https://api.almanac.test", appUrl: "https://app.almanac.test" },
  ...{ names: "product", offered: ["icloud"], standIn: null, now: Date.parse("2026-11-25T12:00:00Z") },
});

/** A request as each page writes it in Markdown: with curl, or with a client, which prints something. */
const CALLS = /^(?:\w+=\$\()?curl |almanac\.account\(/m;
const BLOCK = /\*\*([^*\n]+)\*\*\n\n(`{3,})[^\n]*\n(.*?)\n\2(?:\n|$)/gs;
const ANSWERED = /^\s*(?:\*\*(?:Response\b[^*]*|Output\b[^*]*)\*\*\n|Response \d{3}, empty body\.)/;

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
