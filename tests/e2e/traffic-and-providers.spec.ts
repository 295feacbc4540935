import { expect } from "@playwright/test";
import { look } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

test("requests are charted over a day, and over the range in the URL", async ({ page }, info) => {
  test.slow(); // axe looks at two pages in both widths
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard/requests");
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Traffic" }).click();
  await expect(page.getByRole("table", { name: "Requests per hour" })).toBeAttached();
  await expect(page.getByRole("table", { name: "Latency per hour" })).toBeAttached();
  await look(page, info, "traffic");
  await page.goto(`${staffed.service.origin}/dashboard/requests/traffic?range=1h`);
  await expect(page.getByRole("table", { name: "Requests per minute" }).getByRole("row")).toHaveCount(61);
  const route = page.getByRole("table", { name: "Errors and latency by route" }).getByRole("link").first();
  await route.click();
  await expect(page).toHaveURL(/\/dashboard\/requests\?method=.*endpoint=.*range=1h/);
  expect(seen).toEqual({ complaints: [], outside: [] });
});

test("the overview leads to the health of providers", async ({ page }, info) => {
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard");
  await page.getByRole("link", { name: "Provider health" }).click();
  await expect(page.getByRole("heading", { name: "Providers", level: 1 })).toBeVisible();
  await expect(page.getByRole("table", { name: "Providers" }).getByText("iCloud").first()).toBeVisible();
  await look(page, info, "providers");
  expect(seen).toEqual({ complaints: [], outside: [] });
});
