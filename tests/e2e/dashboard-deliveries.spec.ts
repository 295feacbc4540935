import { expect, type Locator, type Page } from "@playwright/test";
import { expectSound, linesOf, looks, picture } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const table = (page: Page) => page.getByRole("table", { name: "Deliveries" });
const panel = (page: Page) => page.getByRole("complementary", { name: /^Delivery whd_/ });

for (const look of looks) {
  test.describe(`deliveries, ${look.colorScheme}, ${look.viewport.width} px`, () => {
    test.use(look);

    test("fit the window, break no policy, ask no other host, and axe finds nothing in list and panel", async ({
      page,
    }, info) => {
      const seen = watch(page);
      await signIn(page, staffed, "/dashboard/deliveries");
      await expect(table(page).getByRole("row").nth(20)).toBeVisible();
      await expectSound(page);
      await picture(page, info, "list");
      await table(page).locator("tbody").getByRole("link").first().click();
      await expect(panel(page).getByRole("heading", { name: "Attempts" })).toBeVisible();
      await expectSound(page);
      await picture(page, info, "panel");
      await page.keyboard.press("Escape");
      await expect(panel(page)).toHaveCount(0);
      expect(seen).toEqual({ complaints: [], outside: [] });
    });
  });
}

test("the keyboard walks the rows, opens one, walks on with the panel open and comes back", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/deliveries?state=failed");
  const links = table(page).locator("tbody").getByRole("link");
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
  const tabs = page.getByRole("navigation", { name: "State" });
  await tabs.getByRole("link", { name: /^Failed [\d,]+$/ }).click();
  await expect(page).toHaveURL(/\?state=failed$/);
  await expect(table(page).getByText("Delivered")).toHaveCount(0);
  await page.getByRole("button", { name: "+ Filter" }).click();
  await page.getByRole("button", { name: "Type", exact: true }).click();
  await page.getByLabel("verification").check();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/\?state=failed&type=verification$/);
  await page.getByRole("link", { name: "Remove filter Type: verification" }).click();
  await expect(page).toHaveURL(/\?state=failed$/);
  await tabs.getByRole("link", { name: /^All/ }).click();
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
  await expect(page).toHaveURL(new RegExp(`endpoints/${channel}`));
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill(channel);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`channel=${channel}`));
  await expect(page.getByRole("region", { name: "Channel health" })).toBeVisible();
});

test("a failed delivery is retried manually and arrives under its own id", async ({ page }) => {
  const host = new URL(staffed.receiver.origin).host;
  await signIn(page, staffed, `/dashboard/deliveries?state=failed&host=${encodeURIComponent(host)}`);
  await table(page).locator("tbody").getByRole("link").first().click();
  await panel(page).getByRole("button", { name: "Retry now" }).click();
  const id = new URL(page.url()).searchParams.get("open");
  await staffed.receiver.next(({ headers }) => headers["svc-delivery-id"] === id, 60_000);
  await expect(panel(page).getByText("manual", { exact: false }).first()).toBeVisible();
  await expect(panel(page).getByText("Delivered", { exact: true }).first()).toBeVisible();
});

test("a test event is sent from beside the channel, arrives, and is marked in the list", async ({ page }) => {
  const channel = staffed.channels[0] ?? "";
  await signIn(page, staffed, `/dashboard/deliveries?channel=${channel}`);
  const strip = page.getByRole("region", { name: "Channel health" });
  const arriving = staffed.receiver.next(
    ({ json }) => json.notification?.type === "change" && json.channel.channel_id === channel,
    60_000,
  );
  await strip.getByRole("button", { name: "Send test event" }).click();
  await arriving;
  await expect(strip.getByText(/^Test delivered: 200 in [\d.]+ m?s/)).toBeVisible();
  await expect(table(page).getByRole("row").filter({ hasText: "test" }).first()).toContainText("Delivered");
  await strip.getByRole("link", { name: "View delivery" }).click();
  await expect(panel(page).getByText("test", { exact: true })).toBeVisible();
});

test("a retry that fails says so as soon as its attempt has ended, and can be repeated", async ({ page }) => {
  const host = new URL(staffed.receiver.origin).host;
  staffed.receiver.answer(500);
  await signIn(page, staffed, `/dashboard/deliveries?state=failed&host=${encodeURIComponent(host)}`);
  await table(page).locator("tbody").getByRole("link").nth(1).click();
  const outcome = panel(page).getByText(/^Attempt \d+ failed: 500 in [\d.]+ m?s$/);
  await panel(page).getByRole("button", { name: "Retry now" }).click();
  await expect(outcome).toBeVisible();
  await expect(page.getByRole("status").getByText(/^Attempt \d+ failed: 500 in/)).toHaveCount(1);
  await expect(panel(page).getByText("The endpoint responded with 500: an error on its side.")).toBeVisible();
  const first = await outcome.textContent();
  await panel(page).getByRole("button", { name: "Retry now" }).click();
  await expect(outcome).toBeVisible();
  await expect(outcome).not.toHaveText(first ?? "");
  staffed.receiver.answer(200);
});

