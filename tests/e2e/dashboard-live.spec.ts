import { expect } from "@playwright/test";
import { rowsOf } from "./database";
import { scriptHeaders } from "./invited-developer";
import { expectListening, type Staffed, signIn, test } from "./staff";

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

test("a page that Almanac is too busy for says so, and is there without another click", async ({ page }) => {
  test.slow(); // it is tried until the page is refused
  await signIn(page, staffed, "/dashboard/deliveries");
  const { origin } = staffed.service;
  const batch = (calls: number) => {
    const names = Array.from({ length: calls }, () => "applications.names").join(",");
    return page.request.get(`${origin}/api/trpc/${names}?batch=1`, { headers: scriptHeaders(origin) });
  };
  /** All of an operator's calls, and then each that is due. */
  const drain = () => Promise.all([...Array(6).fill(20), ...Array(80).fill(1)].map(batch));
  const busy = page.getByRole("heading", { name: "Almanac is busy right now" });
  const list = page.getByRole("table", { name: "Requests", exact: true });
  await expect(async () => {
    await page.goto(`${origin}/dashboard/deliveries`);
    await expectListening(page);
    const draining = drain();
    await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Requests" }).click();
    await expect(busy.or(list)).toBeVisible();
    const text = await page.getByRole("main").textContent();
    await draining;
    expect(text).toMatch(/Nothing was changed\. This page tries again in \d seconds?\./);
  }).toPass();
  await expect(list).toBeVisible();
  await expect(busy).toHaveCount(0);
});

async function endSessions(): Promise<void> {
  await rowsOf(staffed.databaseUrl, "UPDATE operator_sessions SET ended_at = now()");
}
