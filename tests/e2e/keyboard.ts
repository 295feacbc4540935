import { expect, type Locator, type Page } from "@playwright/test";

/** More than any page here has to walk past. */
const MOST_STEPS = 30;

/** Walks to an element with the Tab key alone, which shows that it is there. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await page.keyboard.press("Tab");
    if (!(await wanted.evaluate((element) => element === document.activeElement))) continue;
    expect(await wanted.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe("none");
    return;
  }
  throw new Error("the keyboard does not reach it");
}
