import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { type Radicale, startRadicale } from "../fakes/radicale";
import { type Service, start } from "../start/service";
import { expectSound } from "./sound";

const root = resolve(import.meta.dirname, "../..");

/** A service of its own, with one application. */
async function serve(more: Record<string, string>, redirectUri: string) {
  const dataDir = mkdtempSync(join(tmpdir(), "almanac-icloud-"));
  const application = { name: "Acme", client_id: "acme", client_secret: "s", redirect_uris: [redirectUri] };
  const service = await start(
    { DATA_DIR: dataDir, BOOTSTRAP_APPLICATIONS: JSON.stringify([application]), ...more },
    root,
  );
  const asked = { response_type: "code", client_id: "acme", redirect_uri: redirectUri, state: "s-1" };
  return {
    service,
    authorize: (fields: Record<string, string>) =>
      `${service.origin}/oauth/authorize?${new URLSearchParams({ ...asked, ...fields })}`,
    end: async () => {
      await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

test.describe("where ICLOUD_CALDAV_URL is not set", () => {
  let served: Awaited<ReturnType<typeof serve>>;
  test.beforeAll(async () => {
    served = await serve({}, "https://app.acme.io/callback");
  });
  test.afterAll(() => served.end());

  for (const locale of ["en", "de", "fr", "es", "ja"]) {
    test(`the form speaks of iCloud and Apple, in ${locale}`, async ({ page }) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 390, height: 844 });
        await page.goto(served.authorize({ locale, provider_name: "apple" }));
        await expect(page.getByRole("heading", { level: 1 })).toContainText("iCloud");
        await expect(page.getByRole("link", { name: "account.apple.com" })).toBeVisible();
        await expectSound(page);
      }
    });
  }
});

test.describe("an application on IPv6 loopback", () => {
  let radicale: Radicale;
  let application: Server;
  let served: { service: Service; authorize(fields: Record<string, string>): string; end(): Promise<void> };

  test.beforeAll(async () => {
    radicale = await startRadicale();
    application = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<title>Acme</title><h1>Welcome back to Acme</h1>");
    });
    await new Promise<void>((listening) => application.listen(0, "::1", listening));
    const { port } = application.address() as AddressInfo;
    served = await serve({ ICLOUD_CALDAV_URL: new URL(radicale.url).origin }, `http://[::1]:${port}/callback`);
  });
  test.afterAll(async () => {
    await served.end();
    application.closeAllConnections();
    application.close();
    await radicale.close();
  });

  test("gets people back from the form, and no page has a policy that the browser cannot read", async ({ page }) => {
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(`${served.service.origin}/`);
    await page.goto(served.authorize({}));
    await page.goto(served.authorize({ provider_name: "apple" }));
    await page.getByLabel("Username or email").fill(radicale.user);
    await page.getByLabel("Password").fill(radicale.password);
    await page.getByRole("button", { name: "Connect" }).click();
    await expect(page.getByRole("heading", { name: "Welcome back to Acme" })).toBeVisible();
    expect(page.url()).toMatch(/^http:\/\/\[::1\]:\d+\/callback\?code=[\w-]{43}&state=s-1$/);
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
  });
});
