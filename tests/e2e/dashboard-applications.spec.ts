import { expect, type Locator, type Page } from "@playwright/test";
import { tabTo } from "./keyboard";
import { expectSound, expectSoundIn, looks, picture } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

const APPLICATIONS = "/dashboard/applications";
let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const table = (page: Page) => page.getByRole("table", { name: "Applications" });
const main = (page: Page) => page.getByRole("main");
const tabs = (page: Page) => page.getByRole("navigation", { name: "Application", exact: true });
const dialog = (page: Page) => page.getByRole("dialog");

/** What each tab but the first shows, of an application that has a day's work behind it. */
const shownIn: Record<string, (page: Page) => Locator> = {
  Requests: (page) => page.getByRole("table", { name: "Requests" }),
  Errors: (page) => page.getByRole("table", { name: "Errors" }),
  Endpoints: (page) => page.getByRole("table", { name: "Endpoints" }),
  Accounts: (page) => page.getByRole("table", { name: "Accounts" }),
  Secrets: (page) => page.getByRole("heading", { name: "Client secrets" }),
};

for (const look of looks) {
  test.describe(`applications, ${look.colorScheme}, ${look.viewport.width} px`, () => {
    test.use(look);

    test("fit the window, break no policy, and axe finds nothing in list, form and tabs", async ({ page }, info) => {
      test.slow(); // axe looks at several pages
      const seen = watch(page);
      await signIn(page, staffed, APPLICATIONS);
      await expect(table(page).getByRole("row")).not.toHaveCount(1);
      await expectSound(page);
      await page.getByRole("button", { name: "Register application" }).click();
      await expect(dialog(page).getByLabel("Redirect URIs")).toBeVisible();
      await expectSound(page);
      await page.keyboard.press("Escape");
      await table(page).getByRole("link", { name: /^Acme/ }).click();
      await expect(main(page).getByRole("heading", { name: "Redirect URIs" })).toBeVisible();
      await expectSound(page);
      await picture(page, info, "overview");
      for (const [tab, shown] of Object.entries(shownIn)) {
        await tabs(page).getByRole("link", { name: tab }).click();
        await expect(tabs(page).getByRole("link", { name: tab })).toHaveAttribute("aria-current", "page");
        await expect(tabs(page).getByRole("link", { name: tab })).toBeInViewport({ ratio: 1 });
        await expect(shown(page)).toBeVisible();
        await expectSound(page);
        await picture(page, info, tab.toLowerCase());
      }
      expect(seen).toEqual({ complaints: [], outside: [] });
    });
  });
}

