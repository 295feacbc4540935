import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type APIRequestContext, type Browser, expect, type Page } from "@playwright/test";
import { encode } from "next-auth/jwt";
import { invitedDeveloper, scriptHeaders } from "./invited-developer";
import { type Staffed, test } from "./staff";

const root = resolve(import.meta.dirname, "../..");
const SIGN_IN = "/dashboard/sign-in";
const PROFILE = "/dashboard/settings/profile";
/** The page of the only application of the developer. */
const THEIRS = "their application";

interface Row {
  /** Where developers, support and admins arrive; left out: where support does, and where they went. */
  developer?: string;
  support?: string;
  admin?: string;
  /** Nothing is there, as whoever is signed in is told, or admins alone. */
  isMissing?: boolean | "for admins";
}

/** Every page of the dashboard. Whoever is signed out arrives at the sign-in page. */
const pages: Record<string, Row> = {
  "/dashboard": { developer: THEIRS },
  "/dashboard/deliveries": {},
  "/dashboard/deliveries/[id]": { support: "/dashboard/deliveries", admin: "/dashboard/deliveries", isMissing: true },
  "/dashboard/endpoints": {},
  "/dashboard/endpoints/[id]": { isMissing: true },
  "/dashboard/requests": {},
  "/dashboard/requests/[id]": { support: "/dashboard/requests", admin: "/dashboard/requests", isMissing: true },
  "/dashboard/events/[uid]": { isMissing: true },
  "/dashboard/requests/errors": {},
  "/dashboard/requests/traffic": {},
  "/dashboard/accounts": {},
  "/dashboard/accounts/[id]": { isMissing: true },
  "/dashboard/accounts/[id]/calendars": { isMissing: true },
  "/dashboard/accounts/[id]/deliveries": { isMissing: true },
  "/dashboard/accounts/[id]/requests": { isMissing: true },
  "/dashboard/accounts/[id]/timeline": { isMissing: true },
  "/dashboard/providers": { developer: THEIRS },
  "/dashboard/maintenance": { developer: THEIRS },
  "/dashboard/views/[id]": { isMissing: true },
  "/dashboard/applications": {},
  "/dashboard/applications/[id]": { isMissing: true },
  "/dashboard/applications/[id]/requests": { isMissing: true },
  "/dashboard/applications/[id]/errors": { isMissing: true },
  "/dashboard/applications/[id]/traffic": { isMissing: true },
  "/dashboard/applications/[id]/endpoints": { isMissing: true },
  "/dashboard/applications/[id]/accounts": { isMissing: true },
  "/dashboard/applications/[id]/organizations": { isMissing: true },
  "/dashboard/applications/[id]/secrets": { isMissing: true },
  "/dashboard/applications/[id]/branding": { isMissing: true },
  "/dashboard/applications/[id]/alerts": { isMissing: true },
  "/dashboard/settings": { support: PROFILE, admin: "/dashboard/settings/team" },
  "/dashboard/settings/team": { support: PROFILE },
  "/dashboard/settings/team/[id]": { support: PROFILE, admin: "/dashboard/settings/team", isMissing: "for admins" },
  "/dashboard/settings/audit": { support: PROFILE },
  "/dashboard/settings/alerts": { support: PROFILE },
  "/dashboard/settings/profile": {},
  "/dashboard/[...unknown]": { isMissing: true },
};

const exports = ["/dashboard/deliveries/export", "/dashboard/requests/export"];

type Role = "developer" | "support" | "admin";
const dev = { email: "dev@almanac.test", name: "Dev", application: "Acme" };
let service: Staffed["service"];
let opened: Record<Role, Page>;
let theirs: string;
let forged: Record<string, Record<string, string>>;
const table = ["page | developer | support | admin | whoever else, each in turn"];

test.beforeAll(async ({ browser, staffed }) => {
  service = staffed.service;
  const admin = await signedIn(browser, staffed.operator);
  const grace = { email: "grace@almanac.test", name: "Grace", role: "support", password: "quiet-otter-lantern-9" };
  await call(admin.request, "operators.create", grace);
  opened = {
    admin,
    support: await signedIn(browser, grace),
    developer: await invitedDeveloper(browser, admin, { service, ...dev }),
  };
  theirs = new URL(opened.developer.url()).pathname;
  expect(theirs).toMatch(/^\/dashboard\/applications\/app_\w+$/);
  const ended = await signedIn(browser, staffed.operator);
  const cookie = await cookieOf(ended);
  await call(ended.request, "session.end", { id: await sessionOf(ended.request) });
  await ended.context().close();
  const name = cookie.split("=")[0] ?? "";
  const sealed = await encode({ token: { sessionId: await sessionOf(admin.request) }, secret: "another secret" });
  forged = {
    nobody: {},
    "nobody, past a middleware": {
      "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware",
    },
    "nobody, as the front door": {
      "x-almanac-path": SIGN_IN,
      "x-almanac-address": "127.0.0.1",
      "x-almanac-operator": "admin",
    },
    "nobody, from this machine": { "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1" },
    "an application with a token": { authorization: `Bearer at_${"a".repeat(43)}` },
    "an admin's session, sealed with another secret": { cookie: `${name}=${sealed}` },
    "a session that has ended": { cookie },
  };
});

