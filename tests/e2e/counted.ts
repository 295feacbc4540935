import type { Locator, Page } from "@playwright/test";
import { expectListening, type Staffed } from "./staff";

/** Counts what is clicked, and Enter. */
export function counted(page: Page) {
  const clicks: string[] = [];
  return {
    clicks,
    click: async (target: Locator) => {
      clicks.push(String(target));
      await target.click();
    },
    search: async (label: RegExp, typed: string) => {
      const field = page.getByRole("searchbox", { name: label });
      await field.fill(typed);
      clicks.push(`Enter in ${label}`);
      await field.press("Enter");
    },
  };
}

/** Signs in on the sign-in page, which counts as one click. */
export async function signInBy({ click }: ReturnType<typeof counted>, page: Page, { service, operator }: Staffed) {
  await page.goto(`${service.origin}/dashboard`);
  await page.getByLabel("Email").fill(operator.email);
  await page.getByLabel("Password").fill(operator.password);
  await click(page.getByRole("button", { name: "Sign in" }));
  await expectListening(page);
}
