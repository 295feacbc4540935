import type { Database } from "@/server/db/client";
import { googleConnector } from "@/server/providers/google/connector";
import { connectCalendars, signInByRedirect } from "./connection";
import type { GoogleFake } from "./google/google";

/** The configuration of a service whose Google is the fake. */
export function googleEnv({ client, origin }: GoogleFake) {
  return { GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret, GOOGLE_BASE_URL: origin };
}

/** Connects the account that consents at the fake to an application, as the connect page does. Its first sync is due. */
export async function connectGoogleAccount(db: Database, google: GoogleFake, applicationId: string) {
  const { id: clientId, secret: clientSecret, redirectUris } = google.client;
  const connector = googleConnector({ clientId, clientSecret, origin: google.origin });
  const account = await signInByRedirect(connector, redirectUris[0] ?? "");
  const connection = { applicationId, provider: "google" as const, connector, account };
  const { accountId, profileId } = await connectCalendars(db, connection);
  await db.query("UPDATE profile_syncs SET sync_due_at = clock_timestamp() WHERE profile_id = $1", [profileId]);
  return { accountId, profileId };
}
