import { deflateSync } from "node:zlib";
import { expect } from "@playwright/test";
import { look, picture } from "./sound";
import { type Staffed, signIn, test, watch } from "./staff";

let staffed: Staffed;

test.beforeAll(async ({ staffed: shared }) => {
  staffed = shared;
});

test("an application's logo, color and links are set with a preview, and its users see them", async ({
  page,
}, info) => {
  test.slow(); // axe looks at two pages in both widths
  const seen = watch(page);
  await signIn(page, staffed, "/dashboard/applications");
  await page
    .getByRole("main")
    .getByRole("link", { name: /^North/ })
    .click();
  await page.getByRole("link", { name: "Branding" }).click();
  await page.getByLabel("Logo file").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: bars() });
  await expect(page.getByRole("img", { name: "Logo" })).toBeVisible();
  await page.getByLabel("Pick a color").fill("#0b8043");
  await expect(page.getByLabel("Color", { exact: true })).toHaveValue("#0b8043");
  await page.getByLabel("Color", { exact: true }).fill("#f4b400");
  await expect(page.getByLabel("Pick a color")).toHaveValue("#f4b400");
  await expect(page.getByText(/^Shown as #[\da-f]{6} in the light theme/)).toBeVisible();
  await page.getByLabel("Support link").fill("http://north.test/help");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This must be an https URL.")).toBeVisible();
  await page.getByLabel("Support link").fill("https://north-travel.io/help");
  const preview = page.frameLocator("iframe");
  await expect(preview.getByText("Support")).toBeVisible(); // before it is saved
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This must be an https URL.")).not.toBeVisible();
  await look(page, info, "branding");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "Desktop" }).click();
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("iframe")).toHaveAttribute("title", "Connect page, desktop, dark theme");
  await expect(preview.getByText("Support")).toBeVisible();
  await picture(page, info, "desktop-dark");

  const query = new URLSearchParams({ response_type: "code", client_id: "north", redirect_uri: staffed.redirectUri });
  await page.goto(`${staffed.service.origin}/oauth/authorize?${query}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("North");
  await expect(page.getByRole("link", { name: "Support" })).toHaveAttribute("href", "https://north-travel.io/help");
  expect(await page.locator("img.logo").evaluate((logo: HTMLImageElement) => logo.naturalWidth)).toBe(64);
  await look(page, info, "connect");
  expect(seen.complaints.filter((one) => !one.includes("422"))).toEqual([]);
  expect(seen.outside).toEqual([]);
});

/** A PNG of 64 by 16 pixels. */
function bars(): Buffer {
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: 64 }, (_, x) => Buffer.of(x * 4, 90, 200 - x * 2))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: 16 }, () => row)));
  const header = Buffer.from([0, 0, 0, 64, 0, 0, 0, 16, 8, 2, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
