import { expect, type Locator, type Page } from "@playwright/test";
import { expectSound, looks } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

const APPLICATIONS = "/dashboard/applications";
let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const table = (page: Page) => page.getByRole("table", { name: "Applications" });
const panel = (page: Page) => page.getByRole("complementary", { name: /^Application app_/ });
const dialog = (page: Page) => page.getByRole("dialog");

for (const look of looks) {
  test.describe(`applications, ${look.colorScheme}, ${look.viewport.width} px`, () => {
    test.use(look);

    test("fit the window, break no policy, and axe finds nothing in list, form and panel", async ({ page }, info) => {
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
      await expect(panel(page).getByRole("heading", { name: "Client secrets" })).toBeVisible();
      await expectSound(page);
      await page.screenshot({ path: info.outputPath("panel.png") });
      await page.keyboard.press("Escape");
      await expect(panel(page)).toHaveCount(0);
      expect(seen).toEqual({ complaints: [], outside: [] });
    });
  });
}

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
  await expect(panel(page).getByRole("heading", { name: "Fjord Booking" })).toBeVisible();
  await expect(panel(page).getByText("https://fjord.example/callback")).toBeVisible();
  await expect(panel(page).getByText("Developer", { exact: true })).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  expect(await openCalendar({ client_id: clientId, client_secret: secret ?? "" })).toBe(200);
});

test("a secret is rotated: both are accepted, then the old one is retired and refused", async ({ page }) => {
  await openApplication(page, "North");
  await panel(page).getByRole("button", { name: "Add client secret" }).click();
  await page.getByLabel("Your password").fill("not my password");
  await page.getByRole("button", { name: "Add secret" }).click();
  await expect(page.getByText("This is not your password.")).toBeVisible();
  await page.getByLabel("Your password").fill(staffed.operator.password);
  await page.getByRole("button", { name: "Add secret" }).click();
  const secret = await dialog(page).getByRole("code").textContent();
  await page.getByRole("button", { name: "I’ve stored the secret" }).click();
  await expect(panel(page).getByText("Two secrets are active")).toBeVisible();
  await expect(panel(page).getByRole("button", { name: "Add client secret" })).toBeDisabled();
  expect(await openCalendar({ client_id: "north", client_secret: "north-secret" })).toBe(200);
  expect(await openCalendar({ client_id: "north", client_secret: secret ?? "" })).toBe(200);
  await panel(page).getByRole("button", { name: "Retire the client secret ending in cret" }).click();
  await dialog(page).getByRole("button", { name: "Retire" }).click();
  await expect(panel(page).getByText("Retired", { exact: true })).toBeVisible();
  await expect(panel(page).getByRole("button", { name: /^Retire/ })).toHaveCount(0);
  expect(await openCalendar({ client_id: "north", client_secret: "north-secret" })).toBe(401);
  expect(await openCalendar({ client_id: "north", client_secret: secret ?? "" })).toBe(200);
});

test("a redirect URI that is refused stays in its field with the reason, then a right one is added and removed", async ({
  page,
}) => {
  await openApplication(page, "Larch");
  const field = panel(page).getByLabel("Add redirect URI");
  await field.fill("https://larch.example/callback#top");
  await panel(page).getByRole("button", { name: "Add", exact: true }).click();
  await expectFault(field, "This must be an https URL, or http on loopback, without a fragment or credentials.");
  await expect(field).toHaveValue("https://larch.example/callback#top");
  await field.fill("https://larch.example/callback");
  await page.keyboard.press("Enter");
  await expect(panel(page).getByText("https://larch.example/callback")).toBeVisible();
  await expect(field).toHaveValue("");
  await field.fill("https://larch.example/callback");
  await page.keyboard.press("Enter");
  await expectFault(field, "This redirect URI is already registered.");
  await panel(page).getByRole("button", { name: "Remove https://larch.example/callback" }).click();
  await dialog(page).getByRole("button", { name: "Remove" }).click();
  await expect(panel(page).getByText("https://larch.example/callback")).toHaveCount(0);
});

test("name and plan are edited, and an empty name is refused at its field", async ({ page }) => {
  await openApplication(page, "Larch");
  await panel(page).getByRole("button", { name: "Edit" }).click();
  await dialog(page).getByLabel("Name").fill("");
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expectFault(dialog(page).getByLabel("Name"), "This must not be empty.");
  await expect(dialog(page).getByLabel("Name")).toBeFocused();
  await dialog(page).getByLabel("Name").fill("Larch & Sons");
  await dialog(page).getByLabel("Compatibility mode").check();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await expect(panel(page).getByRole("heading", { name: "Larch & Sons" })).toBeVisible();
  await expect(panel(page).getByText("Compatibility mode", { exact: true })).toBeVisible();
  await panel(page).getByRole("link", { name: "Deliveries" }).click();
  await expect(page).toHaveURL(/\/deliveries\?application=app_/);
});

async function openApplication(page: Page, name: string): Promise<void> {
  await signIn(page, staffed, APPLICATIONS);
  await table(page)
    .getByRole("link", { name: new RegExp(`^${name}`) })
    .click();
  await expect(panel(page).getByRole("heading", { name: "Redirect URIs" })).toBeVisible();
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
