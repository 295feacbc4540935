import { spawnSync } from "node:child_process";
import { expect, type Page, test } from "@playwright/test";
import { everyLook, expectSound, expectSoundIn, look, looks } from "./sound";
import { watch } from "./staff";

const guides = [
  ...[
    "/docs",
    "/docs/quickstart",
    "/docs/webhooks",
    "/docs/sandbox",
    "/docs/errors",
    "/docs/limits",
    "/docs/providers",
    "/docs/client-libraries",
    "/docs/compatibility",
    "/docs/install",
    "/docs/alerts",
    "/docs/configuration",
    "/docs/changelog",
  ],
  "/docs/reference",
];
const looked = [...guides, "/docs/reference/writeEvent", "/docs/reference/notification", "/docs/reference/createToken"];

test("the documentation fits its window, breaks no policy, asks no other host, and axe finds nothing", async ({
  page,
}, info) => {
  test.slow(); // axe looks at many pages
  const seen = watch(page);
  for (const path of looked) {
    await visit(page, path);
    await look(page, info, path.slice(1).replaceAll("/", "-"), path === "/docs" ? everyLook : looks);
  }
  expect(seen).toEqual({ complaints: [], outside: [] });
});

test("every page opens with a title, is marked where the navigation leads to it, and every link leads to a page and a place in it", async ({
  page,
}) => {
  test.slow();
  const links = new Set<string>();
  const ids = new Map<string, Set<string>>();
  await page.goto("/docs");
  const menu = page.getByRole("navigation", { name: "Documentation" }).getByRole("link");
  const listed = await menu.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(listed.length).toBeGreaterThan(20);
  const open = [...listed];
  for (const path of open) {
    const isText = path.endsWith(".md");
    expect((await (isText ? page.request.get(path) : page.goto(path)))?.status(), path).toBe(200);
    if (isText) continue;
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    if (listed.includes(path)) {
      await expect(page.locator('nav [aria-current="page"]')).toHaveAttribute("href", path);
    }
    const [hrefs, own] = await page.evaluate(() => [
      [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/"], a[href^="#"]')].map(({ href }) => href),
      [...document.querySelectorAll("[id]")].map(({ id }) => id),
    ]);
    ids.set(path, new Set(own));
    for (const href of hrefs ?? []) {
      const { pathname, hash } = new URL(href);
      links.add(pathname + hash);
      if (/^\/docs(\/|$)/.test(pathname) && !open.includes(pathname)) open.push(pathname);
    }
  }
  const lost = [...links].filter((link) => {
    const [path = "", id] = link.split("#");
    return id && ids.has(path) && !ids.get(path)?.has(decodeURIComponent(id));
  });
  expect(lost).toEqual([]);
});

test("search is reached by /, finds by field and key, and leads there by keyboard, with nothing from outside", async ({
  page,
}) => {
  const seen = watch(page);
  await visit(page, "/docs");
  await page.keyboard.press("/");
  await expect(search(page)).toBeFocused();
  await page.keyboard.type("too_many_channels");
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/errors#errors\.too_many_channels$/);
  await expect(page.getByRole("heading", { name: "errors.too_many_channels" })).toBeInViewport();
  await page.keyboard.press("/");
  await page.keyboard.type("zeppelin");
  await expect(page.getByText("No results for “zeppelin”")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(search(page)).toHaveValue("");
  expect(seen).toEqual({ complaints: [], outside: [] });
});

test("search knows other words for a thing, and shows the line where it stands", async ({ page }) => {
  await visit(page, "/docs");
  await search(page).fill("pagination");
  const first = page.getByRole("option").first();
  await expect(first).toContainText("pages.next_page");
  await expect(first.locator("mark").filter({ hasText: "next_page" })).toHaveCount(1);
  await expectSoundIn(page);
});

test("an example is sent from the page, to a calendar of the visitor's own", async ({ page }) => {
  const seen = watch(page);
  await visit(page, "/docs/reference/writeEvent");
  const written = "A meeting with guests and a location";
  const noted = page.getByRole("region", { name: `Your response: ${written}` });
  await page.getByRole("button", { name: `Try it: ${written}` }).click();
  await expect(noted).toContainText("(empty body)");
  const whole = "An all-day event, shown as free";
  await page.getByText(whole).click();
  await page.getByRole("button", { name: `Try it: ${whole}` }).click();
  await expect(page.getByRole("region", { name: `Your response: ${whole}` })).toContainText("(empty body)");
  await expect(page.getByText("Your response 202").last()).toBeVisible();
  const wrong = "The calendar has no meeting links and sends no invitations";
  await page.getByText(wrong).click();
  await page.getByRole("button", { name: `Try it: ${wrong}` }).click();
  await expect(page.getByRole("region", { name: `Your response: ${wrong}` })).toContainText(
    "errors.conferencing_unavailable",
  );
  await expectSound(page);
  await visit(page, "/docs/reference/listEvents");
  const month = "30 days of your own events";
  await page.getByRole("button", { name: `Try it: ${month}` }).click();
  await expect(page.getByRole("region", { name: `Your response: ${month}` })).toContainText('"event_id": "offsite"');
  await visit(page, "/docs/reference/openChannel");
  await expect(page.getByRole("button", { name: /^Try it/ })).toHaveCount(0);
  await page.evaluate(() => sessionStorage.clear());
  await visit(page, "/docs/reference/changeOccurrence");
  await expect(page.getByText("This example needs an event.").first()).toBeVisible();
  await page.getByRole("button", { name: "Try it: Move one occurrence to another time and location" }).click();
  await expect(page.getByText("Your response 202").first()).toBeVisible();
  expect(seen.outside).toEqual([]);
});

test("the theme is switched, kept, and there before the page is painted", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await visit(page, "/docs");
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole("button", { name: "Theme: system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await expect(page.getByRole("button", { name: "Theme: dark" })).toBeVisible();
  const dark = await paper();
  expect(dark).not.toBe(light);
  await expectSound(page);
  // The page's script has not come yet, and never will.
  await page.route("**/docs/files/*.js", (route) => route.abort());
  await page.goto("/docs/webhooks");
  expect(await paper()).toBe(dark);
  await page.unroute("**/docs/files/*.js");
  await visit(page, "/docs");
  await page.getByRole("button", { name: "Theme: dark" }).click();
  expect(await paper()).toBe(light);
});

test("pages lead to the next and the previous one, and the menu stays where it was", async ({ page }) => {
  await visit(page, "/docs");
  const turn = page.getByRole("navigation", { name: "Previous and next page" });
  await expect(turn.getByRole("link")).toHaveCount(1);
  await turn.getByRole("link", { name: "Quickstart" }).click();
  await expect(page).toHaveURL(/\/docs\/quickstart$/);
  await turn.getByRole("link", { name: "Almanac documentation" }).click();
  await expect(page).toHaveURL(/\/docs$/);
  const menu = page.getByRole("navigation", { name: "Documentation" });
  await menu.getByRole("link", { name: "List channels" }).scrollIntoViewIfNeeded();
  const scrolled = await menu.evaluate((box) => box.scrollTop);
  expect(scrolled).toBeGreaterThan(100);
  await menu.getByRole("link", { name: "List channels" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "List channels" })).toBeVisible();
  expect(await menu.evaluate((box) => box.scrollTop)).toBe(scrolled);
});

test("code is copied as it stands, in the language that was chosen", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit(page, "/docs/webhooks#verify");
  const verify = languagesOf(page, "Verify a webhook");
  await verify.getByRole("tab", { name: "Node" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(verify.getByRole("tab", { name: "Python" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: "Copy Verify a webhook" }).click();
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("hmac.compare_digest");
  expect(copied).toBe(await page.getByRole("region", { name: "Verify a webhook, Python" }).textContent());
});

test("the language of code is remembered, on every page and in every window", async ({ page, context }) => {
  await visit(page, "/docs/reference/openChannel");
  const title = "Request: All changes";
  const shown = (where: Page, language: string) => where.getByRole("region", { name: `${title}, ${language}` });
  await expect(shown(page, "curl")).toBeVisible();
  await languagesOf(page, title).getByRole("tab", { name: "Ruby" }).click();
  await expect(shown(page, "Ruby")).toContainText("Net::HTTP::Post");
  await expect(shown(page, "curl")).toBeHidden();
  await visit(page, "/docs/webhooks");
  await expect(page.getByRole("region", { name: "Verify a webhook, Ruby" })).toBeVisible();
  // Where there is no code in a language, the first is shown.
  await languagesOf(page, "Verify a webhook").getByRole("tab", { name: "Go" }).click();
  const other = await context.newPage();
  await visit(other, "/docs/reference/openChannel");
  await expect(shown(other, "curl")).toBeVisible();
  await languagesOf(other, title).getByRole("tab", { name: "PHP" }).click();
  await expect(page.getByRole("region", { name: "Verify a webhook, PHP" })).toBeVisible();
  await expect(languagesOf(page, "Verify a webhook").getByRole("tab", { name: "PHP" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
});

test.describe("where no script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("everything can be read, and nothing is shown that would do nothing", async ({ page }) => {
    await page.goto("/docs/reference/openChannel");
    await expect(page.getByRole("region", { name: "Request: All changes, curl" })).toBeVisible();
    for (const role of ["tablist", "combobox", "button"] as const) {
      for (const each of await page.getByRole(role).all()) await expect(each).toBeHidden();
    }
    const menu = page.getByRole("navigation", { name: "Documentation" });
    await menu.getByRole("link", { name: "List channels" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "List channels" })).toBeVisible();
  });
});

test("a page is copied as Markdown, and can be read as that", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await visit(page, "/docs/limits");
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^# Limits\n/);
  const response = await page.request.get((await page.getByText("View as Markdown").getAttribute("href")) ?? "");
  expect(await response.text()).toBe(copied);
});

test.describe("in a narrow window", () => {
  test.use({ viewport: { width: 390, height: 800 } });

  test("what a search finds fits the window", async ({ page }) => {
    await visit(page, "/docs");
    await search(page).fill("event");
    const found = page.getByRole("listbox", { name: "Search results" });
    await expect(found).toBeVisible();
    const { x, width } = (await found.boundingBox()) ?? { x: -1, width: 0 };
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(390);
    expect(width).toBeGreaterThan(300);
    await expectSound(page);
  });

  test("the contents open behind a button and close when a page is chosen", async ({ page }) => {
    await visit(page, "/docs");
    const contents = page.getByRole("navigation", { name: "Documentation" });
    await expect(contents).toBeHidden();
    await page.getByRole("button", { name: "Contents" }).click();
    await contents.getByRole("link", { name: "Webhooks" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Webhooks" })).toBeVisible();
    await expect(contents).toBeHidden();
  });
});

test("the quickstart runs as pasted", async ({ page, baseURL }) => {
  const { stdout, stderr, status } = run(await quickstart(page, { baseURL, secret: "acme-secret" }));
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/^cal_[0-9a-f]{24}$/m);
  expect(stdout).toMatch(/^whsec_/m);
  expect(stdout.match(/^HTTP\/1\.1 202/gm)).toHaveLength(3);
  expect(stdout).toContain('"summary":"Kick-off"');
  expect(stdout).toContain('"event_id":"lunch-1"');
  expect(stdout).toContain('"free_busy_status":"busy"');
  expect(stdout).toContain('"summary":[{"key":"errors.required"');
  expect(stdout).toContain('"error":"invalid_grant"');
});

test("the webhooks guide's read runs as pasted, after a notification of this week", async ({ page, baseURL }) => {
  const opened = (await quickstart(page, { baseURL, secret: "acme-secret" })).split("echo; echo --\n").slice(0, 4);
  await page.goto("/docs/webhooks");
  const read = await page.getByRole("region", { name: "List changes since a notification, curl" }).textContent();
  const { stdout, stderr, status } = run(`${opened.join("\n")}\n${read}\n`);
  expect(status, stderr).toBe(0);
  expect(JSON.parse(stdout.slice(stdout.lastIndexOf('{"pages"')))).toMatchObject({
    pages: { current: 1 },
    events: expect.any(Array),
  });
});

test("the quickstart stops at a wrong secret and says what to check", async ({ page, baseURL }) => {
  const { stdout, stderr, status } = run(await quickstart(page, { baseURL, secret: "wrong" }));
  expect(status).not.toBe(0);
  expect(stderr).toContain("error: 401");
  expect(stderr).toContain("No access token. Check API, CLIENT_ID and CLIENT_SECRET.");
  expect(stdout).not.toContain("Token:");
  expect(stdout).not.toContain("HTTP/1.1");
});

test("the reference's examples find what they show when they are pasted one after another", async ({
  page,
  baseURL,
}) => {
  const headers = { "content-type": "application/json" };
  const { access_token: token } = await (
    await page.request.post("/v1/application_calendars", {
      headers,
      data: { client_id: "acme", client_secret: "acme-secret", application_calendar_id: "pasted-examples" },
    })
  ).json();
  const { calendars } = await (
    await page.request.get("/v1/calendars", { headers: { authorization: `Bearer ${token}` } })
  ).json();
  const write = await example(page, "writeEvent", "Four Tuesdays, one of them skipped");
  const read = await example(page, "listEvents", "30 days of your own events");
  const here = (text: string) =>
    text.replace(/https?:\/\/[^/\s]+(?=\/v1)/, baseURL ?? "").replace(/cal_[0-9a-f]{24}/g, calendars[0].calendar_id);
  const { stdout, stderr, status } = run(`TOKEN=${token}\n${here(write.request)}\n${here(read.request)}\n`);
  expect(status, stderr).toBe(0);
  const days = (text: string) =>
    JSON.parse(text)
      .events.filter((event: { event_id: string }) => event.event_id === "standup")
      .map((event: { occurrence_date: string }) => event.occurrence_date);
  expect(days(stdout)).toHaveLength(3);
  // The page shows the series after one more example has skipped its last day.
  expect(days(stdout)).toEqual(expect.arrayContaining(days(read.response)));
});

test("an unknown page of the documentation says so with 404, and axe finds nothing", async ({ page }) => {
  for (const path of ["/docs/nothing", "/docs/reference/nothing"]) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await expectSound(page);
  }
});

test("the front page leads to the documentation and the dashboard", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Operate" })).toHaveAttribute("href", "/dashboard");
  await page.getByRole("link", { name: "Build" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Quickstart" })).toBeVisible();
});

test("the documentation begins with three doors, and its frame has the version, the changelog and the dashboard", async ({
  page,
}) => {
  await page.goto("/docs");
  for (const name of ["Build", "Run", "Operate"]) {
    const door = page.getByRole("region", { name, exact: true });
    expect(await door.getByRole("link").count()).toBeGreaterThan(0);
  }
  await expect(page.getByText(/^Version \d+\.\d+\.\d+/).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Open dashboard" }).first()).toHaveAttribute("href", "/dashboard");
  await page.getByRole("main").getByRole("link", { name: "Changelog" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Changelog" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: /^\d+\.\d+\.\d+/ }).first()).toBeVisible();
});

/** Every block of the quickstart, as one script. */
async function quickstart(page: Page, { baseURL, secret }: { baseURL?: string; secret: string }): Promise<string> {
  await page.goto("/docs/quickstart");
  const blocks = await page.locator('[data-code="curl"] pre').allTextContents();
  const script = blocks
    .join("\necho; echo --\n")
    .replace(/^API=.*$/m, `API=${baseURL}`)
    .replace("your-client-id", "acme")
    .replace("your-client-secret", secret)
    .replace(/^RECEIVER=.*$/m, "RECEIVER=https://app.acme.io");
  return `${script}\n`;
}

function run(script: string) {
  return spawnSync("sh", ["-eu"], { input: script, encoding: "utf8" });
}

/** The request and the response that the reference shows under a title. */
async function example(page: Page, operation: string, title: string) {
  await page.goto(`/docs/reference/${operation}`);
  const text = (name: string) => page.getByRole("region", { name, exact: true, includeHidden: true });
  const response = text(`Response 200: ${title}`);
  return {
    request: (await text(`Request: ${title}, curl`).textContent()) ?? "",
    response: (await response.count()) > 0 ? ((await response.textContent()) ?? "") : "",
  };
}

/** Until its scripts hear keys and clicks. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(search(page)).toHaveAttribute("aria-keyshortcuts", "/");
}

function search(page: Page) {
  return page.getByRole("combobox", { name: "Search the documentation" });
}

function languagesOf(page: Page, code: string) {
  return page.getByRole("tablist", { name: `Language of ${code}`, exact: true });
}
