import { expect, type Page } from "@playwright/test";
import { looks } from "./sound";
import { type Staffed, signIn, test } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

test("a table reaches the edges of its page, and where it ends there is one hairline", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/settings/alerts");
  // Another test may have chosen a format that has no secret.
  await page.getByLabel("Webhook format").selectOption("JSON");
  await page.getByLabel("Webhook URL").fill(`${staffed.receiver.origin}/lines`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "I’ve stored the secret" }).click();
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText("Webhook: sent.")).toBeVisible();
  for (const [path, table] of [
    ["/dashboard/settings/alerts", "Recent alerts"],
    ["/dashboard", "Disconnected or failing profiles"],
  ] as const) {
    for (const { viewport } of looks) {
      await page.setViewportSize(viewport);
      await page.goto(staffed.service.origin + path);
      await expect(page.getByRole("table", { name: table })).toBeVisible();
      await expect(page.locator(".skeleton")).toHaveCount(0);
      expect({ path, ...viewport, wrong: await linesOf(page) }).toEqual({ path, ...viewport, wrong: [] });
    }
  }
});

function linesOf(page: Page): Promise<string[]> {
  return page.getByRole("main").evaluate((main) => {
    const edges = main.getBoundingClientRect();
    const ruled = [...main.querySelectorAll("*")].filter((box) => getComputedStyle(box).borderTopWidth === "1px");
    const shown = [...main.querySelectorAll("table[aria-label]")].filter(({ clientWidth }) => clientWidth > 0);
    return shown.flatMap((table) => {
      const { left, right, bottom } = table.getBoundingClientRect();
      const isWhole = Math.abs(left - edges.left) <= 1 && Math.abs(right - edges.right) <= 1;
      const doubled = ruled.filter(
        (box) => !table.contains(box) && Math.abs(box.getBoundingClientRect().top - bottom) < 0.6,
      );
      return [
        ...(isWhole ? [] : [`${table.ariaLabel}: ${left} to ${right} in ${edges.left} to ${edges.right}`]),
        ...doubled.map((box) => `${table.ariaLabel}: a second hairline of <${box.localName}>`),
      ];
    });
  });
}
