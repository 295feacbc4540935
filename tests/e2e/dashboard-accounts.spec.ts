import { expect, type Page } from "@playwright/test";
import { mara } from "./people-data";
import { expectSound, looks, picture } from "./sound";
import { expectListening, type Staffed, signIn, test, watch } from "./staff";

const ACCOUNTS = "/dashboard/accounts";
const SETTINGS = "/dashboard/settings";
const TEAM = `${SETTINGS}/team`;
const support = { email: "bo@almanac.test", password: "a-password-for-bo" };
let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const table = (page: Page) => page.getByRole("table", { name: "Accounts" });
const main = (page: Page) => page.getByRole("main");
const panel = (page: Page) => page.getByRole("complementary");
const dialog = (page: Page) => page.getByRole("dialog");

for (const look of looks) {
  test.describe(`accounts and settings, ${look.colorScheme}, ${look.viewport.width} px`, () => {
    test.use(look);

    test("fit the window, break no policy, and axe finds nothing", async ({ page }, info) => {
      test.slow(); // axe looks at several pages
      const seen = watch(page);
      await signIn(page, staffed, ACCOUNTS);
      await expect(table(page).getByRole("row").nth(5)).toBeVisible();
      await expectSound(page);
      await table(page).getByRole("link", { name: mara.account }).click();
      await expect(panel(page).getByRole("heading", { name: "Profiles" })).toBeVisible();
      await expectSound(page);
      await picture(page, info, "account");
      await page.goto(`${staffed.service.origin}${TEAM}`);
      await page.getByRole("table", { name: "Operators" }).getByRole("link").first().click();
      await expect(panel(page).getByText("this session")).toBeVisible();
      await expectSound(page);
      for (const path of [`${SETTINGS}/profile`, `${SETTINGS}/audit`]) {
        await page.goto(`${staffed.service.origin}${path}`);
        await expectListening(page);
        await expectSound(page);
      }
      expect(seen).toEqual({ complaints: [], outside: [] });
    });
  });
}

test("an account is found by its email, by an id of its own and by its application_calendar_id", async ({ page }) => {
  await signIn(page, staffed, ACCOUNTS);
  const hosted = staffed.accounts[0] ?? "";
  for (const [typed, found] of [
    ["MARA@acme", mara.account],
    ["pro_b2b2b2b2b2b2b2b2b2b2b2b2", mara.account],
    [hosted, hosted],
  ] as const) {
    await search(page, typed);
    await expect(table(page).locator("tbody").getByRole("link")).toHaveCount(1);
    await expect(table(page).locator("tbody").getByRole("link")).toHaveAccessibleName(new RegExp(found));
  }
  await search(page, "room-1");
  await expect(table(page).locator("tbody").getByRole("link")).toHaveCount(3);
  await search(page, "nobody@");
  await expect(page.getByText("No matching accounts")).toBeVisible();
});

test("the filters show the accounts with a disconnected profile", async ({ page }) => {
  await signIn(page, staffed, ACCOUNTS);
  await page.getByRole("button", { name: "Profiles" }).click();
  await page.getByRole("link", { name: "Any disconnected" }).click();
  await expect(page).toHaveURL(/\?disconnected=true$/);
  await expect(table(page).locator("tbody").getByRole("link")).toHaveCount(1);
});

test("a refused write is shown with its reason and retried; a profile that cannot be read says so", async ({
  page,
}) => {
  await signIn(page, staffed, `${ACCOUNTS}/${mara.account}`);
  const write = main(page).getByRole("listitem").filter({ hasText: mara.refused });
  await expect(write).toContainText("Google returned valid-calendar-data.");
  await expect(write).toContainText("Rejected");
  await write.getByRole("button", { name: "Retry now" }).click();
  await expect(write).toContainText("Retrying");
  const profile = main(page).getByRole("listitem").filter({ hasText: "Google" });
  await profile.getByRole("button", { name: "Sync now" }).click();
  await expect(profile.getByRole("alert")).toHaveText("This profile isn’t connected to a provider.");
});

test("a disconnected profile says what waits for it and gives the link with which its user reconnects", async ({
  page,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, staffed, `${ACCOUNTS}/${mara.account}`);
  const profile = main(page).getByRole("listitem").filter({ hasText: "Send this link to the user" });
  await expect(profile).toContainText("Last 3 syncs failed: iCloud rejected the password. The user must reconnect.");
  await expect(profile).toContainText("3 writes wait until mara.lind@example.net reconnects. Disconnected 3 d ago.");
  for (const name of [mara.waiting, mara.givenUp]) {
    const write = main(page).getByRole("listitem").filter({ hasText: name });
    await expect(write).toContainText("Waiting for reconnect");
    await expect(write.getByRole("button", { name: "Retry now" })).toHaveCount(0);
  }
  const link = (await profile.getByRole("code").first().textContent()) ?? "";
  expect(link).toMatch(
    /\/oauth\/authorize\?response_type=code&client_id=acme&redirect_uri=https%3A%2F%2F.*&provider_name=apple$/,
  );
  await profile.getByRole("button", { name: "Copy reconnect link" }).click();
  await expect(profile.getByRole("button", { name: "Copied" })).toBeVisible();
  await page.goto(link);
  await expect(page.getByText("iCloud").first()).toBeVisible();
});

