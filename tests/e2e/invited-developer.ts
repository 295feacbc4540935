import { type APIResponse, type Browser, expect, type Page } from "@playwright/test";
import { expectListening } from "./staff";

export const PASSWORD = "quiet-otter-lantern-9";
/** Too many calls of an operator, or too many requests. */
const BUSY = [429, 503];

interface Invited {
  service: { origin: string };
  email: string;
  /** Which of the applications it is: those of a name. */
  application: string;
  name: string;
}

/** A page on which a new developer of an application is signed in, whom an admin, signed in on another, invited. */
export async function invitedDeveloper(browser: Browser, admin: Page, invited: Invited): Promise<Page> {
  const { origin } = invited.service;
  const headers = scriptHeaders(origin);
  const names = () => admin.request.get(`${origin}/api/trpc/applications.names`, { headers });
  const applications: { id: string; name: string }[] = await dataOf(names);
  const ids = applications.filter(({ name }) => name === invited.application).map(({ id }) => id);
  const data = { email: invited.email, applications: ids };
  const { link } = await dataOf(() => admin.request.post(`${origin}/api/trpc/invitations.create`, { data, headers }));
  const page = await visitor(browser);
  await acceptInvitation(page, link, invited.name);
  return page;
}

/** What a procedure answers, once the service isn't too busy to. Throws what it says otherwise. */
async function dataOf(call: () => Promise<APIResponse>) {
  let response = await call();
  await expect(async () => {
    if (BUSY.includes(response.status())) response = await call();
    expect(BUSY).not.toContain(response.status());
  }).toPass();
  const { result, error } = await response.json();
  if (!result) throw new Error(`${response.status()}: ${JSON.stringify(error)}`);
  return result.data;
}

/** Nobody is signed in. */
export async function visitor(browser: Browser): Promise<Page> {
  return await (await browser.newContext()).newPage();
}

export async function acceptInvitation(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Accept invitation" }).click();
  await expectListening(page);
}

/** What the dashboard's own scripts send with a call. */
export function scriptHeaders(origin: string): Record<string, string> {
  return { origin, "sec-fetch-site": "same-origin", "x-trpc-source": "dashboard" };
}
