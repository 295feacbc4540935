import { expect } from "@playwright/test";
import { everyLook, look } from "./sound";
import { signIn, test } from "./staff";

test("an admin refuses an application's requests and makes the service read-only, sees so on every page, and ends both", async ({
  page,
  staffed,
}, info) => {
  const account = () =>
    fetch(`${staffed.service.origin}/v1/application_calendars`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_id: "larch", client_secret: "larch-secret", application_calendar_id: "e2e" }),
    });
  await signIn(page, staffed, "/dashboard/applications");
  await page.getByRole("link", { name: "Larch" }).first().click();
  await page.getByRole("button", { name: "Refuse requests…" }).click();
  await page.getByRole("dialog").getByLabel("Ends").selectOption({ label: "1 hour" });
  await page.getByRole("dialog").getByLabel("Note").fill("sends too much");
  await page.getByRole("dialog").getByRole("button", { name: "Refuse requests" }).click();
  await expect(page.getByText("Requests refused for maintenance")).toBeVisible();
  expect((await account()).status).toBe(503);

  await page.goto(`${staffed.service.origin}/dashboard`);
  await page.getByRole("link", { name: "Maintenance" }).click();
  await expect(page.getByRole("heading", { name: "Maintenance", level: 1 })).toBeVisible();
  await expect(page.getByText("Reads and writes")).toBeVisible();
  await page.getByRole("button", { name: "Make read-only…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make read-only" }).click();
  await expect(page.getByText("Read-only for maintenance")).toBeVisible();
  await expect(page.getByRole("row", { name: /Larch/ })).toBeVisible();
  await look(page, info, "maintenance", everyLook);
  await page.goto(`${staffed.service.origin}/dashboard/deliveries`);
  await expect(page.getByText("Read-only for maintenance")).toBeVisible();

  await page.goto(`${staffed.service.origin}/dashboard/maintenance`);
  await page.getByRole("button", { name: "Accept requests of Larch" }).click();
  await expect(page.getByText("No application’s requests are refused.")).toBeVisible();
  await page.getByRole("button", { name: "End maintenance" }).click();
  await expect(page.getByText("Reads and writes")).toBeVisible();
  await expect(page.getByText("Read-only for maintenance")).toHaveCount(0);
  expect((await account()).status).toBe(200);
});
