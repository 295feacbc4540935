import { expect, type Page } from "@playwright/test";
import { expectListening, type Staffed, signIn, test, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const main = (page: Page) => page.getByRole("main");
const bar = (page: Page) => page.getByRole("progressbar", { name: "Loading page" });
const pages = ["Deliveries", "Endpoints", "Requests", "Accounts", "Applications", "Settings", "Overview"];

test("a page that follows another is never a skeleton, nor is a panel", async ({ page }) => {
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard");
  await watchSkeletons(page);
  for (const name of pages) {
    await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name }).click();
    await expect(main(page).getByRole("heading", { level: 1 })).toHaveText(name);
  }
  await page.getByRole("link", { name: "Requests", exact: true }).first().click();
  await page.getByRole("table", { name: "Requests", exact: true }).locator("tbody").getByRole("link").first().click();
  await expect(page.getByRole("complementary", { name: /^Request / })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("complementary", { name: /^Request / })).toHaveCount(0);
  expect(await skeletonsSeen(page)).toEqual([]);
  expect(seen).toEqual({ complaints: [], outside: [] });
});

test("every page is within reach of a narrow window", async ({ page }) => {
  await signIn(page, staffed, "/dashboard");
  for (const width of [380, 390, 700]) {
    await page.setViewportSize({ width, height: 844 });
    const links = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link");
    await expect(links).toHaveCount(pages.length);
    const boxes = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().toJSON()));
    for (const [i, { left, right }] of boxes.entries()) {
      expect(left).toBeGreaterThanOrEqual(i === 0 ? 0 : boxes[i - 1].right);
      expect(right).toBeLessThanOrEqual(width);
    }
  }
});

test("the old page stays while the next is on its way, under a line that says so", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/accounts");
  await expect(page.getByRole("table", { name: "Accounts" })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route("**/dashboard/applications*", async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("link", { name: "Applications" }).first().click();
  await expect(bar(page)).toBeVisible();
  await expect(main(page).getByRole("heading", { level: 1 })).toHaveText("Accounts");
  await expect(page.getByRole("table", { name: "Accounts" })).toBeVisible();
  letGo();
  await expect(page.getByRole("table", { name: "Applications" })).toBeVisible();
  await expect(main(page).getByRole("heading", { level: 1 })).toHaveText("Applications");
  await expect(bar(page)).toHaveCount(0);
});

test("a page that is not there keeps the navigation, and says so with its status", async ({ page }) => {
  await signIn(page, staffed, "/dashboard");
  const answer = await page.goto(`${staffed.service.origin}/dashboard/nothing/here`);
  expect(answer?.status()).toBe(404);
  await expectListening(page);
  await expect(main(page).getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expect(page).toHaveTitle("Page not found · Almanac");
  await page.getByRole("link", { name: "Go to the overview" }).click();
  await expect(main(page).getByRole("heading", { level: 1 })).toHaveText("Overview");
});

test("a wrong password comes back to the sign-in page, at its address", async ({ page }) => {
  await page.goto(`${staffed.service.origin}/dashboard/sign-in?from=%2Fdashboard%2Faccounts`);
  await page.getByLabel("Email").fill("nobody@almanac.test");
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toHaveText("Incorrect email or password.");
  await expect(page).toHaveURL(/\/dashboard\/sign-in\?from=%2Fdashboard%2Faccounts$/);
  await expect(page.getByLabel("Email")).toHaveValue("nobody@almanac.test");
  await expect(page.getByLabel("Password")).toBeFocused();
});

/** From now on, whatever stands for something that is still loading is written down. */
async function watchSkeletons(page: Page): Promise<void> {
  await page.evaluate(() => {
    const found: string[] = [];
    Object.assign(window, { skeletonsSeen: found });
    new MutationObserver(() => {
      for (const bone of document.querySelectorAll(".skeleton")) found.push(`${location.pathname} ${bone.className}`);
    }).observe(document.body, { childList: true, subtree: true });
  });
}

function skeletonsSeen(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { skeletonsSeen: string[] }).skeletonsSeen);
}
