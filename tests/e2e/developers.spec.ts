import { expect, type Page } from "@playwright/test";
import { acceptInvitation, PASSWORD, visitor } from "./invited-developer";
import { look } from "./sound";
import { expectListening, type Staffed, signIn, test, watch } from "./staff";

/** The pages of the sidebar that developers have: of one application, and of several. */
const OPEN = ["Application", "Deliveries", "Endpoints", "Requests", "Accounts", "Settings"];
const OPEN_OF_SEVERAL = ["Overview", "Deliveries", "Endpoints", "Requests", "Accounts", "Applications", "Settings"];
const LISTS = ["Deliveries", "Endpoints", "Requests", "Accounts"];

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const dialog = (page: Page) => page.getByRole("dialog");
const section = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

/** An admin invites somebody to Acme on its page; gives the link that is shown. */
async function invite(page: Page, email: string): Promise<string> {
  await page.getByRole("button", { name: "Invite developer…" }).click();
  await dialog(page).getByLabel("Email").fill(email);
  await dialog(page).getByRole("button", { name: "Invite", exact: true }).click();
  await expect(dialog(page)).toContainText(`Invitation for ${email}`);
  const link = (await dialog(page).locator("code").textContent()) ?? "";
  await dialog(page).getByRole("button", { name: "I’ve copied the link" }).click();
  await expect(dialog(page)).toHaveCount(0);
  return link;
}

async function openAcme(page: Page): Promise<string> {
  await signIn(page, staffed, "/dashboard/applications");
  await page.getByRole("table", { name: "Applications" }).getByRole("link", { name: /^Acme/ }).click();
  await expect(section(page, "Developers")).toBeVisible();
  return new URL(page.url()).pathname;
}

test("an admin invites a developer, who sees their application alone until they are removed", async ({
  page,
  browser,
}, info) => {
  test.slow(); // axe looks at several pages
  const seen = watch(page);
  const path = await openAcme(page);
  const link = await invite(page, "aino@almanac.test");
  await expect(section(page, "Developers")).toContainText("aino@almanac.test");

  const aino = await visitor(browser);
  await acceptInvitation(aino, link, "Aino");
  await expect(aino).toHaveURL(staffed.service.origin + path);
  await expect(aino.getByRole("heading", { level: 1, name: "Acme" })).toBeVisible();
  const navigation = aino.getByRole("navigation", { name: "Dashboard" });
  await expect(navigation.getByRole("link")).toHaveText(OPEN.map((name) => new RegExp(name)));
  for (const list of LISTS) {
    await navigation.getByRole("link", { name: list }).click();
    await expect(aino.getByRole("table", { name: list, exact: true })).toBeVisible();
    await expect(aino.getByRole("main")).not.toContainText("North");
  }
  await navigation.getByRole("link", { name: "Application" }).click();
  await expect(aino.getByRole("heading", { level: 1, name: "Acme" })).toBeVisible();
  await aino.goto(`${staffed.service.origin}/dashboard`);
  await expect(aino).toHaveURL(staffed.service.origin + path);
  await aino.context().clearCookies();
  await signIn(aino, { ...staffed, operator: { email: "aino@almanac.test", password: PASSWORD } }, "/dashboard");
  await expect(aino).toHaveURL(staffed.service.origin + path);
  await look(aino, info, "developer-application");
  await aino.getByRole("link", { name: "Secrets" }).click();
  await expect(aino.getByRole("button", { name: /^Add (client )?secret/ })).toBeVisible();
  await aino.goto(`${staffed.service.origin}/dashboard/applications`);
  await expect(aino.getByRole("table", { name: "Applications" }).getByRole("link")).toHaveText([/^Acme/]);

  const again = await visitor(browser);
  await again.goto(link);
  await expect(again.getByRole("alert")).toHaveText("This invitation has already been used. Each link works once.");
  await expect(again.getByLabel("Password", { exact: true })).toHaveCount(0);

  await page.reload();
  await section(page, "Developers").getByRole("button", { name: "Remove Aino" }).click();
  await dialog(page).getByRole("button", { name: "Remove", exact: true }).click();
  await expect(section(page, "Developers")).not.toContainText("Aino");
  await aino.goto(staffed.service.origin + path);
  await expect(aino.getByRole("heading", { name: "Application not found" })).toBeVisible();
  await aino.goto(`${staffed.service.origin}/dashboard/applications`);
  await expect(aino.getByText("You don’t have an application yet")).toBeVisible();
  await aino.goto(`${staffed.service.origin}/dashboard`);
  await expect(aino.getByRole("heading", { name: "You don’t have an application yet" })).toBeVisible();
  await look(aino, info, "developer-empty");
  await page.goto(`${staffed.service.origin}/dashboard/applications`);
  await page
    .getByRole("table", { name: "Applications" })
    .getByRole("link", { name: /^Larch/ })
    .click();
  await expect(section(page, "Developers")).toContainText("No developers yet.");
  expect(seen).toEqual({ complaints: [], outside: [] });
});

