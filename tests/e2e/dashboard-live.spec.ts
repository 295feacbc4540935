import { expect } from "@playwright/test";
import pg from "pg";
import { type Staffed, signIn, test } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

test("a page whose session is ended elsewhere leads to the sign-in page, and back from there", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/deliveries?state=failed");
  await expect(page.getByRole("table", { name: "Deliveries" })).toBeVisible();
  await endSessions();
  await expect(page).toHaveURL(/\/dashboard\/sign-in\?from=%2Fdashboard%2Fdeliveries%3Fstate%3Dfailed$/);
  await expect(page.getByLabel("Password")).toBeVisible();
});

test("a page says since when it is not up to date while Almanac can't be reached, and no longer once it can", async ({
  page,
}) => {
  await signIn(page, staffed, "/dashboard/deliveries");
  const notice = page.getByRole("status").getByText(/^Can’t reach Almanac\. Last updated at \d\d:\d\d\.$/);
  await page.route("**/api/trpc/**", (route) => route.fulfill({ status: 500, body: "" }));
  await expect(notice).toBeVisible();
  await page.unroute("**/api/trpc/**");
  await expect(notice).toHaveCount(0);
});

test("an action that is refused because the session has ended carries a link to the sign-in page", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/settings/team");
  await page.getByRole("button", { name: "Add operator" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Bo");
  await dialog.getByLabel("Email").fill("bo@almanac.test");
  await endSessions();
  await dialog.getByRole("button", { name: "Add operator" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("You’re signed out. Sign in again.");
  await dialog.getByRole("link", { name: "Sign in again" }).click();
  await expect(page).toHaveURL(/\/dashboard\/sign-in\?from=%2Fdashboard%2Fsettings%2Fteam$/);
});

async function endSessions(): Promise<void> {
  const client = new pg.Client({ connectionString: staffed.databaseUrl });
  await client.connect();
  await client.query("UPDATE operator_sessions SET ended_at = now()");
  await client.end();
}
