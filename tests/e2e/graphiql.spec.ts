import { expect, type Response } from "@playwright/test";
import { everyLook, look } from "./sound";
import { test } from "./staff";

test("GraphiQL leads whoever is signed out to the sign-in page", async ({ page, staffed }) => {
  await page.goto(`${staffed.service.origin}/api/graphql`);
  await expect(page).toHaveURL(/\/dashboard\/sign-in\?from=%2Fapi%2Fgraphql$/);
});

test("GraphiQL shows the schema and runs a query without a request to anybody else or a complaint", async ({
  page,
  staffed: { service, operator },
}, info) => {
  const complaints: string[] = [];
  const asked = new Set<string>();
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(`${service.origin}/dashboard/sign-in`);
  await page.getByLabel("Email").fill(operator.email);
  await page.getByLabel("Password").fill(operator.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
  complaints.length = 0;
  page.context().on("request", (request) => asked.add(originOf(request.url())));
  const files: Response[] = [];
  page.on("response", (response) => {
    if (/\/api\/graphql\/[0-9a-f]{32}\.(?:css|js)$/.test(response.url())) files.push(response);
  });
  await page.goto(`${service.origin}/api/graphql`);
  // Until both editors are made the button does nothing.
  await expect(page.locator(".graphiql-query-editor .view-lines")).toContainText("deliveries");
  await expect(page.locator(".result-window .monaco-editor")).toBeVisible();
  await page.getByRole("button", { name: /Execute query/ }).click();
  await expect(page.locator(".result-window")).toContainText('"deliveries"');
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await page.getByRole("link", { name: "Query", exact: true }).click();
  await expect(page.getByText("Read-only access to what the dashboard shows.")).toBeVisible();
  expect([...asked].filter((origin) => origin !== service.origin && origin !== "data:")).toEqual([]);
  expect(complaints).toEqual([]);
  expect(files).toHaveLength(2);
  for (const file of files) expect(await keptAs(file)).toEqual({ isKept: true, isCompressed: true });
  // The editor takes its time to follow a change of the theme, so the page is opened again, as if for the first time: else it has a new, empty tab.
  for (const colorScheme of ["light", "dark"] as const) {
    await page.goto(`${service.origin}/dashboard`);
    await page.evaluate(() => localStorage.clear());
    await page.emulateMedia({ colorScheme });
    await page.goto(`${service.origin}/api/graphql`);
    await expect(page.locator(".graphiql-query-editor .view-lines")).toContainText("deliveries");
    await expect(page.locator(".result-window .monaco-editor")).toHaveClass(
      colorScheme === "dark" ? /vs-dark/ : /\bvs\b/,
    );
    await page.getByRole("button", { name: /Execute query/ }).click();
    await expect(page.locator(".result-window")).toContainText('"deliveries"');
    const both = everyLook.filter((one) => one.colorScheme === colorScheme);
    await look(page, info, `graphiql-${colorScheme}`, both);
  }
  await page.getByRole("link", { name: "Back to the dashboard" }).click();
  await expect(page.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
});

/** What 8 MB must not cost twice, nor once in full. */
async function keptAs(file: Response) {
  const { "cache-control": kept, "content-encoding": encoding } = await file.allHeaders();
  return { isKept: kept?.includes("immutable"), isCompressed: /^(?:br|gzip)$/.test(encoding ?? "") };
}

/** What the page makes itself counts as its own. */
function originOf(url: string): string {
  const { protocol, origin } = new URL(url);
  return protocol === "data:" ? protocol : origin;
}
