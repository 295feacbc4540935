import { expect, type Page } from "@playwright/test";
import { counted, signInBy } from "./counted";
import { rowsOf } from "./database";
import { invitedDeveloper } from "./invited-developer";
import { look } from "./sound";
import { type Staffed, signIn, test } from "./staff";
import { nils, seedWhy } from "./why-data";

/** Clicks, and Enter in a field, from the sign-in page to the answer. */
const MOST_CLICKS = 5;

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
  await seedWhy(staffed.databaseUrl);
});

const row = (page: Page, table: string, text: string) =>
  page.getByRole("table", { name: table, exact: true }).getByRole("row").filter({ hasText: text });
const navigation = (page: Page) => page.getByRole("navigation", { name: "Dashboard" });

async function expectAnswer(page: Page, clicks: readonly string[]) {
  const reasons = page.getByRole("list", { name: "Reasons" }).getByRole("listitem");
  await expect(reasons.first()).toContainText(`${nils.endpoint} failed 3 times`);
  await expect(reasons.first()).toContainText("The last attempt got a 500 response. The next attempt is at ");
  expect(clicks.length, clicks.join(", ")).toBeLessThanOrEqual(MOST_CLICKS);
}

test("why nothing arrived is five clicks away from an email", async ({ page }, info) => {
  const counter = counted(page);
  await signInBy(counter, page, staffed);
  await counter.click(navigation(page).getByRole("link", { name: "Accounts" }));
  await counter.search(/^Search accounts/, nils.email);
  await counter.click(page.getByRole("table", { name: "Accounts" }).getByRole("link", { name: nils.account }));
  await counter.click(page.getByRole("link", { name: "Why did nothing arrive?" }));
  await expectAnswer(page, counter.clicks);

  const steps = page.getByRole("list", { name: "What happened" }).getByRole("listitem");
  await expect(steps).toHaveCount(2);
  await expect(steps.nth(0)).toContainText("Change by others in Work");
  await expect(steps.nth(0)).toContainText(`${nils.endpoint}: webhook created`);
  await expect(steps.nth(0)).toContainText("managed.why-arrived.io: filtered: only_managed is set");
  await expect(steps.nth(1)).toContainText("attempt 3");
  await expect(page.getByRole("main")).toContainText("Checked when a notification comes, and at least every 6 h.");
  await expect(page.getByRole("main")).not.toContainText(/\bnotices?\b/);
  await look(page, info, "timeline");

  const aDay = { around: new Date(Date.now() - 12 * 3_600_000).toISOString(), minutes: "720" };
  await page.goto(`${page.url().split("?")[0]}?${new URLSearchParams(aDay)}`); // over a midnight
  await expect(steps.nth(0).locator("time")).toHaveText(/^\d{4}-\d{2}-\d{2}\d{2}:\d{2}:\d{2}$/);
  await look(page, info, "timeline-over-midnight");
  // The day is on one line, in the narrow column too.
  await page.setViewportSize({ width: 390, height: 844 });
  const day = steps.nth(0).locator("time span");
  expect((await day.boundingBox())?.height).toBeLessThan(25);
  expect(await day.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);

  await page.getByLabel(/^Around/).fill("2026-01-05T10:00:00");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByRole("list", { name: "Reasons" })).toContainText("No channel existed yet");
});

test("why nothing arrived is five clicks away from a callback URL", async ({ page }) => {
  const counter = counted(page);
  await signInBy(counter, page, staffed);
  await counter.click(navigation(page).getByRole("link", { name: "Endpoints" }));
  await counter.search(/^Search endpoints/, `https://${nils.endpoint}`);
  await counter.click(page.getByRole("table", { name: "Endpoints" }).getByRole("link", { name: nils.channel }));
  await counter.click(page.getByRole("link", { name: "Why did nothing arrive?" }));
  await expectAnswer(page, counter.clicks);
});

test("a day of a calendar has times alone until an admin asks for the text", async ({ page }, info) => {
  await signIn(page, staffed, `/dashboard/accounts/${nils.account}/calendars`);
  const event = page.getByRole("main").getByRole("listitem").filter({ hasText: "created by others" });
  await expect(event).toContainText("text hidden");
  await expect(page.getByText("Salary talk")).toHaveCount(0);
  await look(page, info, "calendars");
  await page.getByRole("button", { name: "Show text" }).click();
  await expect(event).toContainText("Salary talk");
  await page.goto(`${staffed.service.origin}/dashboard/settings/audit?view=reads`);
  await expect(page.getByText("Viewed event text").first()).toBeVisible();
});

