import { expect } from "@playwright/test";
import { look } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

test("alerts have a switch and a quiet time, and a test arrives at the webhook", async ({ page }, info) => {
  test.slow(); // axe looks at two pages in both widths
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard/settings");
  await page.getByRole("link", { name: "Alerts" }).click();
  await expect(page.getByText("Email is off.")).toBeVisible();
  const hint = page.getByText("Save before you send a test.");
  await expect(hint).toHaveCount(0);
  const failing = page.getByRole("group", { name: "Endpoint failing" });
  await failing.getByLabel("Webhook").check();
  await failing.getByLabel("At most one alert every").selectOption("15 minutes");
  await page.getByLabel("Webhook URL").fill(staffed.receiver.url("/alerts"));
  await expect(hint).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test" })).toBeDisabled();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "I’ve stored the secret" }).click();
  await expect(hint).toHaveCount(0);
  await page.getByRole("button", { name: "Send test" }).click();
  await expect(page.getByText("Webhook: sent.")).toBeVisible();
  const { json } = await staffed.receiver.next(({ json }) => json.alert?.type === "test");
  expect(json.alert.state).toBe("test");
  await expect(page.getByRole("table", { name: "Recent alerts" })).toBeVisible();
  const rejected = page.getByRole("group", { name: "Rejected requests" });
  await rejected.getByLabel("Percent of requests").fill("101");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Alert 4 must be a whole number from 1 to 100.")).toBeVisible();
  expect(seen.complaints.splice(0)).toEqual([expect.stringContaining("422")]);
  await rejected.getByLabel("Percent of requests").fill("30");
  await page.getByLabel("Webhook format").selectOption("Slack");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(hint).toHaveCount(0);
  await page.getByRole("button", { name: "Send test" }).click();
  await staffed.receiver.next(({ json }) => json.text === "Test alert");
  await page.reload();
  await expect(rejected.getByLabel("Percent of requests")).toHaveValue("30");
  await look(page, info, "staff");
  await page.goto(`${staffed.service.origin}/dashboard/applications`);
  await page
    .getByRole("main")
    .getByRole("link", { name: /^North/ })
    .click();
  await page.getByRole("link", { name: "Alerts" }).click();
  await expect(page.getByRole("group", { name: "Account disconnected" })).toBeVisible();
  await look(page, info, "application");
  expect(seen).toEqual({ complaints: [], outside: [] });
});