test("an invitation is revoked, or accepted by its page, which says what is wrong", async ({ page, browser }, info) => {
  test.slow(); // axe looks at several pages
  await openAcme(page);
  const link = await invite(page, "kim@almanac.test");
  const kim = await visitor(browser);
  const seen = watch(kim);
  await kim.goto(link);
  await expect(kim.getByText("You’re invited to the dashboard as a developer of Acme.")).toBeVisible();
  await look(kim, info, "invitation");
  await kim.getByLabel("Your name").fill("Kim");
  await kim.getByLabel("Password", { exact: true }).fill("short");
  await kim.getByLabel("Confirm password").fill("short");
  await kim.getByRole("button", { name: "Accept invitation" }).click();
  await expect(kim.getByText("Password must have at least 12 characters.")).toBeVisible();
  await expect(kim.getByLabel("Password", { exact: true })).toBeFocused();
  await look(kim, info, "invitation-fault");

  await signIn(page, staffed, "/dashboard/settings/team");
  const pending = section(page, "Pending invitations");
  await expect(pending).toContainText("kim@almanac.test");
  await look(page, info, "team");
  await pending.getByRole("button", { name: "Revoke the invitation for kim@almanac.test" }).click();
  await dialog(page).getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByText("kim@almanac.test")).toHaveCount(0);
  await kim.goto(link);
  await expect(kim.getByRole("alert")).toContainText("This invitation was revoked or replaced");
  await look(kim, info, "invitation-revoked");
  expect(seen.outside).toEqual([]);
});

test("admins give a developer more applications and take them away, among the operators", async ({
  page,
  browser,
}, info) => {
  test.slow(); // axe looks at several pages
  await signIn(page, staffed, "/dashboard/settings/team");
  await page.getByRole("button", { name: "Invite developer…" }).click();
  await dialog(page).getByLabel("Email").fill("noor@almanac.test");
  await dialog(page).getByRole("button", { name: "Invite", exact: true }).click();
  await expect(dialog(page)).toContainText("Choose at least one application.");
  await dialog(page).getByLabel("Acme").check();
  await expect(dialog(page)).not.toContainText("Choose at least one application.");
  await dialog(page).getByLabel("Acme").uncheck();
  await expect(dialog(page)).toContainText("Choose at least one application.");
  await dialog(page).getByLabel("Acme").check();
  await look(page, info, "invite");
  await dialog(page).getByRole("button", { name: "Invite", exact: true }).click();
  await expect(dialog(page)).toContainText("Invitation for noor@almanac.test");
  await look(page, info, "invited");
  const link = (await dialog(page).locator("code").textContent()) ?? "";
  await dialog(page).getByRole("button", { name: "I’ve copied the link" }).click();
  await expect(section(page, "Pending invitations")).toContainText("expires in 7 d");
  const noor = await visitor(browser);
  await acceptInvitation(noor, link, "Noor");
  await expect(noor.getByRole("heading", { level: 1, name: "Acme" })).toBeVisible();

  await page.reload();
  await expectListening(page);
  await page.getByRole("link", { name: /operator noor@/ }).click();
  const panel = page.getByRole("complementary");
  const applications = panel.locator("section").filter({ has: page.getByRole("heading", { name: "Applications" }) });
  await expect(applications).toContainText("Acme");
  await applications.getByLabel("Add an application").selectOption({ label: "North" });
  await applications.getByRole("button", { name: "Add", exact: true }).click();
  await expect(applications.getByRole("link", { name: "North" })).toBeVisible();
  await look(page, info, "developer");
  await noor.goto(`${staffed.service.origin}/dashboard`);
  await expect(noor.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(noor.getByRole("heading", { name: /^Background/ })).toHaveCount(0);
  const navigation = noor.getByRole("navigation", { name: "Dashboard" });
  await expect(navigation.getByRole("link")).toHaveText(OPEN_OF_SEVERAL.map((name) => new RegExp(name)));
  await navigation.getByRole("link", { name: "Applications" }).click();
  await expect(noor.getByRole("table", { name: "Applications" }).getByRole("link")).toHaveText([/^Acme/, /^North/]);
  await noor.goBack();
  await look(noor, info, "developer-overview");
  await applications.getByRole("button", { name: "Remove Acme" }).click();
  await dialog(page).getByRole("button", { name: "Remove", exact: true }).click();
  await expect(applications.getByRole("link", { name: "Acme" })).toHaveCount(0);
  await page.goto(`${staffed.service.origin}/dashboard/settings/audit`);
  await expect(page.getByRole("table", { name: "Audit trail" })).toContainText("Removed developer");
  await expect(page.getByRole("table", { name: "Audit trail" })).toContainText("Accepted invitation");
});
