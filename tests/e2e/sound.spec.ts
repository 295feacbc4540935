import { expect, test } from "@playwright/test";
import { expectSound } from "./sound";

const grey = "color: rgb(160 160 160)";

test("what is pale or has no name is found, also where its colour was read before", async ({ page }) => {
  const complaint = async (body: string) => {
    await page.setContent(`<html lang="en"><title>Page</title><main><h1>Page</h1>${body}</main>`);
    return await expectSound(page).then(() => "", String);
  };
  const readable = `<p style="background: black; ${grey}">Readable</p>`;
  expect(await complaint(readable)).toBe("");
  expect(await complaint(`${readable}<p style="${grey}">Pale</p>`)).toMatch(/color-contrast[\s\S]*Pale/);
  expect(await complaint(`${readable}<p style="background: rgb(120 160 160); ${grey}">Paler</p>`)).toMatch(
    /color-contrast[\s\S]*Paler/,
  );
  expect(await complaint("<button></button>")).toContain("button-name");
});
