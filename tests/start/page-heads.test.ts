import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killAll, type Service, start } from "@/tests/start/service";
import { signedIn } from "@/tests/start/sign-in";

const operator = { email: "ada@almanac.test", password: "correct-horse-battery" };
const DATA_DIR = mkdtempSync(join(tmpdir(), "almanac-heads-"));
const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
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

/** How each of them ends. */
const titles: Record<string, string> = {
  "/dashboard": "Overview · Almanac",
  "/dashboard/deliveries": "Deliveries · Almanac",
  "/dashboard/endpoints": "Endpoints · Almanac",
  "/dashboard/requests": "Requests · Almanac",
  "/dashboard/requests/errors": "Errors by type · Almanac",
  "/dashboard/requests/traffic": "Traffic · Almanac",
  "/dashboard/accounts": "Accounts · Almanac",
  "/dashboard/providers": "Providers · Almanac",
  "/dashboard/applications": "Applications · Almanac",
  "/dashboard/settings/team": "Team · Almanac",
  "/dashboard/settings/audit": "Audit · Almanac",
  "/dashboard/settings/alerts": "Alerts · Almanac",
  "/dashboard/settings/profile": "Profile · Almanac",
  "/dashboard/nothing/here": "Page not found · Almanac",
  "/docs": "Almanac documentation",
  "/docs/quickstart": "Quickstart · Almanac docs",
  "/docs/nope": "Page not found · Almanac docs",
  "/docs/reference": " · Almanac docs",
  "/docs/webhooks": " · Almanac docs",
  "/": "Almanac",
  "/nope": "Page not found · Almanac",
};

describe("a page's title", () => {
  it.each(Object.entries(titles))("is in the head that is sent first: %s", async (path, title) => {
    for (const agent of [chrome, "curl/8.5.0", ""]) {
      const head = await headOf(path, { cookie, accept: "text/html", ...(agent && { "user-agent": agent }) });
      expect([agent, /<title>([^<]+)<\/title>/.exec(head)?.[1]]).toEqual([agent, expect.stringContaining(title)]);
    }
  });

  it("is in the head of the sign-in page", async () => {
    expect(await headOf("/dashboard/sign-in", { accept: "text/html" })).toContain("<title>Sign in · Almanac</title>");
  });
});

describe("the icon", () => {
  it("stands where browsers look for it", async () => {
    const answer = await fetch(`${service.origin}/favicon.ico`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/x-icon"]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([bytes.readUInt16LE(2), bytes.readUInt16LE(4)]).toEqual([1, 3]);
  });
});

/** What comes of a page up to the end of its head, as it is sent to whoever takes no compression. */
async function headOf(path: string, headers: Record<string, string>): Promise<string> {
  const asked = get(service.origin + path, { headers, agent: false });
  const [answer] = await once(asked, "response");
  let text = "";
  for await (const piece of answer) {
    text += piece;
    if (text.includes("</head>")) break;
  }
  asked.destroy();
  const end = text.indexOf("</head>");
  expect(end).toBeGreaterThan(0);
  return text.slice(0, end);
}
