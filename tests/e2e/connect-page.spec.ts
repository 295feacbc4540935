import { expect, type Page, test } from "@playwright/test";
import { noCalendars, type Outside, startOutside } from "./outside";
import { everyLook, look, looks } from "./sound";

/** Refused for the rest of the run once it has had its ten tries. */
const HURRIED = "in-a-hurry@example.com";

let outside: Outside;

test.beforeAll(async () => {
  outside = await startOutside();
});
test.afterAll(() => outside.close());
test.beforeEach(() => {
  outside.instead = () => undefined;
});

function authorize(fields: Record<string, string>): string {
  const asked = { response_type: "code", client_id: "acme", redirect_uri: outside.callback, state: "s-1" };
  return `/oauth/authorize?${new URLSearchParams({ ...asked, ...fields })}`;
}

/** Sends the form and arrives at its answer, which may look as the page before. */
async function send(page: Page, username: string, password: string): Promise<void> {
  await page.locator("#username").fill(username);
  await page.locator("#password").fill(password);
  await Promise.all([page.waitForEvent("load"), page.locator("button").click()]);
}

for (const locale of ["en", "de", "fr", "es", "ja"]) {
  test(`the choice and the form, in ${locale}`, async ({ page }, info) => {
    await page.goto(authorize({ locale }));
    await expect(page.locator("html")).toHaveAttribute("lang", locale);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Acme");
    await look(page, info, `choice-${locale}`, locale === "en" ? everyLook : looks);
    await page.getByRole("link", { name: new URL(outside.origin).host }).click();
    await expect(page.locator("#password")).toHaveAttribute("type", "password");
    await page.locator("summary").click();
    await look(page, info, `form-${locale}`);
  });
}

for (const locale of ["en", "de"]) {
  test(`what can go wrong, in ${locale}`, async ({ page }, info) => {
    test.setTimeout(600_000); // axe looks at it more than thirty times
    await page.goto(authorize({ locale, provider_name: "apple" }));
    await send(page, `${locale}@example.com`, "wrong");
    await expect(page.locator("#password-problem")).toBeVisible();
    await expect(page.locator("#password")).toBeFocused();
    await expect(page.locator("#password")).toHaveValue("");
    await expect(page.locator("#username")).toHaveValue(`${locale}@example.com`);
    await look(page, info, `wrong-password-${locale}`);

    await page.evaluate(() => document.querySelector("form")?.setAttribute("novalidate", ""));
    await send(page, "", "wrong");
    await expect(page.locator("#username-problem")).toBeVisible();
    await expect(page.locator("#username")).toBeFocused();
    await look(page, info, `no-address-${locale}`);

    outside.instead = noCalendars;
    await send(page, outside.radicale.user, outside.radicale.password);
    await expect(page.locator("#form-problem")).toBeVisible();
    await look(page, info, `no-calendars-${locale}`);

    outside.instead = () => null;
    await send(page, outside.radicale.user, outside.radicale.password);
    await expect(page.locator("#form-problem")).toBeVisible();
    await look(page, info, `down-${locale}`);

    for (let refused = false; !refused; ) {
      await send(page, HURRIED, "wrong");
      refused =
        (await page.locator("#form-problem").textContent())?.includes(locale === "en" ? "Too many" : "Zu viele") ??
        false;
    }
    await look(page, info, `too-many-tries-${locale}`);

    await page.context().clearCookies();
    await send(page, HURRIED, "wrong");
    await expect(page.locator(".button")).toBeVisible();
    await look(page, info, `too-old-${locale}`);

    await page.goto(authorize({ locale, client_id: "nobody" }));
    await look(page, info, `unknown-application-${locale}`);
  });

  test(`the way back, in ${locale}`, async ({ page }) => {
    await page.goto(authorize({ locale, provider_name: "apple" }));
    await send(page, outside.radicale.user, outside.radicale.password);
    // The application's callback leads on by itself: no policy of ours may stop its hops.
    await expect(page.locator("h1")).toHaveText("Welcome back to Acme");
    expect(page.url()).toMatch(/\/application\/welcome\?code=[\w-]{43}&state=s-1/);
  });
}