test("a time that is none is said to be one, on the page of the account", async ({ page }) => {
  await signIn(page, staffed, `/dashboard/accounts/${nils.account}/timeline?around=garbage`);
  await expect(page.getByText("Invalid time")).toBeVisible();
  await expect(page.getByText("Account not found")).toHaveCount(0);
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByRole("list", { name: "Reasons" })).toBeVisible();
  await page.goto(`${staffed.service.origin}/dashboard/accounts/acc_none/timeline?around=garbage`);
  await expect(page.getByRole("heading", { name: "Account not found" })).toBeVisible();
});

test("a developer sees the timeline and the calendars of their own accounts, without event text", async ({
  page,
  browser,
}, info) => {
  test.slow(); // axe looks at two pages
  const { service } = staffed;
  await signIn(page, staffed, "/dashboard");
  const someone = { email: "tove@north.test", name: "Tove", application: "North" };
  const tove = await invitedDeveloper(browser, page, { service, ...someone });
  await navigation(tove).getByRole("link", { name: "Accounts" }).click();
  await tove.getByRole("table", { name: "Accounts" }).getByRole("link", { name: nils.account }).click();
  await tove.getByRole("link", { name: "Why did nothing arrive?" }).click();
  await expectAnswer(tove, []);
  await look(tove, info, "developer-timeline");
  await tove.getByRole("link", { name: "View delivery" }).click();
  await expect(tove.getByRole("complementary")).toContainText(nils.endpoint);

  await tove.goto(`${service.origin}/dashboard/accounts/${nils.account}/calendars`);
  const event = tove.getByRole("main").getByRole("listitem").filter({ hasText: "created by others" });
  await expect(event).toContainText("text hidden");
  await expect(tove.getByRole("button", { name: "Show text" })).toHaveCount(0);
  await look(tove, info, "developer-calendars");

  const another = staffed.accounts[0]; // of Acme
  for (const tab of ["timeline", "calendars"]) {
    await tove.goto(`${service.origin}/dashboard/accounts/${another}/${tab}`);
    await expect(tove.getByRole("heading", { name: "Account not found" })).toBeVisible();
  }
});

test("a failing endpoint is recovered by three clicks from the sign-in page on", async ({ page }) => {
  const failed = "UPDATE channels SET failing = true, failing_since = now(), failures = 3 WHERE id = $1 RETURNING id";
  expect(await rowsOf(staffed.databaseUrl, failed, [nils.channel])).toHaveLength(1);
  const counter = counted(page);
  await signInBy(counter, page, staffed);
  await counter.click(row(page, "Failing endpoints", nils.endpoint).getByRole("link").first());
  await expect(page.getByRole("heading", { level: 1 })).toContainText(nils.endpoint); // its only channel
  await counter.click(page.getByRole("button", { name: /^Retry \d+ waiting now$/ }));
  await expect(page.getByRole("region", { name: "Bulk retry" })).toContainText(/Retried ?(\d+) of \1/);
  expect(counter.clicks.length, counter.clicks.join(", ")).toBeLessThanOrEqual(3);
});

test("who got 422s is four clicks away from the sign-in page", async ({ page }) => {
  const counter = counted(page);
  await signInBy(counter, page, staffed);
  await counter.click(navigation(page).getByRole("link", { name: "Requests" }));
  await counter.click(page.getByRole("link", { name: "Errors by type" }));
  const required = row(page, "Errors", "errors.required").first();
  await expect(required).toContainText(/\d+ of \d+/); // of the account that got most of them
  await counter.click(required.getByRole("link").first());
  await expect(page).toHaveURL(/errorKey=errors\.required/);
  const accounts = page.getByRole("table", { name: "Requests" }).locator("tbody td:nth-child(5)");
  await expect(accounts.first()).toHaveText(/\w/);
  expect(counter.clicks.length, counter.clicks.join(", ")).toBeLessThanOrEqual(4);
});
