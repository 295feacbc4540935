import { expect } from "@playwright/test";
import { signIn, test } from "./staff";

const lists = [
  "deliveries",
  "endpoints",
  "accounts",
  "requests",
  "requests/errors",
  "applications",
  "settings/team",
  "settings/audit",
];

test("no table is wider than its window, at any width", async ({ page, staffed }) => {
  await signIn(page, staffed, "/dashboard");
  for (const list of lists) {
    await page.goto(`${staffed.service.origin}/dashboard/${list}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator(".skeleton")).toHaveCount(0);
    for (const width of [1280, 1024, 768, 600, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll("div:has(> table[aria-label])")]
          .filter((box) => box.scrollWidth > box.clientWidth)
          .map((box) => `${box.scrollWidth} in ${box.clientWidth} px`),
      );
      expect({ list, width, wide }).toEqual({ list, width, wide: [] });
    }
  }
});

test("a callback URL that does not fit is cut in the middle: its end differs from others", async ({
  page,
  staffed,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, staffed, "/dashboard/endpoints");
  const first = page.getByRole("table", { name: "Endpoints" }).locator("tbody tr").first();
  const url = first.locator("span[title]").filter({ visible: true }).first();
  const whole = (await url.getAttribute("title")) ?? "";
  await expect(url).toHaveText(whole);
  const [box, cell] = [await url.locator("span").last().boundingBox(), await first.locator("td").nth(1).boundingBox()];
  expect(whole.endsWith((await url.locator("span").last().textContent()) ?? "-")).toBe(true);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0));
});
