import { expect, type Page } from "@playwright/test";
import { rowsOf } from "./database";
import { everyLook, expectSound, expectSoundIn, linesOf, looks, picture } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

/** A caller's own request id, used twice. */
const OWN_ID = "import-2026-11-21.row-7";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
  for (const path of ["/v1/calendars", "/v1/events?tzid=Etc/UTC"]) {
    await fetch(staffed.service.origin + path, { headers: { "svc-request-id": OWN_ID } });
  }
});

const table = (page: Page) => page.getByRole("table", { name: "Requests", exact: true });
const panel = (page: Page) => page.getByRole("complementary", { name: /^Request / });
const events = encodeURIComponent("/v1/calendars/{calendar_id}/events");

for (const look of looks) {
  test.describe(`requests and overview, ${look.colorScheme}, ${look.viewport.width} px`, () => {
    test.use(look);

    test("fit the window, break no policy, ask no other host, and axe finds nothing", async ({ page }, info) => {
      test.slow(); // axe looks at several pages
      const seen = watch(page);
      const soundly = async (name: string) => {
        await expectSound(page);
        await picture(page, info, name);
      };
      await signIn(page, staffed, "/dashboard");
      await expect(page.getByRole("table", { name: "Failing endpoints" })).toBeVisible();
      await soundly("overview");
      await page.getByRole("heading", { name: "Background jobs" }).click();
      await expect(page.getByRole("table", { name: "Background jobs" })).toBeVisible();
      await soundly("overview-background");
      await page.getByRole("link", { name: "Requests", exact: true }).first().click();
      await expect(table(page).getByRole("row").nth(20)).toBeVisible();
      await soundly("list");
      await page.goto(`${staffed.service.origin}/dashboard/requests?status=422&endpoint=${events}`);
      await table(page).locator("tbody").getByRole("link").first().click();
      await expect(panel(page).getByRole("heading", { name: "Response", exact: true })).toBeVisible();
      await soundly("panel");
      await page.goto(`${staffed.service.origin}/dashboard/requests/errors`);
      await expect(page.getByRole("table", { name: "Errors" })).toBeVisible();
      await soundly("errors");
      expect(seen).toEqual({ complaints: [], outside: [] });
    });
  });
}

test("the frame of the dashboard is sound in every theme at every width", async ({ page }) => {
  await signIn(page, staffed, "/dashboard");
  await expect(page.getByRole("heading", { name: "Background jobs" })).toBeVisible();
  await expectSoundIn(page, everyLook);
});

test("a caller's own request id finds every request that had it", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/requests");
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type(OWN_ID);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Several requests have this ID")).toBeVisible();
  await expect(table(page).locator("tbody").getByRole("link")).toHaveCount(2);
});

test("filters are read from the address, and taking one out shows the rest again", async ({ page }) => {
  await signIn(page, staffed, `/dashboard/requests?statusClass=4xx&method=POST&endpoint=${events}`);
  await expect(table(page).getByText("422", { exact: true }).first()).toBeVisible();
  await expect(table(page).getByText("202", { exact: true })).toHaveCount(0);
  await page.getByRole("link", { name: "Remove filter Status: 4xx" }).click();
  await expect(page).toHaveURL(/\?method=POST&endpoint=[^&]+$/);
  await expect(table(page).getByText("202", { exact: true }).first()).toBeVisible();
  await page.goto(`${staffed.service.origin}/dashboard/requests?status=often`);
  await expect(page.getByText("Invalid filters")).toBeVisible();
  await page.goto(`${staffed.service.origin}/dashboard/requests?path=/v1/nothing-at-all`);
  await expect(page.getByText("No matching requests")).toBeVisible();
});