test("an account is revoked once its end was confirmed, and its token with it", async ({ page }) => {
  const opened = await openCalendar("desk-9");
  await signIn(page, staffed, `${ACCOUNTS}/${opened.account_id}`);
  await main(page).getByRole("button", { name: "Revoke" }).click();
  await expect(dialog(page)).toContainText("will be deleted");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  expect(await accountStatus(opened.access_token)).toBe(200);
  await main(page).getByRole("button", { name: "Revoke" }).click();
  await dialog(page).getByRole("button", { name: "Revoke account" }).click();
  await expect(main(page).getByText("Revoked", { exact: true }).first()).toBeVisible();
  await expect(main(page).getByRole("button", { name: "Revoke" })).toHaveCount(0);
  expect(await accountStatus(opened.access_token)).toBe(401);
});

test("support is added, signs in, and neither sees nor may do what is an admin’s", async ({ page, browser }) => {
  await signIn(page, staffed, TEAM);
  await page.getByRole("button", { name: "Add operator" }).click();
  await dialog(page).getByLabel("Name").fill("Bo");
  await dialog(page).getByLabel("Email").fill(staffed.operator.email);
  await dialog(page).getByRole("button", { name: "Add operator" }).click();
  await expect(dialog(page).getByText("This is already used by another operator.")).toBeVisible();
  await dialog(page).getByLabel("Email").fill(support.email);
  await dialog(page).getByRole("button", { name: "Add operator" }).click();
  const password = (await dialog(page).getByRole("code").textContent()) ?? "";
  await page.getByRole("button", { name: "I’ve shared the password" }).click();
  await expect(panel(page).getByRole("heading", { name: "Bo" })).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  const bo = { service: staffed.service, operator: { email: support.email, password } };
  await signIn(other, bo, TEAM);
  await expect(other).toHaveURL(/\/settings\/profile$/);
  await expectListening(other);
  await expect(other.getByRole("button", { name: "Change password" })).toBeVisible();
  await expect(other.getByRole("navigation", { name: "Settings" })).toHaveCount(0);
  await changePassword(other, { current: "not the password", next: support.password });
  await expect(other.getByText("This is not your password.")).toBeVisible();
  await changePassword(other, { current: password, next: support.password });
  await expect(other.getByText("Password changed.")).toBeVisible();
  await other.goto(`${staffed.service.origin}${ACCOUNTS}/${mara.account}`);
  await expect(main(other).getByRole("button", { name: "Sync now" })).toBeVisible();
  await expect(main(other).getByRole("button", { name: "Revoke" })).toHaveCount(0);
  await other.goto(`${staffed.service.origin}/dashboard/applications`);
  await expect(other.getByRole("table", { name: "Applications" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Register application" })).toHaveCount(0);
  expect(await procedure(other, "accounts.revoke", { id: mara.account })).toBe(403);
  expect(await procedure(other, "operators.list")).toBe(403);

  await page.reload();
  await expectListening(page);
  await panel(page).getByRole("button", { name: "End session" }).first().click();
  await expect(panel(page).getByText("Ended", { exact: true })).toBeVisible();
  await other.reload();
  await expect(other).toHaveURL(/\/sign-in/);
  await other.context().close();
});

test("the last admin stays one, and the audit trail says who did what", async ({ page }) => {
  await signIn(page, staffed, TEAM);
  const row = page.getByRole("table", { name: "Operators" }).getByRole("link", { name: staffed.operator.email });
  await row.click();
  await panel(page).getByRole("button", { name: "Make support" }).click();
  await dialog(page).getByRole("button", { name: "Make support" }).click();
  await expect(dialog(page).getByRole("alert")).toHaveText(
    "This is the last admin. Make another operator an admin first.",
  );
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await page.goto(`${staffed.service.origin}${SETTINGS}/audit?object=${mara.account}`);
  const trail = page.getByRole("table", { name: "Audit trail" });
  await expect(trail.getByRole("row").nth(1)).toContainText("ada@almanac.test (admin)");
  await expect(trail.getByRole("row").nth(1)).toContainText("Retried write");
});

async function search(page: Page, typed: string): Promise<void> {
  await page.getByRole("searchbox").fill(typed);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`q=${encodeURIComponent(typed)}$`));
}

async function changePassword(page: Page, { current, next }: { current: string; next: string }): Promise<void> {
  await page.getByLabel("Current password").fill(current);
  await page.getByLabel("New password", { exact: true }).fill(next);
  await page.getByLabel("Confirm new password").fill(next);
  await page.getByRole("button", { name: "Change password" }).click();
}

async function openCalendar(name: string): Promise<{ account_id: string; access_token: string }> {
  const answer = await fetch(`${staffed.service.origin}/v1/application_calendars`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: "acme", client_secret: "acme-secret", application_calendar_id: name }),
  });
  return await answer.json();
}

async function accountStatus(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${staffed.service.origin}/v1/account`, { headers })).status;
}

/** Asks the procedure itself, with the session of the page: the status of its answer. */
async function procedure(page: Page, name: string, input?: object): Promise<number> {
  return await page.evaluate(
    async ([path, body]) => {
      const headers = { "x-trpc-source": "dashboard", "content-type": "application/json" };
      const answer = await fetch(`/api/trpc/${path}`, { method: body ? "POST" : "GET", headers, body });
      return answer.status;
    },
    [name, input && JSON.stringify(input)] as const,
  );
}
