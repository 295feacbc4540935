import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { runCode } from "../api/docs/run-code";
import { freePort } from "../fakes/free-port";
import { killAll, start } from "../start/service";

/** Nine presses of the mouse on one page, and no other page. */
const MOST_CLICKS = 9;

test("a new developer gets from the documentation to a verified change on one page", async ({ page, context }) => {
  test.slow(); // starts a service of its own, whose receivers may be on this machine
  const folder = mkdtempSync(join(tmpdir(), "almanac-new-developer-"));
  const port = await freePort();
  const receiverOrigin = `http://127.0.0.1:${port}`;
  const root = resolve(import.meta.dirname, "../..");
  const service = await start({ DATA_DIR: join(folder, "data"), CALLBACK_ALLOWED_ORIGINS: receiverOrigin }, root);
  const [, id = "", secret = ""] = /client id\s+(\S+)\s+client secret\s+(\S+)/.exec(service.stdout()) ?? [];
  let receiver: ChildProcess | undefined;
  let clicks = 0;
  const click = async (role: "button" | "link" | "tab", name: string) => {
    clicks += 1;
    await page.getByRole(role, { name, exact: true }).first().click();
  };
  /** What a reader changes in what was copied. */
  const own = (text: string) =>
    text
      .replace("your-client-id", id)
      .replace("your-client-secret", secret)
      .replace("http://127.0.0.1:9999", receiverOrigin)
      .replace("9999", String(port));
  const copy = async (name: string) => {
    await click("button", `Copy ${name}`);
    return own(await clipboard(page));
  };
  try {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${service.origin}/`);
    await click("link", "Build");
    await expect(page.getByRole("heading", { level: 1, name: "Quickstart" })).toBeVisible();
    await click("tab", "Python");
    const setting = await copy("Your application");
    const token = await copy("Open a calendar and get a token");
    const calendar = await copy("Get the calendar's id");
    const channel = await copy("Create a channel");
    const opened = await runCode("python", [setting, token, calendar, channel].join("\n"));
    expect([opened.status, opened.stderr]).toEqual([0, ""]);

    writeFileSync(join(folder, "receiver.py"), await copy("A receiver that verifies"));
    const command = (await copy("Start the receiver")).replace(
      "whsec_…",
      /^whsec_\S+$/m.exec(opened.stdout)?.[0] ?? "",
    );
    receiver = spawn("bash", ["-c", command.replace(/^(\S+) /, "$1 exec ")], { cwd: folder });
    let output = "";
    receiver.stdout?.on("data", (chunk) => {
      output += chunk;
    });

    const change = await copy("Someone invites the user");
    const played = await runCode("python", [setting, token, calendar, change].join("\n"));
    expect([played.status, played.stderr]).toEqual([0, ""]);
    await expect.poll(() => output, { timeout: 90_000 }).toMatch(/^verified .*"type":"change"/m);
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    await expect(page).toHaveURL(`${service.origin}/docs/quickstart`);
  } finally {
    receiver?.kill();
    await service.stop();
    killAll();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function clipboard(page: Page): Promise<string> {
  await expect(page.locator("#said")).toContainText("Copied");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => {
    const said = document.getElementById("said");
    if (said) said.textContent = "";
  });
  return text;
}
