import type { Database } from "@/server/db/client";
import { newToken } from "@/server/db/new-id";
import { googleConnector } from "@/server/providers/google/connector";
import { signedInAccess } from "@/server/providers/signed-in-access";
import { connectCalendarAccount } from "@/server/services/connect/connect-account";
import type { GoogleFake } from "./google/google";

/** The configuration of a service whose Google is the fake. */
export function googleEnv({ client, origin }: GoogleFake) {
  return { GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret, GOOGLE_BASE_URL: origin };
}

/** Connects the account that consents at the fake to an application, as the connect page does. Its first sync is due. */
export async function connectGoogleAccount(db: Database, google: GoogleFake, applicationId: string) {
  const { id: clientId, secret: clientSecret, redirectUris } = google.client;
  const connector = googleConnector({ clientId, clientSecret, origin: google.origin });
  const redirectUri = redirectUris[0] ?? "";
  const { url, secret } = connector.signIn.begin({ redirectUri, state: newToken() });
  const page = await fetch(url, { redirect: "manual" });
  const { searchParams: query } = new URL(page.headers.get("location") ?? "");
  const account = await connector.signIn.finish({ redirectUri, query, secret });
  if ("problem" in account) throw new Error(account.problem);
  const connected = await connectCalendarAccount(db, {
    ...{ applicationId, provider: "google", account, now: Date.now() },
    request: { redirectUri: "https://app.acme.io/callback", codeChallenge: null, linkToken: null },
    calendars: (await connector.open(signedInAccess(account)).calendars(null)).calendars,
  });
  if (connected.kind !== "connected") throw new Error("not connected");
  const { accountId, profileId } = connected;
  await db.query("UPDATE profile_syncs SET sync_due_at = clock_timestamp() WHERE profile_id = $1", [profileId]);
  return { accountId, profileId };
}