test("each tab has an address, shows this application alone and keeps its filters, and the keyboard reaches it", async ({
  page,
}) => {
  await openApplication(page, "Acme");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await expect(page).toHaveTitle("Acme · Almanac");
  await tabTo(page, tabs(page).getByRole("link", { name: "Requests" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/applications/${id}/requests$`));
  await expect(page).toHaveTitle("Requests · Acme · Almanac");
  await expect(page.getByRole("columnheader", { name: "Application" })).toHaveCount(0);
  await page.getByRole("table", { name: "Requests" }).locator("tbody").getByRole("link").first().click();
  const panel = page.getByRole("complementary", { name: /^Request / });
  await expect(panel.getByRole("link", { name: "Acme", exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(new RegExp(`/applications/${id}/requests$`));

  await tabs(page).getByRole("link", { name: "Errors" }).click();
  const rows = page.getByRole("table", { name: "Errors" }).getByRole("row");
  await rows.nth(1).getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`/applications/${id}/requests\\?.*method=`));
  await expect(page.getByRole("region", { name: "Active filters" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Application", exact: true })).toHaveCount(0);
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL(new RegExp(`/applications/${id}/requests$`));

  await tabs(page).getByRole("link", { name: "Accounts" }).click();
  const shown = page.getByRole("table", { name: "Accounts" }).getByRole("row");
  await expect(shown.nth(1)).toBeVisible();
  const inTab = (await shown.count()) - 1;
  await page.goto(`${staffed.service.origin}/dashboard/accounts?application=${id}`);
  await expect(page.getByRole("columnheader", { name: "Application" })).toBeVisible();
  await expect(page.getByRole("table", { name: "Accounts" }).getByRole("row")).toHaveCount(inTab + 1);
});

test("an application that does not exist is said to, on each of its pages, and an old address leads on", async ({
  page,
}) => {
  await signIn(page, staffed, `${APPLICATIONS}?open=app_none`);
  await expect(page).toHaveURL(/\/applications\/app_none$/);
  for (const tab of ["", "/requests", "/errors", "/accounts", "/secrets"]) {
    await page.goto(`${staffed.service.origin}${APPLICATIONS}/app_none${tab}`);
    await expect(main(page).getByRole("heading", { level: 1 })).toHaveText("Application not found");
    await expect(tabs(page)).toHaveCount(0);
  }
  await page.getByRole("link", { name: "Show all applications" }).click();
  await expect(table(page)).toBeVisible();
});

test("an application is registered with the secret that is shown once, and a refused form keeps what was typed", async ({
  page,
}) => {
  await signIn(page, staffed, APPLICATIONS);
  await page.getByRole("button", { name: "Register application" }).click();
  await dialog(page).getByLabel("Name").fill("Fjord Booking");
  await dialog(page).getByLabel("Plan").selectOption("developer");
  await dialog(page).getByLabel("Redirect URIs").fill("https://fjord.example/callback\nhttp://fjord.example/callback");
  await dialog(page).getByRole("button", { name: "Register" }).click();
  await expect(dialog(page).getByText("Redirect URI 2 must be an https URL, or http on loopback")).toBeVisible();
  await expect(dialog(page).getByLabel("Name")).toHaveValue("Fjord Booking");
  await dialog(page).getByLabel("Redirect URIs").fill("https://fjord.example/callback");
  await dialog(page).getByRole("button", { name: "Register" }).click();
  await expect(dialog(page).getByText("Copy the client secret now")).toBeVisible();
  await page.keyboard.press("Escape");
  const [clientId, secret] = await dialog(page).getByRole("code").allInnerTexts();
  await page.getByRole("button", { name: "I’ve stored the secret" }).click();
  await expect(main(page).getByRole("heading", { name: "Fjord Booking" })).toBeVisible();
  await expect(main(page).getByText("https://fjord.example/callback")).toBeVisible();
  await expect(main(page).getByText("Developer plan", { exact: true })).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  expect(await openCalendar({ client_id: clientId, client_secret: secret ?? "" })).toBe(200);
});

test("a secret is rotated: both are accepted, then the old one is retired and refused", async ({ page }) => {
  await openApplication(page, "North");
  await tabs(page).getByRole("link", { name: "Secrets" }).click();
  await main(page).getByRole("button", { name: "Add client secret" }).click();
  await page.getByLabel("Your password").fill("not my password");
  await page.getByRole("button", { name: "Add secret" }).click();
  await expect(page.getByText("This is not your password.")).toBeVisible();
  await page.getByLabel("Your password").fill(staffed.operator.password);
  await page.getByLabel("Expires").selectOption("After 30 days");
  await expectSoundIn(page);
  await page.getByRole("button", { name: "Add secret" }).click();
  const secret = await dialog(page).getByRole("code").textContent();
  await page.getByRole("button", { name: "I’ve stored the secret" }).click();
  await expect(main(page).getByText("Two secrets are active")).toBeVisible();
  await expect(main(page).getByText("expires in 1 mo")).toBeVisible();
  await expect(main(page).getByRole("button", { name: "Add client secret" })).toBeDisabled();
  expect(await openCalendar({ client_id: "north", client_secret: "north-secret" })).toBe(200);
  expect(await openCalendar({ client_id: "north", client_secret: secret ?? "" })).toBe(200);
  await main(page).getByRole("button", { name: "Retire the client secret ending in cret" }).click();
  await dialog(page).getByRole("button", { name: "Retire" }).click();
  await expect(main(page).getByText("Retired", { exact: true })).toBeVisible();
  await expect(main(page).getByRole("button", { name: /^Retire/ })).toHaveCount(0);
  expect(await openCalendar({ client_id: "north", client_secret: "north-secret" })).toBe(401);
  expect(await openCalendar({ client_id: "north", client_secret: secret ?? "" })).toBe(200);
});

test("a redirect URI that is refused stays in its field with the reason, then a right one is added and removed", async ({
  page,
}) => {
  await openApplication(page, "Larch");
  const field = main(page).getByLabel("Add redirect URI");
  await field.fill("https://larch.example/callback#top");
  await main(page).getByRole("button", { name: "Add", exact: true }).click();
  await expectFault(field, "This must be an https URL, or http on loopback, without a fragment or credentials.");
  await expect(field).toHaveValue("https://larch.example/callback#top");
  await field.fill("https://larch.example/callback");
  await page.keyboard.press("Enter");
  await expect(main(page).getByText("https://larch.example/callback")).toBeVisible();
  await expect(field).toHaveValue("");
  await field.fill("https://larch.example/callback");
  await page.keyboard.press("Enter");
  await expectFault(field, "This redirect URI is already registered.");
  await main(page).getByRole("button", { name: "Remove https://larch.example/callback" }).click();
  await dialog(page).getByRole("button", { name: "Remove" }).click();
  await expect(main(page).getByText("https://larch.example/callback")).toHaveCount(0);
});

test("an OAuth client of a provider that isn’t set up is refused, and what was typed stays", async ({ page }) => {
  await openApplication(page, "Larch");
  await main(page).getByRole("button", { name: "Set client: Google" }).click();
  await dialog(page).getByLabel("Client ID").fill("larch.apps.googleusercontent.com");
  await dialog(page).getByLabel("Client secret").fill("a secret of Larch");
  await expectSoundIn(page);
  await dialog(page).getByRole("button", { name: "Save client" }).click();
  await expect(dialog(page).getByText("Google isn’t set up in this installation.")).toBeVisible();
  await expect(dialog(page).getByLabel("Client ID")).toHaveValue("larch.apps.googleusercontent.com");
  await page.keyboard.press("Escape");
  await expect(main(page).getByText("This installation’s client")).toHaveCount(2);
});

test("name and plan are edited, and an empty name is refused at its field", async ({ page }) => {
  await openApplication(page, "Larch");
  await main(page).getByRole("button", { name: "Edit" }).click();
  await dialog(page).getByLabel("Name").fill("");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expectFault(dialog(page).getByLabel("Name"), "This must not be empty.");
  await expect(dialog(page).getByLabel("Name")).toBeFocused();
  await dialog(page).getByLabel("Name").fill("Larch & Sons");
  await dialog(page).getByLabel("Compatibility mode").check();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(main(page).getByRole("heading", { name: "Larch & Sons" })).toBeVisible();
  await expect(main(page).getByText("Compatibility mode", { exact: true })).toBeVisible();
  await main(page).getByRole("link", { name: "Deliveries" }).click();
  await expect(page).toHaveURL(/\/deliveries\?application=app_/);
});

async function openApplication(page: Page, name: string): Promise<void> {
  await signIn(page, staffed, APPLICATIONS);
  await table(page)
    .getByRole("link", { name: new RegExp(`^${name}`) })
    .click();
  await expect(main(page).getByRole("heading", { name: "Redirect URIs" })).toBeVisible();
}

async function expectFault(field: Locator, sentence: string): Promise<void> {
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription(sentence);
}

async function openCalendar(credentials: { client_id?: string; client_secret?: string }): Promise<number> {
  const { status } = await fetch(`${staffed.service.origin}/v1/application_calendars`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...credentials, application_calendar_id: "desk-1" }),
  });
  return status;
}
