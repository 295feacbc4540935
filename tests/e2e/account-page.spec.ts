import { expect, type Page } from "@playwright/test";
import { invitedDeveloper } from "./invited-developer";
import { tabTo } from "./keyboard";
import { mara } from "./people-data";
import { expectSound, look, looks, picture } from "./sound";
import { expectListening, type Staffed, signIn, test, watch } from "./staff";

const ACCOUNTS = "/dashboard/accounts";
const MARA = `${ACCOUNTS}/${mara.account}`;

/** The tabs, where each is, and something that it alone shows. */
const tabs = [
  { name: "Overview", path: "", shows: "Failed writes" },
  { name: "Timeline", path: "/timeline", shows: "What happened" },
  { name: "Calendars", path: "/calendars", shows: "Writes to providers" },
  { name: "Deliveries", path: "/deliveries", shows: "No open channel" },
  { name: "Requests", path: "/requests", shows: "No requests for this account" },
] as const;

let staffed: Staffed;
/** An account with deliveries and requests. */
let busy: string;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
  busy = `${ACCOUNTS}/${staffed.accounts[0]}`;
});

const main = (page: Page) => page.getByRole("main");
const panel = (page: Page) => page.getByRole("complementary");
const dialog = (page: Page) => page.getByRole("dialog");
const tabsOf = (page: Page) => page.getByRole("navigation", { name: "Account", exact: true });
const notes = (page: Page) =>
  main(page)
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Notes" }) });
const announced = (page: Page) => page.locator("#said");

for (const one of looks) {
  test.describe(`the pages of an account, ${one.colorScheme}, ${one.viewport.width} px`, () => {
    test.use(one);

    test("fit the window, break no policy, and axe finds nothing", async ({ page }, info) => {
      test.slow(); // axe looks at seven pages
      const seen = watch(page);
      await signIn(page, staffed, "/dashboard");
      for (const { name, path, shows } of tabs) {
        await page.goto(`${staffed.service.origin}${MARA}${path}`);
        await expectListening(page);
        await expect(main(page).getByText(shows, { exact: true }).first()).toBeVisible();
        await expectSound(page);
        await picture(page, info, `mara-${name}`);
      }
      for (const [path, table] of [
        ["/deliveries", "Deliveries"],
        ["/requests", "Requests"],
      ] as const) {
        await page.goto(`${staffed.service.origin}${busy}${path}`);
        await expect(page.getByRole("table", { name: table })).toBeVisible();
        await expectSound(page);
        await picture(page, info, `busy-${table}`);
      }
      expect(seen).toEqual({ complaints: [], outside: [] });
    });
  });
}

test("the tabs are reached by keyboard, each at its address, under one head", async ({ page }) => {
  await signIn(page, staffed, MARA);
  for (const { name, path, shows } of [...tabs.slice(1), tabs[0]]) {
    const link = tabsOf(page).getByRole("link", { name });
    await page.locator("body").press("Home");
    await tabTo(page, link);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${staffed.service.origin}${MARA}${path}`);
    await expect(main(page).getByText(shows, { exact: true }).first()).toBeVisible();
    await expect(tabsOf(page).locator("[aria-current=page]")).toContainText(name);
    await expect(main(page).getByRole("heading", { level: 1 })).toHaveText(mara.email);
    await expect(main(page).getByRole("list", { name: "Profile states" }).getByRole("listitem")).toHaveText([
      "ConnectedGoogle · mara@acme-scheduling.io",
      "DisconnectediCloud · mara.lind@example.net",
    ]);
    await expect(page.getByRole("button", { name: "Copy support summary" })).toBeVisible();
  }
  await expect(page).toHaveTitle(`${mara.email} · Almanac`);
  await expect(main(page).getByRole("link", { name: "Acme", exact: true })).toHaveAttribute(
    "href",
    /\/applications\/app_/,
  );
});

test("the overview has channels, recent webhooks, calendars, feeds and bookings, and links to the rest", async ({
  page,
}) => {
  await signIn(page, staffed, busy);
  for (const name of [
    "Profiles",
    "Failed writes",
    "Notes",
    "Channels",
    "Recent webhooks",
    "Calendars and feeds",
    "Bookings",
  ]) {
    await expect(main(page).getByRole("heading", { level: 2, name })).toBeVisible();
  }
  await expect(main(page).getByText("Failing", { exact: true })).toBeVisible();
  const recent = page.getByRole("table", { name: "Deliveries" });
  await expect(recent.locator("tbody tr")).toHaveCount(5);
  await recent.locator("tbody").getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`${busy}/deliveries\\?open=whd_`));
  await expect(panel(page)).toContainText("Callback URL");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(`${staffed.service.origin}${busy}/deliveries`);
});

test("deliveries and requests are those of the account, and stay on its page", async ({ page }) => {
  await signIn(page, staffed, `${busy}/deliveries`);
  const own = staffed.accounts[0] ?? "";
  const deliveries = page.getByRole("table", { name: "Deliveries" });
  await expect(deliveries).toBeVisible();
  for (const column of ["Application", "Account"]) {
    await expect(deliveries.getByRole("columnheader", { name: column })).toHaveCount(0);
  }
  await page
    .getByRole("navigation", { name: "State" })
    .getByRole("link", { name: /^Delivered/ })
    .click();
  await expect(page).toHaveURL(`${staffed.service.origin}${busy}/deliveries?state=delivered`);
  await expect(deliveries.locator("tbody tr").filter({ hasText: "Failed" })).toHaveCount(0);
  await deliveries.locator("tbody").getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`${busy}/deliveries\\?state=delivered&open=whd_`));
  await expect(panel(page).getByRole("link", { name: "room-1" })).toHaveAttribute("href", `${ACCOUNTS}/${own}`);
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);

  // A list of another account's stays this account's.
  await page.goto(`${staffed.service.origin}${busy}/requests?account=${mara.account}`);
  const requests = page.getByRole("table", { name: "Requests" });
  await expect(requests.locator("tbody").getByRole("link").first()).toBeVisible();
  await expect(requests.getByRole("columnheader", { name: "Account" })).toHaveCount(0);
  await requests.locator("tbody").getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`${busy}/requests\\?account=[^&]+&open=`));
  await expect(panel(page).getByRole("link", { name: "room-1" })).toHaveAttribute("href", `${ACCOUNTS}/${own}`);
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);
});

test("a row of the list opens a summary, which leads to the page", async ({ page }) => {
  await signIn(page, staffed, `${ACCOUNTS}?q=${mara.email}`);
  await page.getByRole("table", { name: "Accounts" }).getByRole("link", { name: mara.account }).click();
  await expect(page).toHaveURL(/&open=acc_/);
  await expect(panel(page)).toContainText(
    "Last 3 syncs failed: iCloud rejected the password. The user must reconnect.",
  );
  await page.keyboard.press("Escape");
  await expect(panel(page)).toHaveCount(0);
  await page.goto(`${staffed.service.origin}${ACCOUNTS}?open=${mara.account}`);
  await expectListening(page);
  await tabTo(page, panel(page).getByRole("link", { name: "Open account" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${staffed.service.origin}${MARA}`);
  await expect(main(page).getByRole("heading", { name: "Failed writes" })).toBeVisible();
});

