import { beforeAll, describe, expect, it } from "vitest";
import { GET as open } from "@/app/docs/[[...page]]/route";
import { GET as quickstart } from "@/app/docs.md/route";
import { GET as llms, POST } from "@/app/llms.txt/route";
import { GET as llmsFull } from "@/app/llms-full.txt/route";
import { docsPages } from "@/components/docs/pages";
import { env } from "@/server/env";
import { compileDocs } from "@/server/front-door/docs-files.mjs";
import { servedDocument } from "@/server/http/openapi/served";
import { ownDatabase } from "../own-database";

ownDatabase();
beforeAll(() => compileDocs(process.cwd()));

const request = (path: string, headers = {}) => new Request(`http://almanac.test${path}`, { headers });
const pageOf = (path: string) => open(request(path), { params: Promise.resolve({ page: path.split("/").slice(2) }) });
const markdownOf = (path: string) => (path === "/docs" ? quickstart(request("/docs.md")) : pageOf(`${path}.md`));
const pages = () => docsPages(servedDocument());
/** The code of a page's samples: of one in several languages only curl's, if it is among them. */
const codeOf = (markup: string) =>
  markup
    .split(/<div class="(?=(?:code )?sample )/)
    .slice(1)
    .flatMap((sample) => {
      const boxes = [
        ...sample.matchAll(/(?:role="tabpanel" id="\S+-(\w+)"[^>]*>\s*<section[^>]*>)?<pre[^>]*>(.*?)<\/pre>/gs),
      ];
      const curl = boxes.filter(([, language]) => language === "curl");
      return (curl.length > 0 ? curl : boxes).map(([, , code = ""]) => unescaped(code.replace(/<[^>]+>/g, "")));
    })
    .filter(Boolean);
const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
const linksOf = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) => href);

describe("the Markdown of a page", () => {
  it("is there for every page, with its title, and the page leads to it", async () => {
    for (const { path, title } of pages()) {
      const response = await markdownOf(path);
      expect([path, response.status, response.headers.get("content-type")]).toEqual([
        path,
        200,
        "text/markdown; charset=utf-8",
      ]);
      expect((await response.text()).split("\n")[0]).toBe(`# ${title}`);
      const markup = await (await pageOf(path)).text();
      expect(markup).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md"/>`);
      expect(markup).toContain(`data-copy-page="${path}.md"`);
    }
  });

  it("has code that ends, tables whose rows are as wide as their heads, and nothing of the page's own markup", async () => {
    for (const { path } of pages()) {
      const text = await (await markdownOf(path)).text();
      expect([path, text.match(/^```/gm)?.length ?? 0]).toEqual([path, expect.toSatisfy((n: number) => n % 2 === 0)]);
      const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
      expect(prose).not.toMatch(/className|undefined|\[object/);
      for (const table of prose
        .trim()
        .split(/\n{2,}/)
        .filter((part) => part.startsWith("|"))) {
        const widths = table.split("\n").map((line) => line.split(/(?<!\\)\|/).length);
        expect(new Set(widths).size, table).toBe(1);
      }
    }
  });

  it("has every block of code of the page, in one language if that is curl and in all otherwise", async () => {
    let blocks = 0;
    for (const { path } of pages()) {
      const text = await (await markdownOf(path)).text();
      const missing = codeOf(await (await pageOf(path)).text()).filter((code) => !text.includes(code));
      blocks += codeOf(await (await pageOf(path)).text()).length;
      expect([path, missing]).toEqual([path, []]);
    }
    expect(blocks).toBeGreaterThan(150);
  });

  it("leads to the Markdown of other pages, at the address of this service", async () => {
    const { APP_URL } = env();
    const known = new Set(pages().map(({ path }) => `${APP_URL}${path}.md`));
    for (const { path } of pages()) {
      const text = (await (await markdownOf(path)).text()).replace(/^```[\s\S]*?^```$/gm, "");
      const lost = linksOf(text)
        .map((href) => href.replace(/#.*/, ""))
        .filter((href) => href.startsWith(APP_URL) || !href.startsWith("https://"))
        .filter((href) => !known.has(href) && !href.startsWith(`${APP_URL}/openapi`) && href !== "");
      expect([path, lost]).toEqual([path, []]);
    }
  });

  it("is 404 where there is no page", async () => {
    expect((await pageOf("/docs/nothing.md")).status).toBe(404);
    expect((await pageOf("/docs/reference/.md")).status).toBe(404);
  });
});

describe("llms.txt", () => {
  it("names every page's Markdown with what it is about", async () => {
    const response = await llms(request("/llms.txt"));
    const text = await response.text();
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text).toMatch(/^# Almanac\n\n> .+\n\n## /);
    const { APP_URL } = env();
    for (const { path, title } of pages()) expect(text).toContain(`- [${title}](${APP_URL}${path}.md): `);
  });

  it("has all of them in one in llms-full.txt, which is not sent twice", async () => {
    const response = await llmsFull(request("/llms-full.txt"));
    const text = await response.text();
    for (const { title } of pages()) expect(text).toContain(`# ${title}\n`);
    const again = await llmsFull(request("/llms-full.txt", { "if-none-match": response.headers.get("etag") ?? "" }));
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("is only read", async () => {
    const response = await POST(request("/llms.txt"), { params: Promise.resolve({}) });
    expect(response.status).toBe(405);
  });
});
