import { expect } from "@playwright/test";
import { expectSound, picture } from "./sound";
import { expectListening, type Staffed, test } from "./staff";

/** Clicks and fields from the sign-in page to the refused requests; typing into a field counts once. */
const MOST_STEPS = 8;
const leaking = { client_id: "larch", client_secret: "larch-secret" };

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

test("a staff member disables a leaking application, and sees its requests refused", async ({ page }, info) => {
  const { origin } = staffed.service;
  const send = (path: string, init: RequestInit) => fetch(origin + path, init);
  const body = JSON.stringify({ ...leaking, application_calendar_id: "leaked" });
  const open = { method: "POST", body, headers: { "content-type": "application/json" } };
  const { access_token } = await (await send("/v1/application_calendars", open)).json();
  const read = () => send("/v1/calendars", { headers: { authorization: `Bearer ${access_token}` } });
  expect((await read()).status).toBe(200);

  const steps: string[] = [];
  const step = async (name: string, action: () => Promise<unknown>) => {
    steps.push(name);
    await action();
  };
  await page.goto(`${origin}/dashboard/sign-in?from=/dashboard`);
  await step("email", () => page.getByLabel("Email").fill(staffed.operator.email));
  await step("password", () => page.getByLabel("Password").fill(staffed.operator.password));
  await step("Sign in", () => page.getByRole("button", { name: "Sign in" }).click());
  await expectListening(page);
  const sidebar = page.getByRole("navigation", { name: "Dashboard" });
  await step("Applications", () => sidebar.getByRole("link", { name: "Applications" }).click());
  await step("the application", () =>
    page
      .getByRole("main")
      .getByRole("link", { name: /^Larch/ })
      .click(),
  );
  await step("Disable…", () => page.getByRole("button", { name: "Disable…" }).click());
  await step("confirm", () => page.getByRole("button", { name: "Disable application" }).click());
  await expect(page.getByText("All requests are rejected.")).toBeVisible();
  expect((await read()).status).toBe(401);
  expect((await send("/v1/application_calendars", open)).status).toBe(401);
  await step("Requests", () => page.getByRole("link", { name: "Requests", exact: true }).last().click());
  await expect(page.getByRole("table", { name: "Requests" }).getByText("401").first()).toBeVisible();
  await expectSound(page);
  await picture(page, info, "refused");
  expect(steps.length, steps.join(", ")).toBeLessThanOrEqual(MOST_STEPS);
  info.annotations.push({ type: "steps", description: `${steps.length}: ${steps.join(", ")}` });

  await page.getByRole("button", { name: "Enable" }).click();
  await expect(page.getByText("All requests are rejected.")).not.toBeVisible();
  expect((await read()).status).toBe(200);
});