test("an empty list says why", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/deliveries?account=nobody@acme.io");
  await expect(page.getByText("Account not found")).toBeVisible();
  await page.goto(`${staffed.service.origin}/dashboard/deliveries?channel=${staffed.channels[0]}&errorClass=internal`);
  await expect(page.getByText(/match without the error filter\.|matches without the error filter\./)).toBeVisible();
});

test("one search finds an endpoint, and the chart counts what the list shows", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/deliveries?range=7d&state=failed");
  await page.keyboard.press("/");
  await page.keyboard.type("hooks-2.acme-scheduling.io/cal");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=hooks-2/);
  const endpoints = table(page).getByTitle("hooks-2.acme-scheduling.io/calendar").locator("visible=true");
  await expect(endpoints.first()).toBeVisible();
  const rows = (await table(page).getByRole("row").count()) - 1;
  const figures = await page.getByRole("figure").getByRole("table").locator("td").allTextContents();
  expect(figures.reduce((sum, figure) => sum + Number(figure), 0)).toBe(rows);
});

test.describe("in a narrow window", () => {
  test.use({ viewport: { width: 390, height: 800 } });

  test("rows say what decides, and active filters stay in sight", async ({ page }) => {
    await signIn(page, staffed, "/dashboard/deliveries?state=failed&errorClass=timeout&errorClass=dns&range=7d");
    await expect(table(page).getByRole("row").nth(1)).toContainText(/10\/10 · (timed out|DNS lookup failed)/);
    await page.mouse.wheel(0, 2_000);
    const active = page.getByRole("region", { name: "Active filters" });
    for (const name of ["Error", "Created"])
      await expect(active.getByRole("button", { name: new RegExp(`^${name}`) })).toBeInViewport({ ratio: 1 });
  });
});

test.describe("in Berlin", () => {
  test.use({ timezoneId: "Europe/Berlin" });

  test("times are local or UTC in panels, filters and exports alike, as was chosen", async ({ page }) => {
    const from = new Date(Date.now() - 86_400_000).toISOString().slice(0, 16);
    await signIn(page, staffed, `/dashboard/deliveries?from=${from}`);
    const chip = page.getByRole("button", { name: /^Created/ });
    await expect(chip).toContainText(/CET|CEST/);
    await table(page).locator("tbody").getByRole("link").first().click();
    await expect(
      panel(page)
        .getByText(/ (CET|CEST)$/)
        .first(),
    ).toBeVisible();
    await page.keyboard.press("Escape");
    expect(await exported(page)).toMatch(/T[\d:.]+\+0[12]:00/);
    await page.getByRole("button", { name: /^Signed in as/ }).click();
    await page.getByRole("menuitemradio", { name: "UTC" }).click();
    await expect(chip).toContainText(`${from.replace("T", " ")} UTC`);
    await page.reload();
    await expect(chip).toContainText(`${from.replace("T", " ")} UTC`);
    await table(page).locator("tbody").getByRole("link").first().click();
    await expect(panel(page).getByText(/ UTC$/).first()).toBeVisible();
    await page.keyboard.press("Escape");
    expect(await exported(page)).not.toMatch(/T[\d:.]+\+0[12]:00/);
  });
});

test("all that a filter shows is retried after its count was confirmed", async ({ page }) => {
  const host = new URL(staffed.receiver.origin).host;
  await signIn(page, staffed, `/dashboard/deliveries?state=failed&host=${encodeURIComponent(host)}`);
  await page.getByRole("button", { name: "Retry all" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Retry \d+ deliveries$/ })
    .click();
  await expect(page.getByText("No matching deliveries")).toBeVisible();
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
  expect(lines[0]).toMatch(/^delivery_id,state,type,.*,host,endpoint,/);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.slice(1).every((line) => line.includes(",cancelled,"))).toBe(true);
});

async function exported(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export CSV" }).click(),
  ]);
  return (await linesOf(await download.createReadStream())).join("\n");
}

async function addressOf(link: Locator): Promise<string> {
  return new URL((await link.getAttribute("href")) ?? "", staffed.service.origin).href;
}

async function firstRow(page: Page): Promise<string | null> {
  return await table(page).locator("tbody").getByRole("link").first().getAttribute("href");
}
