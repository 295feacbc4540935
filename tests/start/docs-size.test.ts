import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killAll, type Service, start } from "@/tests/start/service";

/** Of all scripts of a page, as they are sent (ADR 64). */
const MOST_BYTES = 40 * 1024;
const DATA_DIR = mkdtempSync(join(tmpdir(), "almanac-docs-size-"));
let service: Service;

beforeAll(async () => {
  service = await start({ DATA_DIR });
}, 600_000);

afterAll(async () => {
  await service?.stop();
  killAll();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

it("every page of the documentation sends less than 40 KB of compressed scripts", async () => {
  const first = await sent("/docs");
  const paths = [...new Set([...first.text.matchAll(/href="(\/docs[^"#]*)"/g)].map(([, path = ""]) => path))];
  const pages = paths.filter((path) => !/^\/docs\/files\/|\.md$/.test(path));
  expect(pages.length).toBeGreaterThan(20);
  for (const path of pages) {
    const { text } = await sent(path);
    const scripts = [...text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
    const sources = scripts.flatMap(([, attributes = ""]) => /src="([^"]+)"/.exec(attributes)?.[1] ?? []);
    const inline = gzipSync(scripts.map(([, , code]) => code).join("")).length;
    const loaded = await Promise.all(sources.map(async (source) => (await sent(source)).bytes));
    const all = loaded.reduce((sum, bytes) => sum + bytes, inline);
    expect(sources, path).toHaveLength(1);
    expect(all, path).toBeGreaterThan(1_000);
    expect(all, path).toBeLessThan(MOST_BYTES);
  }
});

it("a page is not sent again to a browser that has it", async () => {
  const { headers } = await sent("/docs/webhooks");
  const again = await fetch(`${service.origin}/docs/webhooks`, { headers: { "if-none-match": `${headers.etag}` } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

/** What comes of a path as gzip, and its length. */
async function sent(path: string) {
  const [answer] = await once(
    get(service.origin + path, { headers: { "accept-encoding": "gzip" }, agent: false }),
    "response",
  );
  expect([path, answer.statusCode, answer.headers["content-encoding"]]).toEqual([path, 200, "gzip"]);
  const body = await buffer(answer);
  return { headers: answer.headers, bytes: body.length, text: gunzipSync(body).toString() };
}