test("the panel shows what was asked and answered, without event text, and leads to what came of it", async ({
  page,
}) => {
  await signIn(page, staffed, `/dashboard/requests?status=202&endpoint=${events}`);
  await table(page).locator("tbody").getByRole("link").first().click();
  await expect(panel(page)).toBeFocused();
  await expect(panel(page).getByText("202 Accepted").first()).toBeVisible();
  await expect(panel(page).getByText("Stored (hosted calendar)")).toBeVisible();
  await expect(panel(page).getByRole("region", { name: "Request body" })).toContainText('"summary": "[redacted]"');
  await expect(panel(page).getByRole("region", { name: "Request headers" })).not.toContainText("Bearer ey");
  await expect(page).toHaveURL(/open=/);
  const first = page.url();
  await page.keyboard.press("j");
  await expect(page).not.toHaveURL(first);
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);
  await expect(table(page).locator("tbody").getByRole("link").nth(1)).toBeFocused();
});

test("a request that failed says first which field was wrong, and leaves out what browsers add by themselves", async ({
  page,
}) => {
  const post = (path: string, json: object, more: Record<string, string> = {}) =>
    fetch(staffed.service.origin + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...more },
      body: JSON.stringify(json),
    });
  const calendar = { client_id: "acme", client_secret: "acme-secret", application_calendar_id: "room-1" };
  const { access_token } = await (await post("/v1/application_calendars", calendar)).json();
  await post(
    "/v1/channels",
    {},
    {
      authorization: `Bearer ${access_token}`,
      "sec-fetch-site": "none",
      "sec-ch-ua": "none",
      "svc-request-id": "first-error-1",
    },
  );
  await signIn(page, staffed, "/dashboard/requests?id=first-error-1");
  await table(page).locator("tbody").getByRole("link").first().click();
  const error = panel(page).getByRole("region", { name: "Error" });
  await expect(error).toContainText("callback_url");
  await expect(error).toContainText("is required");
  await expect(error.getByRole("link", { name: "errors.required" })).toBeInViewport();
  const headers = panel(page).getByRole("region", { name: "Request headers" });
  await expect(headers).toContainText("content-type: application/json");
  await expect(headers).not.toContainText("sec-");
});

test("a channel that was opened leads to its verification", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/requests?endpoint=/v1/channels&method=POST&status=200");
  await table(page).locator("tbody").getByRole("link").first().click();
  await panel(page).getByRole("link", { name: "Delivery", exact: true }).click();
  const delivery = page.getByRole("complementary", { name: /^Delivery whd_/ });
  await expect(delivery.getByText("verification", { exact: true })).toBeVisible();
});

test("errors are counted by route and key, and lead to their requests", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/requests?range=1h");
  await page.getByRole("link", { name: "Errors by type" }).click();
  await expect(page).toHaveURL(/\/requests\/errors\?range=1h$/);
  const row = page
    .getByRole("table", { name: "Errors" })
    .getByRole("row", { name: /events\/.*|errors\./ })
    .first();
  const count = Number(await row.getByRole("cell").nth(4).textContent());
  expect(count).toBeGreaterThan(0);
  await row.getByRole("link").first().click();
  await expect(page).toHaveURL(/errorKey=errors\.[a-z_.]+&range=1h/);
  await expect(page.locator("h1 + span")).toHaveText(String(count));
  await page.goBack();
  await row.getByRole("link", { name: "Latest example" }).click();
  await expect(panel(page)).toBeVisible();
});

test("every figure of the overview leads to the page that explains it", async ({ page }) => {
  await signIn(page, staffed, "/dashboard");
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  const links = page.locator("main dl a");
  await expect(links).toHaveCount(8);
  await expect(page.locator(".skeleton")).toHaveCount(0);
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  await expect(links.first()).toBeInViewport();
  for (const href of hrefs) expect(href).toMatch(/^\/dashboard\/(requests|requests\/errors|deliveries|accounts)\?/);
  await links.and(page.getByRole("link", { name: /^Failed/ })).click();
  await expect(page).toHaveURL(/state=failed/);
  await expect(page.getByRole("table", { name: "Deliveries" }).getByText("Failed").first()).toBeVisible();
});

test("a new request appears by itself", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/requests?path=/v1/link_tokens");
  await expect(page.getByText("No matching requests")).toBeVisible();
  await page.waitForResponse((answer) => answer.url().includes("requests.pulse"));
  await fetch(`${staffed.service.origin}/v1/link_tokens`, { method: "POST" });
  await expect(table(page).locator("tbody").getByRole("link")).toHaveCount(1);
});

