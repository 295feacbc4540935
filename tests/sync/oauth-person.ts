import type { Connectable } from "@/server/domain/providers";
import type { CalendarAccount } from "@/server/providers/connector";
import { REDIRECT_URI } from "../api/grants";
import type { OAuthCalendars } from "../fakes/oauth-calendars";
import { oauthConnector } from "../fakes/oauth-connector";
import { connectedPerson } from "./world";

/** Goes to the provider's page and comes back, as a browser does. */
export async function signInAtProvider(provider: OAuthCalendars): Promise<CalendarAccount> {
  const { signIn } = oauthConnector(provider.url);
  const { url, secret } = signIn.begin({ redirectUri: REDIRECT_URI, state: "s" });
  const page = await fetch(url, { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  const signedIn = await signIn.finish({ redirectUri: REDIRECT_URI, query: back.searchParams, secret });
  if ("problem" in signedIn) throw new Error(signedIn.problem);
  return signedIn;
}

/** Somebody whose calendars at the provider are connected to an application of their own. Nothing is synced yet. */
export function connectOAuthPerson(provider: OAuthCalendars, name: Connectable = "google") {
  const connector = oauthConnector(provider.url);
  return connectedPerson({ connector, provider: name, signIn: () => signInAtProvider(provider) }, null);
}

export type OAuthPerson = Awaited<ReturnType<typeof connectOAuthPerson>>;
