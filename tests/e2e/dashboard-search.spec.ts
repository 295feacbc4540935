import { expect, type Page } from "@playwright/test";
import { look } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

const field = (page: Page) => page.getByRole("combobox", { name: "Page, ID, URL, email or action" });
const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name });
const status = (page: Page) => page.getByRole("dialog").getByRole("status");

test("Ctrl+K finds endpoints, applications and accounts while they are typed, and does what the page offers", async ({
  page,
}, info) => {
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard");
  const open = async (typed: string) => {
    await page.keyboard.press("Control+k");
    await field(page).fill(typed);
  };
  await open("https://hooks-2.acme");
  await expect(option(page, /^hooks-2.acme-scheduling.io\/calendar/).first()).toBeVisible();
  await look(page, info, "search");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/endpoints\/chn_/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("hooks-2.acme-scheduling.io/calendar");

  await open("send test");
  await expect(option(page, "Send test event")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("table", { name: "Deliveries" }).getByText("test").first()).toBeVisible();
  await open("retry since");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Retry deliveries created since" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await open("audit");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/settings\/audit$/);
  await open("north secrets");
  await expect(option(page, "North: Secrets")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/applications\/app_\w+\/secrets$/);
  await open("room-2");
  await expect(option(page, /^room-2.*Account/).first()).toBeVisible();
  await field(page).fill("nobody@nowhere.io");
  await expect(status(page)).toHaveText(/^No account/);
  await page.route(/search\.find/, (route) => route.abort());
  await field(page).fill("nort");
  await expect(status(page)).toHaveText(/can’t be reached/);
  await page.unroute(/search\.find/);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(option(page, /^North/)).toBeVisible();
  await field(page).fill("theme: dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(seen.outside).toEqual([]);
  expect(seen.complaints.filter((text) => !/ERR_FAILED/.test(text))).toEqual([]);
});

test("Ctrl+K opens what an action begins with, which a reload shows again and the way back does not", async ({
  page,
}, info) => {
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard/deliveries");
  const dialog = (name: string) => page.getByRole("dialog", { name });
  const choose = async (action: string) => {
    await page.keyboard.press("Control+k");
    await field(page).fill(action);
    await expect(page.getByRole("option", { name: action, exact: true })).toHaveCount(1);
    await page.keyboard.press("Enter");
  };
  await choose("Invite developer");
  await expect(dialog("Invite a developer")).toBeVisible();
  await expect(dialog("Invite a developer").getByLabel("Email")).toBeFocused();
  await page.reload();
  await expect(dialog("Invite a developer")).toBeVisible();
  await look(page, info, "invite-from-search");
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard\/deliveries$/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goForward();
  await dialog("Invite a developer").getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/dashboard\/settings\/team$/);
  await choose("Invite developer"); // The page has the button.
  await expect(dialog("Invite a developer")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await choose("Register application");
  await dialog("Register application").getByLabel("Name").fill("From search");
  await look(page, info, "register-from-search");
  await dialog("Register application").getByRole("button", { name: "Register", exact: true }).click();
  await page.getByRole("button", { name: "I’ve stored the secret" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("From search");
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard\/applications$/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect([seen.outside, seen.complaints]).toEqual([[], []]);
});