test("a request that comes between the building of the page and its first look appears too", async ({ page }) => {
  let looks = 0;
  await page.route("**/api/trpc/requests.pulse*", async (route) => {
    looks += 1;
    if (looks === 1) await revokeNothing();
    await route.continue();
  });
  await signIn(page, staffed, "/dashboard/requests?path=/oauth/token/revoke");
  await expect(page.getByText("No matching requests")).toBeVisible();
  await expect(table(page).locator("tbody").getByRole("link")).toHaveCount(1);
  expect(looks).toBe(1);
});

test("the export is a CSV of what the filters show", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/requests?errorKey=errors.required");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("requests.csv");
  const lines = await linesOf(await download.createReadStream());
  expect(lines[0]).toMatch(/^request_id,at,method,path/);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.slice(1).every((line) => line.includes("errors.required"))).toBe(true);
});

test("the export of a session that is over leads to the sign-in page", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/requests?status=422");
  await expect(table(page)).toBeVisible();
  // Over while the export is asked for, and not before: the page notices by itself, and leads to the sign-in page too.
  await page.route("**/dashboard/requests/export?*", async (route) => {
    await page.context().clearCookies();
    const { cookie: _, ...headers } = await route.request().allHeaders();
    await route.continue({ headers });
  });
  await page.getByRole("link", { name: "Export CSV" }).click();
  await expect(page).toHaveURL(/\/dashboard\/sign-in\?from=%2Fdashboard%2Frequests%3Fstatus%3D422$/);
});

test.describe("in New York", () => {
  test.use({ timezoneId: "America/New_York", locale: "en-US" });

  test("a panel says when a request was in the reader's zone, and in UTC when it is pointed at", async ({ page }) => {
    const seen = watch(page);
    await signIn(page, staffed, "/dashboard/requests?status=422");
    await table(page).locator("tbody").getByRole("link").first().click();
    await expect(panel(page)).toBeVisible();
    await page.reload();
    const time = panel(page).getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d E[SD]T$/);
    const at = (await time.getAttribute("datetime")) ?? "";
    // A page that has just been loaded may not follow the pointer yet.
    await expect(async () => {
      await page.mouse.move(0, 0);
      await time.hover();
      await expect(page.getByRole("tooltip")).toContainText(`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`, {
        timeout: 2_000,
      });
    }).toPass();
    expect(seen).toEqual({ complaints: [], outside: [] });
  });
});

test("a time in a row opens it as the rest of the row does, and its tooltip is gone then", async ({ page }) => {
  await page.clock.install();
  await signIn(page, staffed, "/dashboard/requests?status=422");
  const time = table(page).locator("tbody time").first();
  const tooltip = page.getByRole("tooltip");
  for (const isRead of [false, true]) {
    await page.mouse.move(0, 0);
    await time.hover();
    if (isRead) await expect(tooltip).toBeVisible();
    await page.mouse.down();
    await page.mouse.up();
    await expect(panel(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(panel(page)).toHaveCount(0);
    await page.clock.fastForward(10_000);
    await expect(tooltip).toHaveCount(0);
  }
});

test("one Escape closes a panel with a tooltip open", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/requests?status=422");
  await table(page).locator("tbody").getByRole("link").first().click();
  await expect(async () => {
    await page.mouse.move(0, 0);
    await panel(page).locator("time").first().hover();
    await expect(page.getByRole("tooltip")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);
  await expect(page.getByRole("tooltip")).toHaveCount(0);
});

/** A refused request, until the log has it. */
async function revokeNothing(): Promise<void> {
  await fetch(`${staffed.service.origin}/oauth/token/revoke`, { method: "POST" });
  const stored = "SELECT FROM request_logs WHERE path = '/oauth/token/revoke'";
  await expect.poll(() => rowsOf(staffed.databaseUrl, stored)).toHaveLength(1);
}
