import { createServer, type Server } from "node:http";
import { expect, test } from "@playwright/test";
import { type Outside, startOutside } from "./outside";

/** Of an application on IPv6 loopback. */
const port = Number(process.env.E2E_APPLICATION_PORT);
const redirectUri = `http://[::1]:${port}/callback`;

let outside: Outside;
let application: Server;

test.beforeAll(async () => {
  outside = await startOutside();
  application = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<title>Six</title><h1>Welcome back to Six</h1>");
  });
  await new Promise<void>((listening) => application.listen(port, "::1", listening));
});

test.afterAll(async () => {
  application.closeAllConnections();
  application.close();
  await outside.close();
});

test("an application on IPv6 loopback gets people back, and no page has a policy that the browser cannot read", async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  const asked = { response_type: "code", client_id: "six", redirect_uri: redirectUri, state: "s-1" };
  await page.goto("/");
  await page.goto(`/oauth/authorize?${new URLSearchParams(asked)}`);
  await page.goto(`/oauth/authorize?${new URLSearchParams({ ...asked, provider_name: "apple" })}`);
  await page.getByLabel("Username or email").fill(outside.radicale.user);
  await page.getByLabel("Password").fill(outside.radicale.password);
  await page.getByRole("button", { name: "Connect" }).click();
  await expect(page.getByRole("heading", { name: "Welcome back to Six" })).toBeVisible();
  expect(page.url()).toMatch(/^http:\/\/\[::1\]:\d+\/callback\?code=[\w-]{43}&state=s-1$/);
  expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
});
