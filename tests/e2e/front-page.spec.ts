import { expect, test } from "@playwright/test";
import { everyLook, look } from "./sound";

test("says what the service is and that it is ready, has three doors, fits its window and has nothing for axe to find", async ({
  page,
}, info) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Almanac" })).toBeVisible();
  await expect(page.getByText(/^One API over .* calendars/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Ready" })).toHaveAttribute("href", "/health");
  await expect(page.getByText(/^Version \d+\.\d+\.\d+/)).toBeVisible();
  const doors = page.getByRole("navigation", { name: "Get started" }).getByRole("link");
  const leads = await doors.evaluateAll((all) => all.map((door) => [door.ariaLabel, door.getAttribute("href")]));
  expect(leads).toEqual([
    ["Build", "/docs/quickstart"],
    ["Run", "/docs/install"],
    ["Operate", "/dashboard"],
  ]);
  await look(page, info, "front-page", everyLook);
});

test("sends no script, cannot be framed and asks no other host for anything", async ({ page }) => {
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).host));
  page.on("console", (message) => complaints.push(message.text()));
  const response = await page.goto("/");
  const headers = response?.headers() ?? {};
  expect(await page.locator("script").count()).toBe(0);
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(headers["content-security-policy"]).toMatch(/form-action 'self'$/);
  expect(headers["svc-request-id"]).toMatch(/^req_[0-9a-f]{24}$/);
  expect(new Set(asked).size).toBe(1);
  expect(complaints).toEqual([]);
});

for (const path of [
  "/404",
  "/500",
  "/_error",
  "/_not-found",
  "/_next/data/x/index.json",
  "/_next/image?url=%2Fx&w=64&q=75",
]) {
  test(`answers ${path}, which nobody asked Next for, as an unknown path: 404 with no HTML`, async ({ request }) => {
    const answer = await request.get(path);
    expect(answer.status()).toBe(404);
    expect(await answer.text()).toBe("");
  });
}
