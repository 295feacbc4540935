import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectSound, linesOf } from "./sound";
import { type Staffed, signIn, startStaffed, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  staffed = await startStaffed();
});

test.afterAll(async () => {
  await staffed?.end();
});

const table = (page: Page) => page.getByRole("table", { name: "Deliveries" });
const panel = (page: Page) => page.getByRole("complementary", { name: /^Delivery whd_/ });

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [390, 1280]) {
    test.describe(`deliveries, ${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 800 } });

      test("fit the window, break no policy, ask no other host, and axe finds nothing in list and panel", async ({
        page,
      }, info) => {
        const seen = watch(page);
        await signIn(page, staffed, "/dashboard/deliveries");
        await expect(table(page).getByRole("row").nth(20)).toBeVisible();
        await expectSound(page);
        await page.screenshot({ path: info.outputPath("list.png") });
        await table(page).getByRole("link").first().click();
        await expect(panel(page).getByRole("heading", { name: "Attempts" })).toBeVisible();
        await expectSound(page);
        await page.screenshot({ path: info.outputPath("panel.png") });
        await page.keyboard.press("Escape");
        await expect(panel(page)).toHaveCount(0);
        expect(seen).toEqual({ complaints: [], outside: [] });
      });
    });
  }
}

test("the keyboard walks the rows, opens one, walks on with the panel open and comes back", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/deliveries?state=failed");
  const links = table(page).getByRole("link");
  await expect(links.nth(3)).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(panel(page)).toBeFocused();
  await expect(page).toHaveURL(await addressOf(links.nth(1)));
  await page.keyboard.press("j");
  await expect(page).toHaveURL(await addressOf(links.nth(2)));
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);
  await expect(links.nth(2)).toBeFocused();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
});

test("a filter is in the address, and taking it out shows the rest again", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/deliveries");
  await page.getByRole("button", { name: "State", exact: true }).click();
  await page.getByLabel("Failed").check();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/\?state=failed$/);
  await expect(table(page).getByText("Delivered")).toHaveCount(0);
  await page.getByRole("link", { name: "Take out State: Failed" }).click();
  await expect(page).toHaveURL(/\/deliveries$/);
  await expect(table(page).getByText("Delivered").first()).toBeVisible();
});

test("older and newer are addresses, and lead back to the same page", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/deliveries");
  const first = await firstRow(page);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page).toHaveURL(/after=/);
  await expect.poll(() => firstRow(page)).not.toBe(first);
  await page.getByRole("link", { name: "Newer" }).click();
  await expect(page).toHaveURL(/\/deliveries$/);
  await expect.poll(() => firstRow(page)).toBe(first);
});

test("an id is found with Ctrl+K wherever one is", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/deliveries");
  const channel = staffed.channels[0] ?? "";
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(channel);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`channel=${channel}`));
  await expect(page.getByRole("region", { name: "The channel" })).toBeVisible();
});

test("a failed delivery is retried by hand and arrives under its own id", async ({ page }) => {
  const host = new URL(staffed.receiver.origin).host;
  await signIn(page, staffed, `/dashboard/deliveries?state=failed&host=${encodeURIComponent(host)}`);
  await table(page).getByRole("link").first().click();
  await panel(page).getByRole("button", { name: "Retry now" }).click();
  const id = new URL(page.url()).searchParams.get("open");
  await staffed.receiver.next(({ headers }) => headers["svc-delivery-id"] === id, 60_000);
  await expect(panel(page).getByText("by hand")).toBeVisible();
  await expect(panel(page).getByText("Delivered", { exact: true }).first()).toBeVisible();
});

test("all that a filter shows is retried after its count was confirmed", async ({ page }) => {
  const host = new URL(staffed.receiver.origin).host;
  await signIn(page, staffed, `/dashboard/deliveries?state=failed&host=${encodeURIComponent(host)}`);
  await page.getByRole("button", { name: "Retry these" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Retry \d+ deliveries$/ })
    .click();
  await expect(page.getByText("No delivery matches")).toBeVisible();
});

test("the theme that was chosen is remembered", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/deliveries");
  await page.getByRole("button", { name: /^Signed in as/ }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("dark");
});

test("the export is a CSV of what the filters show", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/deliveries?state=cancelled");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("deliveries.csv");
  const lines = await linesOf(await download.createReadStream());
  expect(lines[0]).toMatch(/^delivery_id,state,type/);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.slice(1).every((line) => line.includes(",cancelled,"))).toBe(true);
});

async function addressOf(link: Locator): Promise<string> {
  return new URL((await link.getAttribute("href")) ?? "", staffed.service.origin).href;
}

async function firstRow(page: Page): Promise<string | null> {
  return await table(page).getByRole("link").first().getAttribute("href");
}
