import type { Database } from "@/server/db/client";
import { newToken } from "@/server/db/new-id";
import type { Connectable } from "@/server/domain/providers";
import type { CalendarAccount, Connector, OAuthSignIn } from "@/server/providers/connector";
import { signedInAccess } from "@/server/providers/signed-in-access";
import { connectCalendarAccount } from "@/server/services/connect/connect-account";

export interface Connection {
  applicationId: string;
  provider: Connectable;
  connector: Pick<Connector, "open">;
  account: CalendarAccount;
}

/** Connects the calendars of an account at a provider to an application, as the connect page does. */
export async function connectCalendars(db: Database, { connector, ...connection }: Connection) {
  const { calendars } = await connector.open(signedInAccess(connection.account)).calendars(null);
  const connected = await connectCalendarAccount(db, {
    ...{ ...connection, calendars, foreignEdits: false, access: "full", now: Date.now() },
    request: { redirectUri: "https://app.acme.io/callback", codeChallenge: null, linkToken: null },
  });
  if (connected.kind !== "connected") throw new Error("not connected");
  return connected;
}

/** Signs in at a provider that consents, as the owner of this email address; without one as whoever consents there. */
export async function signInByRedirect(
  { signIn }: { signIn: OAuthSignIn },
  redirectUri: string,
  email = "",
): Promise<CalendarAccount> {
  const { url, secret } = signIn.begin({ redirectUri, state: newToken() });
  const page = await fetch(`${url}&login_hint=${encodeURIComponent(email)}`, { redirect: "manual" });
  const { searchParams: query } = new URL(page.headers.get("location") ?? "");
  const account = await signIn.finish({ redirectUri, query, secret });
  if ("problem" in account) throw new Error(account.problem);
  return account;
}