test.afterAll(() => {
  mkdirSync(join(root, "tests/e2e/artefacts"), { recursive: true });
  writeFileSync(join(root, "tests/e2e/artefacts/role-matrix.txt"), `${table.join("\n")}\n`);
});

test("every page of the dashboard is in this table", () => {
  const files = readdirSync(join(root, "app/dashboard"), { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => /(^|\/)page\.tsx$|\[id\]\/route\.ts$/.test(file))
    .map((file) => `/dashboard/${relative(".", file)}`.replace(/\/(page\.tsx|route\.ts)$|\/\([^)]*\)/g, ""));
  expect([...new Set(found)].sort()).toEqual(Object.keys(pages).sort());
});

for (const [pattern, { developer, support, admin, isMissing = false }] of Object.entries(pages)) {
  const path = pattern.replace("[id]", "none_1").replace("[...unknown]", "nothing/here");
  const ends = { developer: developer ?? support ?? path, support: support ?? path, admin: admin ?? path };
  test(`${pattern}: developer ${ends.developer}, support ${ends.support}, admin ${ends.admin}, ${isMissing ? `404${isMissing === true ? "" : ` ${isMissing}`}, ` : ""}whoever else ${SIGN_IN}`, async () => {
    for (const role of ["developer", "support", "admin"] as const) {
      const page = opened[role];
      const answer = await page.goto(service.origin + path);
      const isMissingFor = isMissing === true || (isMissing === "for admins" && role === "admin");
      expect(answer?.status()).toBe(isMissingFor ? 404 : 200);
      await expect(page.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
      await expect.poll(() => new URL(page.url()).pathname).toBe(ends[role] === THEIRS ? theirs : ends[role]);
    }
    const answers: Record<string, string> = {};
    for (const [name, headers] of Object.entries(forged)) {
      answers[name] = await landing(path, headers);
    }
    table.push([pattern, ends.developer, ends.support, ends.admin, ...Object.values(answers)].join(" | "));
    expect(new Set(Object.values(answers))).toEqual(new Set([SIGN_IN]));
  });
}

test("an endpoint can be tested, retried, paused and closed by its developers, by support and by admins", async () => {
  for (const page of Object.values(opened)) {
    await page.goto(`${service.origin}/dashboard/endpoints?state=failing&q=acme-scheduling.io`);
    await page.getByRole("table", { name: "Endpoints" }).locator("tbody a").first().click();
    for (const name of ["Send test event", "Retry since…", "Pause…", "Close…"]) {
      await expect(page.getByRole("button", { name })).toBeEnabled();
    }
  }
});

for (const path of exports) {
  test(`${path}: developer 200, support 200, admin 200, whoever else 401, another site 403`, async () => {
    for (const page of Object.values(opened)) {
      const headers = { "sec-fetch-site": "same-origin" };
      expect((await page.request.get(service.origin + path, { headers })).status()).toBe(200);
      const fromElsewhere = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
      expect((await page.request.get(service.origin + path, { headers: fromElsewhere })).status()).toBe(403);
    }
    for (const headers of Object.values(forged)) {
      expect((await fetch(service.origin + path, { headers, redirect: "manual" })).status).toBe(401);
    }
  });
}

test("/dashboard/settings/audit/export: developer 403, support 403, admin 200, whoever else 401, another site 403", async () => {
  const path = `${service.origin}/dashboard/settings/audit/export`;
  for (const [role, page] of Object.entries(opened)) {
    const headers = { "sec-fetch-site": "same-origin" };
    expect((await page.request.get(path, { headers })).status()).toBe(role === "admin" ? 200 : 403);
    const fromElsewhere = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    expect((await page.request.get(path, { headers: fromElsewhere })).status()).toBe(403);
  }
  for (const headers of Object.values(forged)) {
    expect((await fetch(path, { headers, redirect: "manual" })).status).toBe(401);
  }
});

/** Where a request arrives, without a browser: its answer must lead to the sign-in page and show nothing of the dashboard. */
async function landing(path: string, headers: Record<string, string>): Promise<string> {
  const answer = await fetch(service.origin + path, { headers, redirect: "manual" });
  const text = await answer.text();
  expect(text).not.toContain('aria-label="Dashboard"');
  const location = answer.headers.get("location") ?? /content="\d+;url=([^"]+)"/.exec(text)?.[1] ?? "";
  const next = new URL(location.replaceAll("&amp;", "&"), service.origin).pathname;
  // A short address leads to the long one, which leads on.
  return next === SIGN_IN || next === path || location === "" ? next : landing(next, headers);
}

async function signedIn(browser: Browser, { email, password }: Staffed["operator"]): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(service.origin + SIGN_IN);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
  return page;
}

async function call(request: APIRequestContext, procedure: string, data: object): Promise<void> {
  const answer = await request.post(`${service.origin}/api/trpc/${procedure}`, {
    data,
    headers: scriptHeaders(service.origin),
  });
  expect([procedure, answer.status()]).toEqual([procedure, 200]);
}

async function sessionOf(request: APIRequestContext): Promise<string> {
  const answer = await request.get(`${service.origin}/api/trpc/session.me`, { headers: scriptHeaders(service.origin) });
  return (await answer.json()).result.data.sessionId;
}

async function cookieOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  const session = cookies.find(({ name }) => name.endsWith("almanac-session"));
  if (!session) throw new Error("there is no session");
  return `${session.name}=${session.value}`;
}
