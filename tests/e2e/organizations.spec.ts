import { expect } from "@playwright/test";
import { look } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

test("an organization is added, verified and removed, and its form says what is wrong", async ({ page }, info) => {
  test.slow(); // axe looks at two states in both widths
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard/applications");
  await page
    .getByRole("main")
    .getByRole("link", { name: /^North/ })
    .click();
  await page.getByRole("link", { name: "Organizations" }).click();
  await expect(page.getByText("No organizations.")).toBeVisible();
  await expect(page.getByText("None in the last 30 days.")).toBeVisible();

  await page.getByRole("button", { name: "Add organization…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Key file").fill("{}");
  await dialog.getByLabel("Administrator").fill("ada@acme.io");
  await dialog.getByLabel("Domains").fill("acme.io");
  await dialog.getByRole("button", { name: "Add organization" }).click();
  await expect(dialog.getByText("This must be the JSON key file of a service account.")).toBeVisible();
  await expect(dialog.getByLabel("Key file")).toBeFocused();
  await dialog.getByLabel("Provider").selectOption("Microsoft 365");
  await dialog.getByLabel("Directory (tenant) ID").fill("0aeb2b1e-7d4e-4a5c-9c5b-6a6a3c0d1e2f");
  await dialog.getByLabel("Application (client) ID").fill("5f1c6f0a-3b7e-4a53-8d5f-0d3f5c1b2a9e");
  await dialog.getByLabel("Client secret").fill("a secret of Entra’s");
  await look(page, info, "organization-form");
  await dialog.getByRole("button", { name: "Add organization" }).click();
  await expect(page.getByText("0 profiles")).toBeVisible();
  expect(await page.content()).not.toContain("a secret of Entra");

  await page.getByRole("button", { name: "Verify acme.io" }).click();
  await dialog.getByLabel("Mailbox").fill("eve@other.io");
  await dialog.getByRole("button", { name: "Verify" }).click();
  await expect(dialog.getByText("isn’t among the domains and addresses")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await look(page, info, "organizations");

  await page.getByRole("button", { name: "Remove acme.io" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No organizations.")).toBeVisible();
  expect(seen.complaints.filter((one) => !one.includes("422"))).toEqual([]);
  expect(seen.outside).toEqual([]);
});
