import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { TryCall } from "@/components/docs/examples";
import { type DocsPage, docsPages } from "@/components/docs/pages";
import { servedDocument } from "@/server/http/openapi/served";
import { ownDatabase } from "../own-database";
import { call, newProcessServices } from "../service";

ownDatabase();

interface Visit {
  token: string;
  calendar: string;
  sub: string;
}

/** As components/docs/client/try-it.ts sends it. */
async function tried({ before, method, path, body }: TryCall, visit: Visit): Promise<number> {
  if (before) expect(await tried(before.call, visit)).toBe(202);
  const here = (text: string) => text.replaceAll("{calendar_id}", visit.calendar).replaceAll("{sub}", visit.sub);
  const { status } = await call(method, here(path), {
    headers: { authorization: `Bearer ${visit.token}` },
    ...(body !== null && { json: JSON.parse(here(body)) }),
  });
  return status;
}

/** Somebody who has tried nothing yet. */
async function visitor(): Promise<Visit> {
  await newProcessServices();
  const { status, json } = await call("POST", "/api/docs/visit", { headers: { "sec-fetch-site": "same-origin" } });
  expect(status).toBe(200);
  return { token: json.access_token, calendar: json.calendar_id, sub: json.sub };
}

/** The examples of a page that have a button, with the status that stands beside them. */
async function trialsOf({ content }: DocsPage) {
  const markup = renderToStaticMarkup(await content());
  return [...markup.matchAll(/<summary[^>]*>(.*?)<\/summary>(.*?)<\/details>/gs)].flatMap(
    ([, head = "", inner = ""]) => {
      const [, found] = /data-try="([^"]*)"/.exec(inner) ?? [];
      const words = head.replace(/<[^>]+>/g, " ").trim();
      if (found === undefined) return [];
      const trial = JSON.parse(found.replaceAll("&quot;", '"').replaceAll("&#x27;", "'").replaceAll("&amp;", "&"));
      return { words, status: Number(/\b\d{3}\b/.exec(words.slice(-40))?.[0]), call: trial as TryCall, inner };
    },
  );
}

describe("“Try it”", () => {
  it("gives a visitor who has tried nothing else what is documented", async () => {
    const wrong: unknown[] = [];
    let count = 0;
    for (const page of docsPages(servedDocument())) {
      for (const [nth, { words, status, call: trial }] of (await trialsOf(page)).entries()) {
        count += 1;
        const got = await tried(trial, await visitor());
        if (got !== status) wrong.push([page.path, nth, words, got]);
      }
    }
    expect(count).toBeGreaterThan(15);
    expect(wrong).toEqual([]);
  });
});
