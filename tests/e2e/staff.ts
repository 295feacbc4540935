import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, type Page, test as plain } from "@playwright/test";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { killAll, type Service, start } from "../start/service";
import { seedPeople } from "./people-data";
import { type Seeded, seedStaffData } from "./staff-data";

const operator = { email: "ada@almanac.test", password: "correct-horse-battery" };
const redirectUri = "https://acme-scheduling.io/callback";
const applications = ["acme", "north", "larch"].map((name) => ({
  name: `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
  client_id: name,
  client_secret: `${name}-secret`,
  redirect_uris: [redirectUri],
}));

/** A service with a day's work in it, and a receiver for what it sends. */
export interface Staffed extends Seeded {
  service: Service;
  receiver: Receiver;
  databaseUrl: string;
  /** Of each application. */
  redirectUri: string;
  /** Who signs in. */
  operator: { email: string; password: string };
  end(): Promise<void>;
}

/** Tests about staff share one service: what each creates has a name of its own, and none counts on what another leaves behind. */
export const test = plain.extend<object, { staffed: Staffed }>({
  staffed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see what a fixture uses.
    async ({}, use) => {
      const staffed = await startStaffed();
      await use(staffed);
      await staffed.end();
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

async function startStaffed(): Promise<Staffed> {
  const dataDir = mkdtempSync(join(tmpdir(), "almanac-staff-"));
  const receiver = await startReceiver();
  const service = await start(
    {
      DATA_DIR: dataDir,
      ADMIN_EMAIL: operator.email,
      ADMIN_PASSWORD: operator.password,
      CALLBACK_ALLOWED_ORIGINS: receiver.origin,
      BOOTSTRAP_APPLICATIONS: JSON.stringify(applications),
    },
    resolve(import.meta.dirname, "../.."),
  );
  const socket = encodeURIComponent(join(dataDir, "socket"));
  const databaseUrl = `postgresql://almanac@localhost:5432/postgres?host=${socket}&sslmode=disable`;
  const seeded = await seedStaffData({ origin: service.origin, databaseUrl, applications, receiver: receiver.origin });
  await seedPeople(databaseUrl);
  const end = async () => {
    await service.stop();
    killAll();
    await receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...seeded, service, receiver, databaseUrl, redirectUri, operator, end };
}

/** Signs in and arrives at a page of the dashboard: with the session of the last time while it lasts, since tries are counted. */
export async function signIn(
  page: Page,
  { service, operator }: Pick<Staffed, "service" | "operator">,
  path: string,
): Promise<void> {
  const key = `${service.origin} ${operator.email}`;
  await page.context().addCookies(sessions.get(key) ?? []);
  await page.goto(`${service.origin}${path}`);
  if (new URL(page.url()).pathname === "/dashboard/sign-in") {
    await page.getByLabel("Email").fill(operator.email);
    await page.getByLabel("Password").fill(operator.password);
    await page.getByRole("button", { name: "Sign in" }).click();
  }
  await expectListening(page);
  sessions.set(key, await page.context().cookies());
}

/**
 * A page of the dashboard that is there and hears keys and clicks. The server sends its frame first; until its scripts run a key is lost,
 * and a button that is not a link does nothing.
 */
export async function expectListening(page: Page): Promise<void> {
  await expect(page.getByRole("navigation", { name: "Dashboard" })).toBeVisible();
  await page.waitForLoadState();
  await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toHaveText(/^(?!Loading)./);
  await expect(page.locator("header [aria-keyshortcuts]")).toBeVisible();
}

const sessions = new Map<string, Parameters<ReturnType<Page["context"]>["addCookies"]>[0]>();

/** What the page complains about, and asks other hosts for: both are to stay empty. */
export function watch(page: Page): { complaints: string[]; outside: string[] } {
  const seen = { complaints: [] as string[], outside: [] as string[] };
  page.on("console", (message) => {
    const isIcon = message.location().url.endsWith("/favicon.ico");
    if (["error", "warning"].includes(message.type()) && !isIcon) seen.complaints.push(message.text());
  });
  page.on("pageerror", (error) => seen.complaints.push(String(error)));
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== "data:" && !["127.0.0.1", "localhost"].includes(hostname)) seen.outside.push(request.url());
  });
  return seen;
}