test("the support summary is copied as it is now, without event text, and a failure is said", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await signIn(page, staffed, `${MARA}/requests`);
  const button = main(page).getByRole("button", { name: "Copy support summary" });
  await tabTo(page, button);
  await page.keyboard.press("Enter");
  await expect(announced(page)).toHaveText("Copied support summary");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  for (const part of [
    `Account: ${mara.email}\nAccount ID: ${mara.account}\nsub: ${mara.account}\n`,
    `Page: ${staffed.service.origin}${MARA}\n`,
    "Reason: Last 3 syncs failed: iCloud rejected the password. The user must reconnect.",
    "https://hooks.acme-scheduling.io/calendar: Closed since ",
    `- ${mara.refused} in cal_`,
    "Last delivery: none in the last 30 days",
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toMatch(/Stand-up|Dentist|authorize/);
  await expect(button).toBeVisible(); // it says so again after "Copied"
  await page.route("**/api/trpc/accounts.get*", (route) => route.abort());
  await button.click();
  await expect(main(page).getByRole("alert")).toHaveText(
    "Almanac can’t be reached. Check your connection and try again.",
  );
});

test("notes are added and deleted by those who may, and told apart by their authors", async ({
  page,
  browser,
}, info) => {
  test.slow(); // three people, and axe
  const account = staffed.accounts[1] ?? ""; // of Acme
  const path = `${ACCOUNTS}/${account}`;
  await signIn(page, staffed, path);
  await expect(notes(page)).toContainText("No notes yet.");
  await notes(page).getByRole("button", { name: "Add note" }).click();
  const field = notes(page).getByLabel("New note");
  await expect(field).toHaveAccessibleDescription("This must not be empty.");
  await expect(field).toBeFocused();
  await page.keyboard.type("Called back.\nReconnects on Monday.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const lines = notes(page).getByRole("listitem");
  await expect(lines).toHaveCount(1);
  await expect(lines.first()).toContainText("Called back.\nReconnects on Monday.");
  await expect(field).toHaveValue("");
  await expect(announced(page)).toHaveText("Note added");
  await expect(tabsOf(page).getByRole("link", { name: "Overview" })).toContainText("1 note");
  await look(page, info, "notes");

  const service = staffed.service;
  const lin = await invitedDeveloper(browser, page, {
    service,
    email: "lin@notes.test",
    name: "Lin",
    application: "Acme",
  });
  await lin.goto(service.origin + path);
  await expectListening(lin);
  await expect(notes(lin).getByRole("listitem")).toContainText("Called back.");
  await expect(notes(lin).getByRole("button", { name: /^Delete note/ })).toHaveCount(0);
  await notes(lin).getByLabel("New note").fill("<b>Seen</b>");
  await notes(lin).getByRole("button", { name: "Add note" }).click();
  await expect(notes(lin).getByRole("listitem").first()).toContainText("<b>Seen</b>");
  await expect(notes(lin).getByRole("listitem").first()).toContainText("Lin");
  await expect(notes(lin).getByRole("button", { name: /^Delete note/ })).toHaveCount(1);
  await lin.context().close();

  await page.reload();
  await expectListening(page);
  await expect(lines).toHaveCount(2);
  for (const left of [1, 0]) {
    await lines
      .first()
      .getByRole("button", { name: /^Delete note/ })
      .click();
    await expect(dialog(page)).toContainText("It’s deleted for everyone. This can’t be undone.");
    await dialog(page).getByRole("button", { name: "Delete note" }).click();
    await expect(lines).toHaveCount(left);
    await expect(notes(page).getByRole("heading", { name: "Notes" })).toBeFocused();
  }
  await expect(notes(page)).toContainText("No notes yet.");

  const kim = await invitedDeveloper(browser, page, {
    service,
    email: "kim@notes.test",
    name: "Kim",
    application: "North",
  });
  for (const { path: tab } of tabs) {
    expect((await kim.goto(service.origin + path + tab))?.status()).toBe(404);
    await expect(kim.getByRole("heading", { name: "Account not found" })).toBeVisible();
  }
  await kim.context().close();
});
