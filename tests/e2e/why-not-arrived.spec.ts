import { expect, type Page } from "@playwright/test";
import { expectListening, type Staffed, test } from "./staff";

/** Clicks and keys from the sign-in page to the answer; typing into a field counts once. */
const MOST_STEPS = 8;

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

test("why a webhook did not arrive is read from the sign-in page on in a few steps", async ({ page }, info) => {
  const steps: string[] = [];
  const step = async (name: string, action: () => Promise<unknown>) => {
    steps.push(name);
    await action();
  };
  const failed = await failedDelivery(page);
  await page.context().clearCookies();
  await page.goto(`${staffed.service.origin}/dashboard`);
  await step("email", () => page.getByLabel("Email").fill(staffed.operator.email));
  await step("password", () => page.getByLabel("Password").fill(staffed.operator.password));
  await step("Enter", () => page.keyboard.press("Enter"));
  await expectListening(page);
  await step("Ctrl+K", () => page.keyboard.press("Control+k"));
  await step("the id that the developer named", () => page.getByRole("combobox").fill(failed));
  await step("Enter", () => page.keyboard.press("Enter"));
  const panel = page.getByRole("complementary", { name: `Delivery ${failed}` });
  await expect(panel.getByRole("heading", { name: "Attempts" })).toBeVisible();
  await page.screenshot({ path: info.outputPath("answer.png") });
  await expect(panel.getByText("Failed", { exact: true }).first()).toBeVisible();
  expect(steps.length, steps.join(", ")).toBeLessThanOrEqual(MOST_STEPS);
  info.annotations.push({ type: "steps", description: `${steps.length}: ${steps.join(", ")}` });
});

/** The id of a delivery that failed, as its developer would know it from their own log. */
async function failedDelivery(page: Page): Promise<string> {
  await page.goto(`${staffed.service.origin}/dashboard/sign-in?from=/dashboard/deliveries?state=failed`);
  await page.getByLabel("Email").fill(staffed.operator.email);
  await page.getByLabel("Password").fill(staffed.operator.password);
  await page.keyboard.press("Enter");
  const row = page.getByRole("table", { name: "Deliveries" }).getByRole("link").first();
  const href = (await row.getAttribute("href")) ?? "";
  return new URL(href, staffed.service.origin).searchParams.get("open") ?? "";
}
