import { expect, type Page } from "@playwright/test";
import { expectSound, linesOf, looks, picture } from "./sound";
import { expectListening, type Staffed, signIn, test, watch } from "./staff";

const SETTINGS = "/dashboard/settings";
const TABS = ["Team", "Audit", "Alerts", "Profile"];
let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const trail = (page: Page) => page.getByRole("table", { name: "Audit trail" });
const tabs = (page: Page) => page.getByRole("navigation", { name: "Settings" });
const views = (page: Page) => page.getByRole("navigation", { name: "Views" });
const filters = (page: Page) => page.getByRole("region", { name: "Active filters" });

for (const look of looks) {
  test.describe(`settings, ${look.colorScheme}, ${look.viewport.width} px`, () => {
    test.use(look);

    test("fit the window, break no policy, and axe finds nothing", async ({ page }, info) => {
      test.slow(); // axe looks at several pages
      const seen = watch(page);
      await signIn(page, staffed, `${SETTINGS}/team`);
      for (const path of [
        "team",
        "audit",
        "audit?view=sign_ins&range=1h",
        "audit?object=none_1",
        "alerts",
        "profile",
      ]) {
        await page.goto(`${staffed.service.origin}${SETTINGS}/${path}`);
        await expectListening(page);
        await expectSound(page);
        await picture(page, info, path.replace(/\W+/g, "-"));
      }
      expect(seen).toEqual({ complaints: [], outside: [] });
    });
  });
}

test("the tabs and the views of the audit trail are reached with the keyboard", async ({ page }) => {
  await signIn(page, staffed, SETTINGS);
  await expect(page).toHaveURL(/\/settings\/team$/);
  await expect(tabs(page).getByRole("link")).toHaveText(TABS);
  for (const [i, name] of TABS.entries()) {
    await tabs(page).getByRole("link", { name }).focus();
    if (i > 0) {
      await page.keyboard.press("Shift+Tab");
      await expect(tabs(page).getByRole("link", { name: TABS[i - 1] })).toBeFocused();
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/settings/${name.toLowerCase()}$`));
    await expect(tabs(page).locator("[aria-current]")).toHaveText(name);
    await expect(page).toHaveTitle(`${name} · Almanac`);
  }
  await page.goto(`${staffed.service.origin}${SETTINGS}/audit`);
  await expectListening(page);
  await views(page).getByRole("link", { name: "Changes" }).focus();
  for (const [name, view] of [
    ["Reads", "reads"],
    ["Sign-ins", "sign_ins"],
  ] as const) {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/settings/audit\\?view=${view}$`));
    await expect(views(page).locator("[aria-current]")).toHaveText(name);
    await expect(views(page).getByRole("link", { name })).toBeFocused();
  }
});

test("addresses from before lead on, with what they show", async ({ page }) => {
  await signIn(page, staffed, "/dashboard/operators");
  await expect(page).toHaveURL(`${staffed.service.origin}${SETTINGS}/team`);
  await page.getByRole("table", { name: "Operators" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/open=opr_/);
  const id = new URL(page.url()).searchParams.get("open") ?? "";
  for (const [old, path] of [
    [id, `team?open=${id}`],
    [`audit?operatorId=${id}`, `audit?operatorId=${id}`],
    ["alerts", "alerts"],
    ["me", "profile"],
  ] as const) {
    await page.goto(`${staffed.service.origin}/dashboard/operators/${old}`);
    await expect(page).toHaveURL(`${staffed.service.origin}${SETTINGS}/${path}`);
    await expectListening(page);
  }
});

test("the audit trail has changes, reads and sign-ins apart, narrowed by filters that its address has", async ({
  page,
}) => {
  await signIn(page, staffed, "/dashboard/deliveries");
  await page.getByRole("table", { name: "Deliveries" }).locator("tbody").getByRole("link").first().click();
  await expect(page.getByRole("complementary")).toBeVisible();
  await changeAcme(page);
  await page.goto(`${staffed.service.origin}${SETTINGS}/audit`);
  await expectListening(page);
  await expect(trail(page)).toContainText("Updated application");
  await expect(trail(page)).not.toContainText(/Viewed|Signed in/);

  await page.getByRole("button", { name: "Application", exact: true }).click();
  await page.getByRole("link", { name: "Acme", exact: true }).click();
  await expect(page).toHaveURL(/\?application=app_\w+$/);
  await page.getByRole("button", { name: "Action", exact: true }).click();
  await page.getByLabel("Updated application").check();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/action=application\.changed/);
  await expect(trail(page).getByRole("row").nth(1)).toContainText("Updated application");
  await page.getByRole("button", { name: "Time", exact: true }).click();
  await page.getByRole("link", { name: "Last hour" }).click();
  await expect(page).toHaveURL(/range=1h/);
  await page.reload();
  await expectListening(page);
  await expect(filters(page)).toContainText(/last hour.*Acme|Acme.*last hour/i);
  await expect(trail(page).getByRole("row").nth(1)).toContainText("Updated application");

  // Nothing was looked at of the application itself. The action belongs to the view that was left.
  await views(page).getByRole("link", { name: "Reads" }).click();
  await expect(page).toHaveURL((url) => !url.searchParams.has("action") && url.searchParams.has("application"));
  await expect(page.getByText("No matching entries")).toBeVisible();
  await page.getByRole("link", { name: "Show all entries" }).click();
  await expect(page).toHaveURL(/\/audit\?view=reads$/);
  await expect(trail(page)).toContainText("Viewed delivery");
  await expect(trail(page)).not.toContainText(/Updated application|Signed in/);
  await views(page).getByRole("link", { name: "Sign-ins" }).click();
  await expect(trail(page)).toContainText("Signed in");
  await expect(trail(page)).not.toContainText(/Updated application|Viewed delivery/);

  await page.goto(`${staffed.service.origin}${SETTINGS}/audit?view=writes`);
  await expect(page.getByText("Invalid filters")).toBeVisible();
  await page.getByRole("searchbox").fill("opr_none");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/object=opr_none/);
});

test("what the audit trail shows can be taken away as a file, which the trail says", async ({ page }) => {
  await signIn(page, staffed, `${SETTINGS}/audit`);
  await changeAcme(page);
  await page.goto(`${staffed.service.origin}${SETTINGS}/audit?action=application.changed`);
  await expectListening(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("audit.csv");
  const [names, ...rows] = await linesOf(await download.createReadStream());
  expect(names).toBe("at,operator_id,operator,action,object,detail,ip_address,request_id");
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter((row) => !row.includes(",application.changed,app_"))).toEqual([]);
  await views(page).getByRole("link", { name: "Reads" }).click();
  await expect(trail(page).getByRole("row").nth(1)).toContainText("Exported audit trail");
});

/** An admin changes an application, and back. */
async function changeAcme(page: Page): Promise<void> {
  const ask = (procedure: string, input?: object) =>
    page.evaluate(
      async ([path, body]) => {
        const headers = { "x-trpc-source": "dashboard", "content-type": "application/json" };
        const answer = await fetch(`/api/trpc/${path}`, { method: body ? "POST" : "GET", headers, body });
        return (await answer.json()).result?.data;
      },
      [procedure, input && JSON.stringify(input)] as const,
    );
  const applications: { id: string; name: string }[] = await ask("applications.names");
  const id = applications.find(({ name }) => name === "Acme")?.id ?? "";
  await ask("applications.update", { id, plan: "developer" });
  await ask("applications.update", { id, plan: "standard" });
}
