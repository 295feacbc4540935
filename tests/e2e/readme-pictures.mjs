// `node tests/e2e/readme-pictures.mjs`: takes the pictures in docs/pictures, of a service that it starts and fills with the demo.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "@playwright/test";
import { findChromium } from "./chromium.mjs";

const root = resolve(import.meta.dirname, "../..");
const pictures = join(root, "docs", "pictures");
const folder = mkdtempSync(join(tmpdir(), "almanac-pictures-"));
const [port] = execFileSync(process.execPath, [join(import.meta.dirname, "free-ports.mjs")], {
  encoding: "utf8",
}).split(" ");
const operator = { email: "ada@almanac.example", password: "correct-horse-battery" };
const env = {
  ...process.env,
  ...{ PORT: port, HOST: "127.0.0.1", DATA_DIR: join(folder, "data") },
  ...{ ADMIN_EMAIL: operator.email, ADMIN_PASSWORD: operator.password },
  // Offered on the connect page. Nobody follows them.
  ...{ GOOGLE_CLIENT_ID: "pictures", GOOGLE_CLIENT_SECRET: "pictures" },
  ...{ MICROSOFT_CLIENT_ID: "pictures", MICROSOFT_CLIENT_SECRET: "pictures" },
};
const origin = `http://localhost:${port}`;
const LARGEST_BYTES = 200_000;

const service = spawn(process.execPath, ["server/front-door/launch.mjs"], {
  cwd: root,
  env,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  await ready(service);
  const filled = execFileSync(process.execPath, ["server/demo/run.mjs"], { cwd: root, env, encoding: "utf8" });
  const connectUrl = /https?:\S+authorize\S+/.exec(filled)?.[0] ?? "";
  mkdirSync(pictures, { recursive: true });
  const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
  for (const colorScheme of ["light", "dark"]) await take(browser, colorScheme, connectUrl);
  await browser.close();
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

async function ready(child) {
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes("Almanac is ready")) return;
  }
  throw new Error(`the service did not start:\n${output}`);
}

async function take(browser, colorScheme, connectUrl) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 2,
    colorScheme,
  });
  const page = await context.newPage();
  await page.goto(connectUrl, { waitUntil: "networkidle" });
  await store(
    context,
    `connect-${colorScheme}`,
    await page.screenshot({ clip: { x: 320, y: 30, width: 640, height: 760 } }),
  );
  await page.goto(`${origin}/dashboard/sign-in`);
  await page.getByLabel("Email").fill(operator.email);
  await page.getByLabel("Password").fill(operator.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/dashboard$/);
  await page.goto(`${origin}/dashboard/deliveries?application=${await lumen(page)}`, { waitUntil: "networkidle" });
  const rows = page.getByRole("table", { name: "Deliveries" }).getByRole("row");
  await rows.filter({ hasText: "Retrying" }).first().getByRole("link").first().click();
  await page.getByRole("button", { name: "Retry now" }).waitFor();
  await page.waitForLoadState("networkidle");
  await store(context, `delivery-${colorScheme}`, await page.screenshot());
  await context.close();
}

/** The application whose endpoint fails. */
async function lumen(page) {
  await page.goto(`${origin}/dashboard/applications`);
  const href = await page.getByRole("link", { name: "Lumen CRM" }).first().getAttribute("href");
  return /app_\w+/.exec(href ?? "")?.[0];
}

/** As WebP, which the browser writes, as good as fits. */
async function store(context, name, png) {
  const page = await context.newPage();
  for (let quality = 0.9; ; quality -= 0.1) {
    const encoded = await page.evaluate(encode, { source: `data:image/png;base64,${png.toString("base64")}`, quality });
    const bytes = Buffer.from(encoded.slice(encoded.indexOf(",") + 1), "base64");
    if (bytes.length > LARGEST_BYTES && quality > 0.3) continue;
    writeFileSync(join(pictures, `${name}.webp`), bytes);
    process.stdout.write(`${name}.webp ${Math.round(bytes.length / 1_000)} KB\n`);
    break;
  }
  await page.close();
}

/** Runs in the page. */
async function encode({ source, quality }) {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", quality);
}
