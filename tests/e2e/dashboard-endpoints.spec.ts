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
  await page.getByRole("button", { name: "State" }).click();
  await page.getByLabel("Failing").check();
  await page.getByRole("button", { name: "Apply" }).click();
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
