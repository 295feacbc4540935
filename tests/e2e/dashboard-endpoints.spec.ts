import { expect, type Page } from "@playwright/test";
import { look } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const table = (page: Page) => page.getByRole("table", { name: "Endpoints" });
const rows = (page: Page) => table(page).locator("tbody tr");

test("the endpoints show how each does, are narrowed by state and found by a URL alone", async ({ page }, info) => {
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard/endpoints");
  await expect(rows(page).filter({ hasText: "hooks-1" }).first()).toBeVisible();
  await look(page, info, "endpoints");
  await expect(rows(page).first()).toContainText("Failing");
  await page
    .getByRole("navigation", { name: "State" })
    .getByRole("link", { name: /^Failing \d+$/ })
    .click();
  await expect(page).toHaveURL(/state=failing/);
  await expect(rows(page).filter({ hasText: "Active" })).toHaveCount(0);
  await page.goto(`${staffed.service.origin}/dashboard/endpoints`);
  await page.getByRole("searchbox", { name: "Search endpoints" }).fill("https://hooks-1.acme-scheduling.io/calendar");
  await page.keyboard.press("Enter");
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole("searchbox", { name: "Search endpoints" }).fill("https://nobody.io");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No matching endpoints")).toBeVisible();
  expect(seen).toEqual({ complaints: [], outside: [] });
});

test("selected endpoints are paused and resumed together, and the worst can be sorted first", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/endpoints?q=hooks-2.acme-scheduling.io");
  const selection = page.getByRole("region", { name: "Selection" });
  const changes = [
    ["Pause", "Paused", /Paused/],
    ["Resume", "Resumed", /Active|Failing/],
  ] as const;
  // By name, since a row moves when the state of its endpoint or of another one changes.
  const boxes = rows(page).getByRole("checkbox");
  await expect(boxes).toHaveCount(3);
  const labels = await boxes.evaluateAll((inputs) => inputs.slice(0, 2).map((input) => input.ariaLabel ?? ""));
  for (const [verb, past, state] of changes) {
    for (const label of labels) await page.getByRole("checkbox", { name: label, exact: true }).check();
    await selection.getByRole("button", { name: `${verb}…` }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `${verb} 2 endpoints` })
      .click();
    await expect(selection.getByText(`${past} 2 endpoints.`)).toBeVisible();
    for (const label of labels) {
      const row = rows(page).filter({ has: page.getByRole("checkbox", { name: label, exact: true }) });
      await expect(row).toContainText(state);
    }
  }
  await page.goto(`${staffed.service.origin}/dashboard/endpoints`);
  await table(page).getByRole("link", { name: "Failures" }).click();
  await expect(page).toHaveURL(/sort=failures/);
  await expect(table(page).getByRole("columnheader", { name: /^Failures/ })).toHaveAttribute("aria-sort", "descending");
});

test("an endpoint says how it does and why it fails, is tried, retried since a time, paused, resumed and closed", async ({
  page,
}, info) => {
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard/endpoints?q=hooks-1.acme-scheduling.io");
  await rows(page).first().getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("hooks-1.acme-scheduling.io/calendar");
  await expect(page.getByText("DNS lookup failed for hooks-1.acme-scheduling.io").first()).toBeVisible();
  await expect(page.getByText(/^[\d,]+ attempts$/)).toBeVisible();
  await page.getByRole("link", { name: "7 days" }).click();
  await expect(page).toHaveURL(/range=7d/);
  await look(page, info, "endpoint");

  await page.getByRole("button", { name: "Retry since…" }).click();
  const retry = page.getByRole("dialog", { name: "Retry deliveries created since" });
  await expect(retry.getByText(/^(No deliveries match|[\d,]+ \w+)/)).toBeVisible();
  await look(page, info, "endpoint-retry");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: /^Retry \d+ waiting now$/ }).click();
  await expect(page.getByRole("region", { name: "Bulk retry" })).toContainText(/Retried ?\d+ of \d+/);

  const change = async (name: string, state: string) => {
    await page.getByRole("button", { name: `${name}…` }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: `${name} endpoint` })
      .click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("main").getByText(state, { exact: true }).first()).toBeVisible();
  };
  await change("Pause", "Paused");
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByRole("table", { name: "Deliveries" }).getByText("test").first()).toBeVisible();
  await expect(page.getByRole("main").getByText(/^Test failed: DNS lookup failed in /)).toBeVisible();
  await change("Resume", "Failing");
  await change("Close", "Closed");
  await expect(page.getByRole("button", { name: "Send test event" })).toHaveCount(0);
  await page.getByRole("table", { name: "Deliveries" }).locator("tbody a").first().click();
  await expect(page.getByRole("complementary").getByRole("link", { name: /^hooks-1\.acme/ })).toBeVisible();
  expect(seen).toEqual({ complaints: [], outside: [] });
});
