import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { killAll, type Service, start } from "../start/service";

const operator = { email: "ada@almanac.test", password: "correct-horse-battery" };
const dataDir = mkdtempSync(join(tmpdir(), "almanac-graphiql-"));
let service: Service;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  service = await start(
    { DATA_DIR: dataDir, ADMIN_EMAIL: operator.email, ADMIN_PASSWORD: operator.password },
    resolve(import.meta.dirname, "../.."),
  );
});

test.afterAll(async () => {
  await service?.stop();
  killAll();
  rmSync(dataDir, { recursive: true, force: true });
});

test("GraphiQL leads whoever is signed out to the sign-in page", async ({ page }) => {
  await page.goto(`${service.origin}/api/graphql`);
  await expect(page).toHaveURL(/\/dashboard\/sign-in\?from=%2Fapi%2Fgraphql$/);
});

test("GraphiQL shows the schema and runs a query without a request to anybody else or a complaint", async ({
  page,
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
  await page.goto(`${service.origin}/api/graphql`);
  // Until both editors are made the button does nothing.
  await expect(page.locator(".graphiql-query-editor .view-lines")).toContainText("deliveries");
  await expect(page.locator(".result-window .monaco-editor")).toBeVisible();
  await page.getByRole("button", { name: /Execute query/ }).click();
  await expect(page.locator(".result-window")).toContainText('"deliveries"');
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await page.getByRole("link", { name: "Query", exact: true }).click();
  await expect(page.getByText("Read-only access to what the dashboard shows.")).toBeVisible();
  await page.screenshot({ path: info.outputPath("graphiql.png") });
  expect([...asked].filter((origin) => origin !== service.origin && origin !== "data:")).toEqual([]);
  expect(complaints).toEqual([]);
});

/** What the page makes itself counts as its own. */
function originOf(url: string): string {
  const { protocol, origin } = new URL(url);
  return protocol === "data:" ? protocol : origin;
}
