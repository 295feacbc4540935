import { expect, type Page } from "@playwright/test";
import { rowsOf } from "./database";
import { look } from "./sound";
import { expectListening, type Staffed, signIn, test, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const dialog = (page: Page) => page.getByRole("dialog");

/** Registers an application of a name in the dashboard; gives its credentials. */
async function register(page: Page, name: string): Promise<{ client_id: string; client_secret: string }> {
  await signIn(page, staffed, "/dashboard/applications");
  await page.getByRole("button", { name: "Register application…" }).click();
  await dialog(page).getByLabel("Name").fill(name);
  await dialog(page).getByRole("button", { name: "Register", exact: true }).click();
  await expect(dialog(page)).toContainText("Application registered");
  const [client_id = "", client_secret = ""] = await dialog(page).locator("code").allTextContents();
  await page.getByRole("button", { name: "I’ve stored the secret" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  return { client_id, client_secret };
}

test("an admin deletes an application by typing its name, and everything of it is refused from then on", async ({
  page,
}, info) => {
  test.slow(); // axe looks at three pages
  const seen = watch(page);
  const credentials = await register(page, "Juniper");
  const path = new URL(page.url()).pathname;
  const body = JSON.stringify({ ...credentials, application_calendar_id: "room" });
  const post = { method: "POST", body, headers: { "content-type": "application/json" } };
  const open = () => fetch(`${staffed.service.origin}/v1/application_calendars`, post);
  const opened = await open();
  expect(opened.status).toBe(200);
  const { access_token } = await opened.json();
  const read = () =>
    fetch(`${staffed.service.origin}/v1/calendars`, { headers: { authorization: `Bearer ${access_token}` } });
  expect((await read()).status).toBe(200);

  await page.getByRole("button", { name: "Delete…" }).click();
  await expect(dialog(page)).toContainText("This can’t be undone.");
  await dialog(page)
    .getByLabel(/^Type “Juniper”/)
    .fill("juniper");
  await dialog(page).getByRole("button", { name: "Delete application" }).click();
  await expect(dialog(page)).toContainText("must be the name of the application");
  await expect(dialog(page).getByRole("textbox")).toBeFocused();
  await look(page, info, "delete");
  expect((await read()).status).toBe(200);
  await dialog(page).getByRole("textbox").fill("Juniper");
  await dialog(page).getByRole("button", { name: "Delete application" }).click();
  await expect(page.getByText("Deleting.")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  for (const name of ["Delete…", "Disable…", "Enable"]) {
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
  }
  expect([(await read()).status, (await open()).status]).toEqual([401, 401]);
  await look(page, info, "deleting");

  await page.goto(`${staffed.service.origin}${path}/requests`);
  const requests = page.getByRole("table", { name: "Requests" });
  await expect(requests.getByText("application_disabled")).toHaveCount(4); // two requests, in a wide and a narrow column
  await look(page, info, "refused");
  await requests.locator("tbody").getByRole("link").first().click();
  await expect(page.getByRole("complementary")).toContainText("The application is disabled.");
  await page.goto(`${staffed.service.origin}/dashboard/settings/audit`);
  await expect(page.getByRole("table", { name: "Audit trail" })).toContainText("Deleted application");
  expect(seen).toEqual({ complaints: [expect.stringContaining("status of 422")], outside: [] }); // the name in lower case
});

test("a deleted application is erased, and then its page and that of its account say that they are not found", async ({
  page,
}) => {
  const credentials = await register(page, "Rowan");
  const application = new URL(page.url()).pathname;
  const opened = await page.request.post(`${staffed.service.origin}/v1/application_calendars`, {
    data: { ...credentials, application_calendar_id: "rowan-room" },
  });
  expect(opened.status()).toBe(200);
  const { sub } = await opened.json();
  const account = `/dashboard/accounts/${sub}/calendars`;
  expect((await page.goto(staffed.service.origin + account))?.status()).toBe(200);
  await page.goto(staffed.service.origin + application);
  await expectListening(page);
  await page.getByRole("button", { name: "Delete…" }).click();
  await dialog(page).getByRole("textbox").fill("Rowan");
  await dialog(page).getByRole("button", { name: "Delete application" }).click();
  await expect(page.getByText("Deleting.")).toBeVisible();

  await eraseNow();
  await expect(async () => {
    expect((await page.reload())?.status()).toBe(404);
  }).toPass();
  await expect(page.getByRole("main")).toContainText("Application not found");
  expect((await page.goto(staffed.service.origin + account))?.status()).toBe(404);
  await expect(page.getByRole("main")).toContainText("Account not found");
  await expectListening(page);
  await page.getByRole("link", { name: "Applications" }).first().click();
  const table = page.getByRole("table", { name: "Applications" });
  await expect(table).toContainText("Acme");
  await expect(table).not.toContainText("Rowan");
});

/** The chore has not been done for an hour, so the next sweep has it done. */
async function eraseNow(): Promise<void> {
  const due =
    "UPDATE chores SET done_at = now() - interval '1 hour' WHERE id = 'erase-deleted-applications' RETURNING id";
  expect(await rowsOf(staffed.databaseUrl, due)).toHaveLength(1);
}
