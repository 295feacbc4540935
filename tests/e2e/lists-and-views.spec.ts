import { expect, type Page } from "@playwright/test";
import { rowsOf } from "./database";
import { tabTo } from "./keyboard";
import { expectSoundIn, look } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const head = (page: Page, name: RegExp) => page.getByRole("columnheader", { name });
const menu = (page: Page, name: RegExp | string) => page.getByRole("button", { name });
const item = (page: Page, name: RegExp | string) => page.getByRole("menuitem", { name });
const palette = (page: Page) => page.getByRole("combobox", { name: "Page, ID, URL, email or action" });

test("a list is sorted with the keyboard alone, by its heads, and where they are hidden by the menu", async ({
  page,
}, info) => {
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard/accounts");
  await expect(head(page, /^Created/)).toHaveAttribute("aria-sort", "descending");
  await tabTo(page, head(page, /^Account/).getByRole("link"));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/accounts\?sort=name$/);
  await expect(head(page, /^Account/)).toHaveAttribute("aria-sort", "ascending");
  await expect(head(page, /^Created/)).not.toHaveAttribute("aria-sort");
  const names = page.locator("tbody tr td:nth-child(2)");
  await expect(async () => {
    // Below a name stand its application and more.
    const texts = await names.evaluateAll((cells) => cells.map((cell) => cell.firstChild?.textContent ?? ""));
    const shown = texts.map((name) => name.toLowerCase());
    expect(shown.length).toBeGreaterThan(5);
    expect(shown).toEqual([...shown].sort());
  }).toPass({ timeout: 60_000 });
  await head(page, /^Account/)
    .getByRole("link")
    .click();
  await expect(page).toHaveURL(/\/accounts$/);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${staffed.service.origin}/dashboard/deliveries?sort=oldest`);
  await page.getByRole("link", { name: "Next →" }).click();
  await expect(page.getByRole("link", { name: "← Previous" })).toBeVisible();
  await page.goto(`${staffed.service.origin}/dashboard/deliveries`);
  await expect(head(page, /^Next attempt/)).toBeHidden();
  await menu(page, "Sort: Newest first").click();
  await page.getByRole("menuitemradio", { name: "Next attempt first" }).press("Enter");
  await expect(page).toHaveURL(/\/deliveries\?sort=nextAttempt$/);
  await expect(menu(page, "Sort: Next attempt first")).toBeVisible();
  await look(page, info, "sorted");
  expect(seen).toEqual({ complaints: [], outside: [] });
});

test("requests are sorted by how long they took, within a time range", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/requests");
  await head(page, /^Duration/)
    .getByRole("link")
    .click();
  await expect(page).toHaveURL(/sort=slowest&range=24h$/);
  await expect(page.getByRole("region", { name: "Active filters" })).toContainText("last 24 hours");
  await expect(head(page, /^Duration/)).toHaveAttribute("aria-sort", "descending");
});

test("filters are saved as a view, opened, changed, found by the search, renamed and deleted", async ({
  page,
}, info) => {
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard/requests");
  await menu(page, /^Views/).click();
  await expect(page.getByRole("menu")).toContainText("None yet. Set filters or an order");
  await expectSoundIn(page);
  await page.keyboard.press("Escape");
  await page.goto(`${staffed.service.origin}/dashboard/requests?statusClass=4xx&sort=oldest`);
  await menu(page, /^Views/).click();
  await item(page, "Save as new view…").click();
  const dialog = page.getByRole("dialog", { name: "Save view" });
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText(/is required|empty|at least/)).toBeVisible();
  await look(page, info, "save-view");
  await dialog.getByLabel("Name").fill("Oldest errors");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/statusClass=4xx&sort=oldest&view=svw_\w+$/);
  const open = page.url();
  await expect(menu(page, /^Oldest errors/)).toBeVisible();

  await page.getByRole("link", { name: /^Remove filter Status/ }).click();
  await menu(page, /^Oldest errors, changed/).click();
  await item(page, "Update “Oldest errors”").click();
  await expect(menu(page, /^Oldest errors$/)).toBeVisible();
  await page.goto(open);
  await menu(page, /^Oldest errors, changed/).click();
  await item(page, "Update “Oldest errors”").click();

  await page.goto(`${staffed.service.origin}/dashboard`);
  await page.keyboard.press("Control+k");
  await palette(page).fill("oldest err");
  await expect(page.getByRole("option", { name: /^View: Oldest errors/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/requests\?(statusClass=4xx&sort=oldest|sort=oldest&statusClass=4xx)&view=svw_\w+$/);

  await menu(page, /^Oldest errors/).click();
  await item(page, "Rename “Oldest errors”…").click();
  await page.getByRole("dialog").getByLabel("Name").fill("Old errors");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await menu(page, /^Old errors/).click();
  await item(page, "Delete “Old errors”…").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete view" }).click();
  await expect(page).toHaveURL(/\/requests\?(?!.*view=)/);
  await expect(menu(page, /^Views/)).toBeVisible();
  await page.goto(`${staffed.service.origin}/dashboard/views/svw_none`);
  await expect(page.getByText("View not found")).toBeVisible();
  expect(seen.outside).toEqual([]);
  expect(seen.complaints.filter((text) => !/404|422/.test(text))).toEqual([]);
});

test("the search retries the delivery that is open, copies its ID and leads to what it belongs to", async ({
  page,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const id = await failedDelivery();
  await signIn(page, staffed, `/dashboard/deliveries?open=${id}`);
  const panel = page.getByRole("complementary", { name: /^Delivery whd_/ });
  await expect(panel.getByRole("heading", { name: "Attempts" })).toBeVisible();
  const choose = async (action: string) => {
    await page.keyboard.press("Control+k");
    await palette(page).fill(action);
    await expect(page.getByRole("option", { name: action, exact: true })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
  };
  await choose("Copy delivery ID");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  await choose("Retry now");
  await staffed.receiver.next(({ headers }) => headers["svc-delivery-id"] === id, 60_000);
  await expect(panel.getByText("Delivered", { exact: true }).first()).toBeVisible();
  await choose("Open timeline");
  await expect(page).toHaveURL(/\/accounts\/\w+\/timeline/);
});

/** Makes the receiver's last delivery a failed one; gives its id. Those that failed before, others may have retried. */
async function failedDelivery(): Promise<string> {
  const statement = `UPDATE deliveries SET state = 'failed', last_status = 503
WHERE id = (SELECT id FROM deliveries WHERE host = $1 AND state = 'delivered' ORDER BY created_at DESC LIMIT 1) RETURNING id`;
  return (await rowsOf(staffed.databaseUrl, statement, [new URL(staffed.receiver.origin).host]))[0].id;
}
