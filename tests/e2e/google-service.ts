import type { Page } from "@playwright/test";
import { type GoogleFake, startGoogle } from "../fakes/google/google";
import { ADA, BEN, CAROL, type ProviderService, startProviderService } from "./provider-service";

export interface GoogleService extends ProviderService {
  google: GoogleFake;
}

export async function startGoogleService(): Promise<GoogleService> {
  const accounts = [
    { email: ADA, name: "Ada" },
    { email: BEN, name: "Ben" },
    { email: CAROL, name: "Carol" },
  ];
  const google = await startGoogle({ accounts });
  const { id: GOOGLE_CLIENT_ID, secret: GOOGLE_CLIENT_SECRET } = google.client;
  const env = { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_BASE_URL: google.origin };
  return { google, ...(await startProviderService(google, { path: "google", env })) };
}

/** What the user does on Google's page; every box is ticked unless `scopes` says which are. */
export async function consentAtGoogle(page: Page, email: string, scopes = /./): Promise<void> {
  await page.getByRole("radio", { name: email }).check();
  for (const box of await page.getByRole("checkbox", { name: scopes }).all()) await box.check();
  await page.getByRole("button", { name: "Allow" }).click();
}
