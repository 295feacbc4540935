import { expect, type Page, test } from "@playwright/test";
import { readTables } from "./tables";

test.use({ viewport: { width: 390, height: 844 } });

test("in a narrow window every table fits, and no name in it is broken within a word", async ({ page }) => {
  test.slow(); // each page of the documentation
  let tables = 0;
  for (const path of await pagesOf(page)) {
    await page.goto(path);
    const { seen, ...wrong } = await page.evaluate(readTables);
    expect({ path, ...wrong }).toEqual({ path, broken: [], cutOff: [], joined: [], hollow: 0 });
    tables += seen;
  }
  expect(tables).toBeGreaterThan(60);
});

test("in a wide window every table fits", async ({ page }) => {
  test.slow();
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of await pagesOf(page)) {
    await page.goto(path);
    const { cutOff, broken } = await page.evaluate(readTables);
    expect({ path, cutOff, broken }).toEqual({ path, cutOff: [], broken: [] });
  }
});

test("in a narrow window a row of a wide table says what each of its cells is about", async ({ page }) => {
  await page.goto("/docs/errors");
  const table = page.getByRole("region", { name: "Table: error, Meaning, What to do", exact: true });
  // What a screen reader reads stays a table.
  await expect(table.getByRole("columnheader")).toHaveText(["error", "Meaning", "What to do"]);
  const cells = table.getByRole("row", { name: "unsupported_grant_type" }).getByRole("cell");
  const boxes = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()));
  const tops = boxes.map((box) => box?.y ?? 0);
  expect(new Set(tops).size).toBe(3);
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  const heads = await cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell, "::before").content));
  expect(heads.map((head) => head.split('"')[1] ?? "")).toEqual(["", "Meaning", "What to do"]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect
    .poll(async () => new Set(await cells.evaluateAll((all) => all.map((c) => c.getBoundingClientRect().y))).size)
    .toBe(1);
});

async function pagesOf(page: Page): Promise<string[]> {
  await page.goto("/docs");
  const links = page.getByRole("navigation", { name: "Documentation", includeHidden: true }).locator("a");
  const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  const pages = hrefs.filter((href) => /^\/docs(\/|$)/.test(href) && !href.endsWith(".md"));
  expect(pages.length).toBeGreaterThan(20);
  return pages;
}
