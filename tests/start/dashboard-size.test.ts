import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killAll, type Service, start } from "@/tests/start/service";
import { signedIn } from "@/tests/start/sign-in";

/** Of all scripts of a page, as browsers get them. */
const MOST_BYTES = 180 * 1024;
const operator = { email: "ada@almanac.test", password: "correct-horse-battery" };
const DATA_DIR = mkdtempSync(join(tmpdir(), "almanac-dashboard-size-"));
let service: Service;
let cookie: string;

beforeAll(async () => {
  service = await start({ DATA_DIR, ADMIN_EMAIL: operator.email, ADMIN_PASSWORD: operator.password });
  cookie = await signedIn(service.origin, operator);
}, 600_000);

afterAll(async () => {
  await service?.stop();
  killAll();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

const pages = [
  "",
  "/deliveries",
  "/endpoints",
  "/requests",
  "/requests/traffic",
  "/accounts",
  "/applications",
  "/settings/team",
];

it.each(pages)("/dashboard%s loads less than 180 KB of compressed scripts", async (page) => {
  const html = (await sent(`/dashboard${page}`)).toString();
  // Those in its markup, and those that its components name. Others are loaded when something opens.
  const named = html.matchAll(/static\/chunks\/[\w.~-]+\.js/g);
  const scripts = [...new Set([...named].map(([path]) => path))].filter((path) => !isForOldBrowsers(html, path));
  const sizes = await Promise.all(scripts.map(async (path) => (await sent(`/_next/${path}`)).length));
  expect(scripts.length).toBeGreaterThan(5);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
});

const isForOldBrowsers = (html: string, path: string) =>
  new RegExp(`<script[^>]*${path}[^>]* noModule`, "i").test(html);

/** What is sent for a path: the page as it is, and a script compressed. */
async function sent(path: string): Promise<Buffer> {
  const isScript = path.endsWith(".js");
  const headers = { cookie, accept: isScript ? "*/*" : "text/html", ...(isScript && { "accept-encoding": "br" }) };
  const [answer] = await once(get(service.origin + path, { headers, agent: false }), "response");
  const body = await buffer(answer);
  // What is small is sent as it is.
  const encoding = isScript && body.length >= 1_024 ? "br" : answer.headers["content-encoding"];
  expect([path, answer.statusCode, answer.headers["content-encoding"]]).toEqual([path, 200, encoding]);
  return body;
}
