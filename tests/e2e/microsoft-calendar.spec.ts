import { expect, type Page, test } from "@playwright/test";
import { type MicrosoftFake, startMicrosoft } from "../fakes/microsoft/microsoft";
import { credentials } from "./api";
import { tabTo } from "./keyboard";
import { ADA, BEN, CAROL, type ProviderService, startProviderService } from "./provider-service";
import { look } from "./sound";
import { readTables } from "./tables";

const WITHIN_MS = 120_000;
const KINDS = [
  { label: "Microsoft 365", name: "office365", email: ADA, other: "Outlook.com", stranger: BEN },
  { label: "Outlook.com", name: "live_connect", email: BEN, other: "Microsoft 365", stranger: ADA },
] as const;

let at: ProviderService;
let microsoft: MicrosoftFake;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  const accounts = [
    { email: ADA, name: "Ada" },
    { email: BEN, name: "Ben", kind: "personal" as const },
    { email: CAROL, name: "Carol", needsAdmin: true },
  ];
  microsoft = await startMicrosoft({ accounts });
  const { id: MICROSOFT_CLIENT_ID, secret: MICROSOFT_CLIENT_SECRET } = microsoft.client;
  // Google's is configured too, for the tables that compare all providers.
  const google = { GOOGLE_CLIENT_ID: "google", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_BASE_URL: microsoft.origin };
  const env = { MICROSOFT_CLIENT_ID, MICROSOFT_CLIENT_SECRET, MICROSOFT_BASE_URL: microsoft.origin, ...google };
  at = await startProviderService(microsoft, { path: "microsoft", env });
});
test.afterAll(() => at?.end());
test.beforeEach(() => {
  microsoft.faults.clear();
  Object.assign(microsoft.knobs, { consent: "page", signedIn: undefined });
});

for (const { label, name, email, other, stranger } of KINDS) {
  test(`a calendar at ${label} is connected, written to, changed elsewhere, disconnected and connected again`, async ({
    page,
  }, info) => {
    test.setTimeout(600_000);
    microsoft.knobs.signedIn = email;
    const { primary } = microsoft.account(email);
    primary.putEvent({ subject: "Stand-up", start: time(8), end: time(9) });
    await page.goto(at.authorize());
    await look(page, info, `choice-${name}`);
    const first = await connectByKeyboard(page, { label, email });
    expect(first.linking_profile).toMatchObject({ provider_name: name, profile_name: email });
    await expect.poll(() => summaries(first), { timeout: WITHIN_MS }).toEqual(["Stand-up"]);
    await expect.poll(() => subscriptionsOf(email)).toBe(1);

    const { calendars } = await at.api(first.access_token, "GET", "/v1/calendars");
    const event = { event_id: "review", summary: "Our review", description: "", start: hour(10), end: hour(11) };
    await at.api(first.access_token, "POST", `/v1/calendars/${calendars[0].calendar_id}/events`, event);
    const titled = () => primary.events().filter(({ subject }) => subject === "Our review");
    await expect.poll(() => titled().length, { timeout: WITHIN_MS }).toBe(1);
    primary.changeEvent(titled()[0]?.id ?? "", { subject: "Their review" });
    await expect.poll(() => summaries(first), { timeout: WITHIN_MS }).toEqual(["Stand-up", "Their review"]);

    microsoft.revokeConsent(email);
    const later = { ...event, event_id: "pending", summary: "Our pending", start: hour(12), end: hour(13) };
    await at.api(first.access_token, "POST", `/v1/calendars/${calendars[0].calendar_id}/events`, later);
    await expect.poll(() => isConnected(first), { timeout: WITHIN_MS }).toBe(false);
    const second = await connectByKeyboard(page, { label, email });
    expect(second.linking_profile.profile_id).toBe(first.linking_profile.profile_id);
    const pending = () => primary.events().filter(({ subject }) => subject === "Our pending").length;
    await expect.poll(pending, { timeout: WITHIN_MS }).toBe(1);
  });

  test(`a user whose account is not of ${label} reads so, and is led to ${other}`, async ({ page }, info) => {
    const before = await at.counts();
    microsoft.knobs.signedIn = stranger;
    await page.goto(at.authorize({ provider_name: name }));
    const sentence = `This account doesn’t belong to ${label}. Nothing was connected. Connect it with ${other} instead.`;
    await expect(page.getByRole("alert")).toHaveText(`${sentence} Continue with ${other}`);
    expect(await page.title()).toBe(`${sentence} · Almanac`);
    await look(page, info, `not-${name}`);
    expect(await at.counts()).toEqual(before);
    await tabTo(page, page.getByRole("link", { name: `Continue with ${other}` }));
    await page.keyboard.press("Enter");
    await consent(page, stranger);
    await page.waitForURL("**/welcome?code=*&state=s-1");
  });
}

