import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** All of it is there, nothing is cut off at the right, in a panel neither, and axe finds nothing. */
export async function expectSound(page: Page): Promise<void> {
  await expect(page.locator(".skeleton")).toHaveCount(0);
  await page.evaluate(settled);
  const isCutOff = await page.evaluate(() => {
    const panels = [...document.querySelectorAll("[role=complementary], aside")];
    return [document.documentElement, ...panels].some((box) => box.scrollWidth > box.clientWidth);
  });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const mistakes = violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
  expect({ isCutOff, mistakes }, page.url()).toEqual({ isCutOff: false, mistakes: [] });
}

/** What still fades in has too little contrast, and what waits for its font another width. What has no end is not waited for. */
async function settled(): Promise<void> {
  await document.fonts.ready;
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

/** The lines of a CSV that was downloaded. */
export async function linesOf(stream: NodeJS.ReadableStream): Promise<string[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString().trim().split("\r\n");
}
