import { expect, type Page, type TestInfo } from "@playwright/test";
import axe from "axe-core";

export interface Look {
  colorScheme: "light" | "dark";
  viewport: { width: number; height: number };
}

interface Colour {
  r: number;
  g: number;
  b: number;
  alpha: number;
}

type AxeWindow = { axe: typeof axe & { commons: { color: { Color: { prototype: ColourReader } } } } };
type ColourReader = Colour & { parseString(this: ColourReader, text: string): Colour };

const narrow = { width: 390, height: 844 };
const wide = { width: 1280, height: 800 };

/** For the frame that many pages share: what one width alone shows has the colours of both themes. */
export const everyLook: Look[] = (["dark", "light"] as const).flatMap((colorScheme) =>
  [narrow, wide].map((viewport) => ({ colorScheme, viewport })),
);

/** Each theme and each width once; with E2E_EVERY_LOOK, which takes twice as long, each theme in each width. */
export const looks: Look[] = process.env.E2E_EVERY_LOOK
  ? everyLook
  : [
      { colorScheme: "dark", viewport: narrow },
      { colorScheme: "light", viewport: wide },
    ];

/** Pictures of pages are for who changes their looks. Nothing checks them, and a long page takes as much time for its picture as for half of axe. */
const takesPictures = Boolean(process.env.E2E_PICTURES);

/** It fits and axe finds nothing, in each look; with E2E_PICTURES there is a picture too. */
export async function look(page: Page, info: TestInfo, name: string, several: Look[] = looks): Promise<void> {
  for (const { colorScheme, viewport } of several) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await expectSound(page);
    await picture(page, info, `${name}-${colorScheme}-${viewport.width}`);
  }
}

export async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  if (takesPictures) await page.screenshot({ path: info.outputPath(`${name}.png`), fullPage: true });
}

/** As the page is shown: all of it is there, nothing is cut off, and axe finds nothing. */
export async function expectSound(page: Page): Promise<void> {
  await expectFits(page);
  await expectAccessible(page);
}

/** The same page in one look after another. It ends light and wide. */
export async function expectSoundIn(page: Page, several: Look[] = looks): Promise<void> {
  for (const { colorScheme, viewport } of several) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await expectSound(page);
  }
}

async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) {
    await page.evaluate(axe.source);
    await page.evaluate(rememberColours);
  }
  const look = await lookOf(page);
  expect({ ...look, mistakes: await page.evaluate(violations) }).toEqual({ ...look, mistakes: [] });
}

/** Nothing is cut off at the right, in the window, in a panel or in a table. */
async function expectFits(page: Page): Promise<void> {
  await expect(page.locator(".skeleton")).toHaveCount(0);
  await page.evaluate(settled);
  await expect.poll(() => page.evaluate(cutOff), { message: JSON.stringify(await lookOf(page)) }).toEqual([]);
}

/** axe reads each colour of each text anew, which is a third of its work; a page has a dozen of them. */
function rememberColours(): void {
  const { prototype } = (window as unknown as AxeWindow).axe.commons.color.Color;
  const { parseString } = prototype;
  const known = new Map<string, Colour>();
  prototype.parseString = function (text) {
    const { r, g, b, alpha } = known.get(text) ?? parseString.call(this, text);
    known.set(text, { r, g, b, alpha });
    return Object.assign(this, { r, g, b, alpha });
  };
}

/**
 * Only what axe finds is asked for: to describe all that is right as well takes it several times as long. Style sheets and media need not
 * be loaded for it: no rule that runs reads the first, and no page has the others.
 */
async function violations(): Promise<unknown[]> {
  const options = { resultTypes: ["violations" as const], preload: false };
  const { violations } = await (window as unknown as AxeWindow).axe.run(options);
  return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
}

function cutOff(): string[] {
  const inner = "[role=complementary], aside, div:has(> table[aria-label])";
  const boxes = [document.documentElement, ...document.querySelectorAll(inner)];
  const pen = document.createElement("canvas").getContext("2d");
  const empty = [...document.querySelectorAll("input")].filter(
    ({ value, clientWidth }) => value === "" && clientWidth > 0,
  );
  return [
    ...boxes
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((box) => `<${box.localName}>: ${box.scrollWidth} in ${box.clientWidth} px`),
    ...empty.flatMap((field) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      if (pen) pen.font = font;
      const width = Math.floor(pen?.measureText(field.placeholder).width ?? 0);
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      return width > room ? [`placeholder "${field.placeholder}": ${width} in ${room} px`] : [];
    }),
  ];
}

/** What still fades in has too little contrast, and what waits for its font another width. What has no end is not waited for. */
async function settled(): Promise<void> {
  await document.fonts.ready;
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

async function lookOf(page: Page): Promise<{ url: string; width?: number; isDark: boolean }> {
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  return { url: page.url(), width: page.viewportSize()?.width, isDark };
}

/** The lines of a CSV that was downloaded. */
export async function linesOf(stream: NodeJS.ReadableStream): Promise<string[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString().trim().split("\r\n");
}
