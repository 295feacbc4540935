import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import pg from "pg";
import { type GoogleFake, startGoogle } from "../fakes/google/google";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { killAll, type Service, start } from "../start/service";
import { type Api, apiAt, credentials } from "./api";
import { type Application, startApplication } from "./application";

export const ADA = "ada@example.com";
export const BEN = "ben@example.com";
export const CAROL = "carol@example.com";

/** A service whose users have their calendars at a fake of Google, which notifies it of changes. It does not poll while tests run. */
export interface GoogleService {
  google: GoogleFake;
  application: Application;
  receiver: Receiver;
  service: Service;
  api: Api;
  /** The address that the application sends users to. */
  authorize(fields?: Record<string, string>): string;
  /** How much of each there is: what a sign-in that failed leaves behind shows here. */
  counts(): Promise<Record<string, number>>;
  end(): Promise<void>;
}

export async function startGoogleService(): Promise<GoogleService> {
  const dataDir = mkdtempSync(join(tmpdir(), "almanac-google-"));
  const accounts = [
    { email: ADA, name: "Ada" },
    { email: BEN, name: "Ben" },
    { email: CAROL, name: "Carol" },
  ];
  const [google, application, receiver] = await Promise.all([
    startGoogle({ accounts }),
    startApplication(),
    startReceiver(),
  ]);
  const bootstrap = [{ ...credentials, name: "Acme", redirect_uris: [application.callback] }];
  const service = await start(
    {
      DATA_DIR: dataDir,
      GOOGLE_CLIENT_ID: google.client.id,
      GOOGLE_CLIENT_SECRET: google.client.secret,
      GOOGLE_BASE_URL: google.origin,
      SYNC_POLL_SECONDS: "3600",
      CALLBACK_ALLOWED_ORIGINS: receiver.origin,
      BOOTSTRAP_APPLICATIONS: JSON.stringify(bootstrap),
    },
    resolve(import.meta.dirname, "../.."),
  );
  google.client.redirectUris.push(`${service.origin}/oauth/callback/google`);
  const socket = encodeURIComponent(join(dataDir, "socket"));
  const databaseUrl = `postgresql://almanac@localhost:5432/postgres?host=${socket}&sslmode=disable`;
  return {
    ...{ google, application, receiver, service, api: apiAt(() => service.origin) },
    authorize: (fields = {}) => {
      const asked = { response_type: "code", client_id: "acme", redirect_uri: application.callback, state: "s-1" };
      return `${service.origin}/oauth/authorize?${new URLSearchParams({ ...asked, ...fields })}`;
    },
    counts: () => countsIn(databaseUrl),
    end: async () => {
      await service.stop();
      killAll();
      await Promise.all([google.close(), application.close(), receiver.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const tables = ["accounts", "profiles", "calendars", "codes", "grants"];
const everything = `SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(", ")}`;

async function countsIn(databaseUrl: string): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(everything)).rows[0];
  } finally {
    await client.end();
  }
}

/** What the user does on Google's page; every box is ticked unless `scopes` says which are. */
export async function consentAtGoogle(page: Page, email: string, scopes = /./): Promise<void> {
  await page.getByRole("radio", { name: email }).check();
  for (const box of await page.getByRole("checkbox", { name: scopes }).all()) await box.check();
  await page.getByRole("button", { name: "Allow" }).click();
}
