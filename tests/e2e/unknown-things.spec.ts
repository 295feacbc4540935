import { expect, type Page } from "@playwright/test";
import { expectListening, type Staffed, signIn, test, watch } from "./staff";

const NONE = "0".repeat(24);

/** What each page about something unknown is called, and says. */
const unknown: Record<string, { path: string; says: string }> = {
  account: { path: `/dashboard/accounts/acc_${NONE}`, says: "Account not found" },
  "account's calendars": { path: `/dashboard/accounts/acc_${NONE}/calendars`, says: "Account not found" },
  "account's deliveries": { path: `/dashboard/accounts/acc_${NONE}/deliveries`, says: "Account not found" },
  "account's requests": { path: `/dashboard/accounts/acc_${NONE}/requests`, says: "Account not found" },
  "account's timeline": { path: `/dashboard/accounts/acc_${NONE}/timeline`, says: "Account not found" },
  event: { path: `/dashboard/events/evt_${NONE}`, says: "Event not found" },
  application: { path: `/dashboard/applications/app_${NONE}`, says: "Application not found" },
  "application's secrets": { path: `/dashboard/applications/app_${NONE}/secrets`, says: "Application not found" },
  endpoint: { path: `/dashboard/endpoints/chn_${NONE}`, says: "Endpoint not found" },
  delivery: { path: `/dashboard/deliveries/whd_${NONE}`, says: "Delivery not found" },
  request: { path: "/dashboard/requests/00000000-0000-7000-8000-000000000000", says: "Request not found" },
  operator: { path: `/dashboard/settings/team/opr_${NONE}`, says: "Operator not found" },
};

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const main = (page: Page) => page.getByRole("main");
const headline = (page: Page) => main(page).getByRole("heading", { level: 1 });
const rail = (page: Page) => page.getByRole("navigation", { name: "Dashboard" });

for (const [thing, { path, says }] of Object.entries(unknown)) {
  test(`an unknown ${thing} has the status 404, and the rest of the dashboard is a click or a key away`, async ({
    page,
  }) => {
    const seen = watch(page);
    await signIn(page, staffed, "/dashboard");
    const response = await page.goto(`${staffed.service.origin}${path}`);
    expect(response?.status()).toBe(404);
    await expectListening(page);
    await expect(page.getByText(says, { exact: true }).first()).toBeVisible();
    const address = page.url();
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));

    await rail(page).getByRole("link", { name: "Endpoints" }).click();
    await expect(headline(page)).toHaveText("Endpoints");
    await expect(page.getByRole("table", { name: "Endpoints" })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(address);
    await expect(page.getByText(says, { exact: true }).first()).toBeVisible();
    await chooseInPalette(page, "Overview");
    await expect(headline(page)).toHaveText("Overview");
    await page.goBack();
    await expect(page.getByText(says, { exact: true }).first()).toBeVisible();
    await page.goForward();
    await expect(headline(page)).toHaveText("Overview");
    // All of it by the router: none of it was a document of its own.
    expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
    expect(seen).toEqual({ complaints: [expect.stringContaining("status of 404")], outside: [] });
  });
}

test("an unknown thing is reached from a known page by its ID, and left again by its links", async ({ page }) => {
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard/requests");
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  const typed: [string, string, string][] = [
    [`app_${NONE}`, "Application not found", "Show all applications"],
    [`chn_${NONE}`, "Endpoint not found", "Show all endpoints"],
  ];
  for (const [id, says, all] of typed) {
    await chooseInPalette(page, id);
    await expect(main(page).getByText(says)).toBeVisible();
    await page.goBack();
    await expect(main(page).getByText(says)).toHaveCount(0);
    await page.goForward();
    await main(page).getByRole("link", { name: all }).click();
    await expect(headline(page)).toHaveText(all.replace("Show all a", "A").replace("Show all e", "E"));
  }
  await chooseInPalette(page, `whd_${NONE}`);
  await expect(page.getByRole("complementary")).toContainText("Delivery not found");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary").filter({ hasText: "not found" })).toHaveCount(0);
  await expect(headline(page)).toHaveText("Deliveries");
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
  expect(seen).toEqual({ complaints: [], outside: [] });
});

/** Types into the palette, and takes its first proposal. */
async function chooseInPalette(page: Page, typed: string): Promise<void> {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Page, ID, URL, email or action" });
  await field.fill(typed);
  await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(field).toHaveCount(0);
}
