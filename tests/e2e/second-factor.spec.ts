import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { codeAt } from "../fakes/authenticator";
import { type Service, start } from "../start/service";
import { expectSoundIn, look } from "./sound";
import { expectListening, watch } from "./staff";

const operator = { email: "ada@almanac.test", password: "correct-horse-battery" };

const dialog = (page: Page) => page.getByRole("dialog");
const section = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: "Two-step verification" }) });

let dataDir: string;
let service: Service;

test.beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "almanac-second-factor-"));
  service = await start(
    {
      ...{ DATA_DIR: dataDir, STAFF_SECOND_FACTOR: "admins" },
      ...{ ADMIN_EMAIL: operator.email, ADMIN_PASSWORD: operator.password },
    },
    resolve(import.meta.dirname, "../.."),
  );
});
test.afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function enterPassword(page: Page): Promise<void> {
  await page.goto(`${service.origin}/dashboard/settings/profile`);
  await page.getByLabel("Email").fill(operator.email);
  await page.getByLabel("Password").fill(operator.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
}

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
}

const enterCode = async (page: Page, code: string, button = "Sign in") => {
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByRole("button", { name: button }).click();
};

/** A code of the app that was not used yet: the one of the next half minute, which is accepted too. */
const nextCode = (secret: string) => codeAt(secret, Date.now() + 30_000);

test("an admin sets up what their role requires at the first sign-in, then signs in with codes", async ({
  page,
}, info) => {
  test.slow(); // starts a service of its own
  const { complaints, outside } = watch(page);
  await enterPassword(page);
  await expect(page.getByText("Your role requires two-step verification.")).toBeVisible();
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  await look(page, info, "second-factor-set-up");
  const secret = ((await page.locator("code.key").textContent()) ?? "").replaceAll(" ", "");
  await page.goto(`${service.origin}/dashboard`);
  await expect(page.getByLabel("Password")).toBeVisible();

  await page.goBack();
  await enterCode(page, "000000", "Turn on and sign in");
  await expect(page.getByRole("alert")).toContainText("That code isn’t valid.");
  await enterCode(page, codeAt(secret, Date.now()), "Turn on and sign in");
  await expect(page.getByText("Save these recovery codes")).toBeVisible();
  const codes = await page.getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(10);
  await look(page, info, "second-factor-recovery-codes");
  await page.getByRole("link", { name: "I’ve saved them" }).click();
  await expectListening(page);
  await expect(section(page)).toContainText("10 recovery codes left");
  await expect(section(page).getByRole("button")).toHaveText(["Replace…"]);
  await expectSoundIn(page);

  await signOut(page);
  await enterPassword(page);
  await look(page, info, "second-factor-code");
  await enterCode(page, "000000");
  await expect(page.getByRole("alert")).toContainText("That code isn’t valid.");
  expect(new URL(page.url()).pathname).toBe("/api/auth/second-step");
  await expectSoundIn(page);
  await enterCode(page, nextCode(secret));
  await expectListening(page);
  expect(new URL(page.url()).pathname).toBe("/dashboard/settings/profile");

  await signOut(page);
  await enterPassword(page);
  await enterCode(page, codes[0] ?? "");
  await expectListening(page);
  await expect(section(page)).toContainText("9 recovery codes left");
  await expect(page.getByRole("listitem").filter({ hasText: "this session" })).toContainText(/Chrome on \w+/);
  await page.getByRole("button", { name: "End all other sessions" }).click();
  await expect(page.getByRole("button", { name: "End all other sessions" })).toHaveCount(0);

  await section(page).getByRole("button", { name: "Replace…" }).click();
  await dialog(page).getByLabel("Your password").fill(operator.password);
  await dialog(page).getByRole("button", { name: "Continue" }).click();
  await expect(dialog(page).getByRole("img", { name: "QR code" })).toBeVisible();
  await look(page, info, "second-factor-replace");
  const other = (await dialog(page).getByRole("code").textContent()) ?? "";
  await dialog(page).getByLabel("Code", { exact: true }).fill(codeAt(other, Date.now()));
  await dialog(page).getByRole("button", { name: "Turn on" }).click();
  await expect(dialog(page)).toContainText("Save your recovery codes");
  await expectSoundIn(page);
  await dialog(page).getByRole("button", { name: "I’ve saved the codes" }).click();
  await expect(section(page)).toContainText("10 recovery codes left");
  // The two wrong codes.
  const refused = expect.stringContaining("422");
  expect({ complaints, outside }).toEqual({ complaints: [refused, refused], outside: [] });
});
