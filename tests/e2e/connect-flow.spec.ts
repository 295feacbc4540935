import { expect, type Page, test } from "@playwright/test";
import { type Outside, startOutside } from "./outside";
import { everyLook, look } from "./sound";

let outside: Outside;
const pages: Record<string, string> = {};

test.beforeAll(async () => {
  outside = await startOutside(pages);
});
test.afterAll(() => outside.close());

function authorize(fields: Record<string, string> = {}): string {
  const asked = { response_type: "code", client_id: "acme", redirect_uri: outside.callback, state: "s-1" };
  return `/oauth/authorize?${new URLSearchParams({ ...asked, ...fields })}`;
}

async function signIn(page: Page): Promise<URL> {
  await page.getByLabel("Username or email").fill(outside.radicale.user);
  await page.getByLabel("Password").fill(outside.radicale.password);
  await page.getByRole("button", { name: "Connect" }).click();
  await page.waitForURL("**/application/welcome?**");
  return new URL(page.url());
}

test("a person connects a calendar, and the application gets tokens, though its callback leads to another origin", async ({
  page,
  request,
}) => {
  const asked: string[] = [];
  page.on("request", (sent) => asked.push(new URL(sent.url()).origin));
  await page.goto(authorize());
  expect(await page.locator("script").count()).toBe(0);
  await page.getByRole("link", { name: new URL(outside.origin).host }).click();
  const service = new URL(page.url()).origin;
  expect(new Set(asked)).toEqual(new Set([service]));
  const came = await signIn(page);
  await expect(page.getByRole("heading", { name: "Welcome back to Acme" })).toBeVisible();
  expect(came.searchParams.get("state")).toBe("s-1");
  const answer = await request.post("/oauth/token", {
    data: {
      client_id: "acme",
      client_secret: "acme-secret",
      grant_type: "authorization_code",
      code: came.searchParams.get("code"),
      redirect_uri: outside.callback,
    },
  });
  expect(answer.status()).toBe(200);
  expect(await answer.json()).toMatchObject({
    token_type: "bearer",
    sub: expect.stringMatching(/^acc_/),
    linking_profile: { provider_name: "apple", profile_name: outside.radicale.user },
  });
});

test.describe("with scripts switched off", () => {
  test.use({ javaScriptEnabled: false });

  test("everything works", async ({ page }) => {
    await page.goto(authorize({ provider_name: "apple" }));
    expect((await signIn(page)).searchParams.get("code")).toMatch(/^[\w-]{43}$/);
  });
});

test("while the provider is asked, the button says so and cannot be used again", async ({ page }) => {
  await page.goto(authorize({ provider_name: "apple" }));
  await page.getByLabel("Username or email").fill(outside.radicale.user);
  await page.getByLabel("Password").fill(outside.radicale.password);
  // Nothing can be asked of the page while the next one is on its way: it notes what it shows.
  await page.evaluate(() => {
    const button = document.querySelector("form button") as HTMLButtonElement;
    const note = () => {
      const shown = [button.textContent, button.disabled, document.getElementById("pending")?.textContent];
      if (!sessionStorage.getItem("shown")) sessionStorage.setItem("shown", JSON.stringify(shown));
    };
    new MutationObserver(note).observe(button, { attributes: true, childList: true });
  });
  await page.getByRole("button", { name: "Connect" }).click();
  await page.waitForURL("**/application/welcome?code=*");
  await page.goBack();
  expect(await page.evaluate(() => sessionStorage.getItem("shown"))).toBe('["Connecting…",true,"Connecting…"]');
  await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeEnabled();
});

test("the language can be changed, and the request goes on in it", async ({ page }) => {
  await page.goto(authorize({ provider_name: "apple" }));
  const languages = page.getByRole("navigation", { name: "Language" });
  await expect(languages.getByRole("link", { name: "English" })).toHaveAttribute("aria-current", "true");
  await languages.getByRole("link", { name: "Deutsch" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.getByLabel("Benutzername oder E-Mail-Adresse").fill(outside.radicale.user);
  await page.getByLabel("Passwort").fill(outside.radicale.password);
  await page.getByRole("button", { name: "Verbinden" }).click();
  await page.waitForURL("**/application/welcome?code=*");
});

test("an application can have a page that says the calendar is connected", async ({ page }, info) => {
  await page.goto(authorize({ client_id: "confirming", provider_name: "apple" }));
  await page.getByLabel("Username or email").fill(outside.radicale.user);
  await page.getByLabel("Password").fill(outside.radicale.password);
  await page.getByRole("button", { name: "Connect" }).click();
  await expect(page.getByRole("heading", { name: "Calendar connected" })).toBeVisible();
  expect(page.url()).not.toContain("code=");
  await look(page, info, "success", everyLook);
  await page.getByRole("link", { name: "Return to Confirming" }).click();
  await page.waitForURL("**/application/welcome?code=*");
});

test("a person cancels, and the application is told", async ({ page }) => {
  for (const path of [authorize(), authorize({ provider_name: "apple" })]) {
    await page.goto(path);
    await page.getByRole("link", { name: "Cancel and return to Acme" }).click();
    await page.waitForURL(
      "**/application/welcome?error=access_denied&error_description=The%20user%20cancelled&state=s-1",
    );
  }
});

test("the keyboard reaches everything in the order of the page, and always shows where it is", async ({ page }) => {
  await page.goto(authorize({ provider_name: "apple" }));
  const visited: string[] = [];
  for (let step = 0; step < 5; step += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const at = document.activeElement;
      if (!at) return { name: "nothing", outline: "" };
      const style = getComputedStyle(at);
      return { name: at.id || at.tagName.toLowerCase(), outline: `${style.outlineStyle} ${style.outlineWidth}` };
    });
    expect(focused.outline).toBe("solid 2px");
    visited.push(focused.name);
  }
  expect(visited).toEqual(["username", "password", "button", "summary", "a"]);
  await page.getByLabel("Username or email").fill(outside.radicale.user);
  await page.keyboard.press("Tab");
  await page.keyboard.type(outside.radicale.password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/application/welcome?code=*");
});

test("a form that another site sends, with a request of its own, connects nothing", async ({ page, browser }) => {
  const attacker = await browser.newContext();
  const theirs = await attacker.newPage();
  await theirs.goto(authorize({ provider_name: "apple" }));
  const action = new URL(theirs.url()).origin;
  const signed = await theirs.locator('input[name="request"]').getAttribute("value");
  await attacker.close();
  const hidden = { request: signed ?? "", provider_name: "icloud", username: "x", password: "y" };
  const fields = Object.entries(hidden).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  pages["/application/trap"] =
    `<form method="post" action="${action}/oauth/authorize">${fields.join("")}<button>Win</button></form>`;
  // The person has the page open in another tab: their cookie is there, and is not sent from the other site.
  await page.goto(authorize({ provider_name: "apple" }));
  await page.goto(`${outside.origin.replace("127.0.0.1", "localhost")}/application/trap`);
  await page.getByRole("button", { name: "Win" }).click();
  await expect(page.getByRole("heading", { name: "This page has expired" })).toBeVisible();
  await page.getByRole("link", { name: "Start over" }).click();
  await expect(page.getByRole("link", { name: new URL(outside.origin).host })).toBeVisible();
});

test("the page cannot be framed", async ({ page }) => {
  await page.goto(authorize());
  const address = page.url();
  pages["/application/frame"] = `<iframe src="${address.replaceAll("&", "&amp;")}"></iframe>`;
  await page.goto(`${outside.origin}/application/frame`);
  await expect(page.frameLocator("iframe").getByText("Acme")).toHaveCount(0);
});