test("a user whose administrator has to agree reads whom to ask, also in German", async ({ page }, info) => {
  microsoft.knobs.signedIn = CAROL;
  for (const [locale, sentence] of [
    ["en", /^Your organization requires an administrator’s approval\. Nothing was connected\./],
    ["de", /^Ihre Organisation verlangt die Zustimmung eines Administrators\. Es wurde nichts verbunden\./],
  ] as const) {
    await page.goto(at.authorize({ provider_name: "office365", locale }));
    await consent(page, CAROL);
    await page.getByRole("link", { name: "Return to the application without granting consent" }).click();
    await expect(page.getByRole("alert")).toHaveText(sentence);
    await look(page, info, `administrator-${locale}`);
  }
});

test("a user whom a policy stops reads so, and one who declines is back at the application", async ({ page }, info) => {
  microsoft.knobs.consent = "conditional access";
  await page.goto(at.authorize({ provider_name: "office365" }));
  await expect(page.getByRole("alert")).toHaveText(
    /^Your organization’s security policy blocked the Microsoft 365 sign-in/,
  );
  await look(page, info, "policy");
  microsoft.knobs.consent = "page";
  await page.goto(at.authorize({ provider_name: "office365" }));
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.waitForURL("**/welcome?error=access_denied&*");
});

const inTwoDays = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
const clockOf = (hours: number) => `${inTwoDays}T${String(hours).padStart(2, "0")}:00:00`;
const hour = (hours: number) => `${clockOf(hours)}Z`;
const time = (hours: number) => ({ dateTime: clockOf(hours), timeZone: "UTC" });

async function consent(page: Page, email: string): Promise<void> {
  await page.getByRole("radio", { name: email }).check();
  await page.getByRole("button", { name: "Accept" }).click();
}

/** From the authorize URL to tokens with nothing but the keyboard. */
async function connectByKeyboard(page: Page, { label, email }: { label: string; email: string }) {
  await page.goto(at.authorize());
  await tabTo(page, page.getByRole("link", { name: label }));
  await page.keyboard.press("Enter");
  await consent(page, email);
  await page.waitForURL("**/welcome?code=*&state=s-1");
  const code = new URL(page.url()).searchParams.get("code");
  const form = { ...credentials, grant_type: "authorization_code", code, redirect_uri: at.application.callback };
  return await at.api(null, "POST", "/oauth/token", form);
}

interface Tokens {
  access_token: string;
}

async function summaries({ access_token }: Tokens): Promise<string[]> {
  const query = new URLSearchParams({ tzid: "Etc/UTC", include_managed: "true" });
  const { events } = await at.api(access_token, "GET", `/v1/events?${query}`);
  return events.map(({ summary }: { summary: string }) => summary);
}

async function isConnected({ access_token }: Tokens): Promise<boolean> {
  return (await at.api(access_token, "GET", "/v1/profiles")).profiles[0].profile_connected;
}

function subscriptionsOf(email: string): number {
  return microsoft.subscriptions.active().filter(({ account }) => account.email === email).length;
}

test("tables that compare all providers fit the page", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${at.service.origin}/docs/providers`);
  await expect(page.getByRole("columnheader", { name: "Google" }).first()).toBeAttached();
  const { cutOff, broken } = await page.evaluate(readTables);
  expect({ cutOff, broken }).toEqual({ cutOff: [], broken: [] });
});
