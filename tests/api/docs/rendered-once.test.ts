import { beforeAll, expect, it } from "vitest";
import { docs } from "@/components/docs/render";
import { provideEnv } from "@/server/env";
import { compileDocs } from "@/server/front-door/docs-files.mjs";
import { type DocsView, docsEndpoint } from "@/server/http/docs/endpoint";
import { fakeClock } from "../../fakes/clock";

const WEEK_MS = 7 * 86_400_000;

beforeAll(() => compileDocs(process.cwd()));

/** The documentation's pages, and the path of each that was rendered, in order. */
function counted() {
  const rendered: string[] = [];
  const render = (view: DocsView) => {
    rendered.push(view.path);
    return docs.render(view);
  };
  const { GET, HEAD } = docsEndpoint({ has: docs.has, render });
  const open = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    (method === "GET" ? GET : HEAD)(new Request(`http://almanac.test${path}`, { headers, method }), {
      params: Promise.resolve({ page: path.split("/").slice(2) }),
    });
  return { rendered, open };
}

it("a page, and its Markdown, are rendered once, whoever asks for them and however", async () => {
  const { rendered, open } = counted();
  const paths = ["/docs", "/docs/webhooks", "/docs/webhooks.md", "/docs/reference/listEvents"];
  for (const path of paths) {
    const etag = (await open(path)).headers.get("etag") ?? "";
    const answers = await Promise.all([
      open(path, { "accept-encoding": "br" }),
      open(path, { "accept-encoding": "gzip" }),
      open(path),
      open(path, {}, "HEAD"),
      open(path, { "if-none-match": etag }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 304]);
  }
  expect(rendered).toEqual(paths);
});

it("wrong paths have one page, which is rendered once", async () => {
  const { rendered, open } = counted();
  const bodies = new Set<string>();
  for (const path of [
    "/docs/nothing",
    "/docs/reference/nothing",
    "/docs/webhooks/more",
    "/docs/nothing.md",
    "/docs/__proto__",
  ]) {
    const answer = await open(path);
    expect([path, answer.status]).toEqual([path, 404]);
    bodies.add(await answer.text());
  }
  expect([rendered.length, bodies.size]).toEqual([1, 1]);
});

it("a page is rendered again when the week changes, for the dates of its examples, and for another configuration", async () => {
  const clock = fakeClock();
  const { rendered, open } = counted();
  const path = "/docs/reference/listEvents";
  const text = async () => (await open(path)).text();
  const before = await text();
  clock.advance(WEEK_MS);
  expect(await text()).not.toBe(before);
  provideEnv({ BASE_URL: "https://other.acme.io" });
  expect(await text()).toContain("https://other.acme.io");
  await text();
  expect(rendered).toEqual([path, path, path]);
});
