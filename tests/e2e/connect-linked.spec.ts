import { type APIRequestContext, expect, test } from "@playwright/test";
import { type Outside, startOutside } from "./outside";
import { expectSoundIn } from "./sound";

let outside: Outside;

test.beforeAll(async () => {
  outside = await startOutside();
});
test.afterAll(() => outside.close());

const credentials = { client_id: "acme", client_secret: "acme-secret" };

function authorize(fields: Record<string, string> = {}): string {
  const asked = { response_type: "code", client_id: "acme", redirect_uri: outside.callback, state: "s-1" };
  return `/oauth/authorize?${new URLSearchParams({ ...asked, ...fields })}`;
}

/** A link token of an application calendar. */
async function linkToken(request: APIRequestContext, name: string): Promise<string> {
  const data = { ...credentials, application_calendar_id: name };
  const { access_token } = await (await request.post("/v1/application_calendars", { data })).json();
  const headers = { authorization: `Bearer ${access_token}` };
  return (await (await request.post("/v1/link_tokens", { headers })).json()).link_token;
}

test("whose account a calendar is added to is named, and can be refused", async ({ page, request }) => {
  const link_token = await linkToken(request, "mallory");
  const pages: Record<string, string>[] = [{ link_token }, { link_token, provider_name: "apple" }];
  for (const fields of pages) {
    await page.goto(authorize(fields));
    await expect(page.getByText("This calendar will be added to mallory")).toBeVisible();
    await expectSoundIn(page);
  }
  await page.getByRole("link", { name: "Not your account? Don’t add the calendar" }).click();
  await page.waitForURL("**/application/welcome?error=access_denied&error_description=*&state=s-1");
});

test("a calendar that is connected elsewhere, and a link that is over, say so", async ({ page, request }) => {
  await page.goto(authorize({ provider_name: "apple" }));
  await signIn();
  await page.waitForURL("**/application/welcome?code=*");
  const link_token = await linkToken(request, "elsewhere");
  await page.goto(authorize({ link_token, provider_name: "apple" }));
  await signIn();
  await expect(page.getByRole("heading", { name: "This calendar is already connected" })).toBeVisible();
  await expectSoundIn(page);
  await page.getByRole("link", { name: "Use another account" }).click();
  await expect(page.getByText("This calendar will be added to elsewhere")).toBeVisible();

  await page.goto(authorize({ link_token: "lt_over" }));
  await expect(page.getByRole("heading", { name: "This link is no longer valid" })).toBeVisible();
  await expectSoundIn(page);
  await page.getByRole("link", { name: "Return to Acme" }).click();
  await page.waitForURL("**/application/welcome?error=access_denied&error_description=The%20link%20token*");

  async function signIn(): Promise<void> {
    await page.getByLabel("Username or email").fill(outside.radicale.user);
    await page.getByLabel("Password").fill(outside.radicale.password);
    await page.getByRole("button", { name: "Connect" }).click();
  }
});
