import { onTestFinished } from "vitest";
import type { Access } from "@/server/domain/access";
import type { CalendarAccount } from "@/server/providers/connector";
import { googleConnector } from "@/server/providers/google/connector";
import { exchange, withToken } from "../api/grants";
import type { Application } from "../api/service";
import { type GoogleFake, type GoogleOptions, startGoogle } from "../fakes/google/google";
import { connectedPerson } from "./world";

export interface Google extends GoogleFake {
  connector: ReturnType<typeof googleConnector>;
}

export interface GoogleSetUp extends GoogleOptions {
  /** Milliseconds for one of our requests. */
  deadlineMs?: number;
}

/** Google until the test is over, and our way to it. Its consent page lets everybody in. */
export async function google({ deadlineMs, ...options }: GoogleSetUp = {}): Promise<Google> {
  const fake = await startGoogle({ ...options, knobs: { consent: "given", ...options.knobs } });
  onTestFinished(() => fake.close());
  const { id: clientId, secret: clientSecret } = fake.client;
  const connector = googleConnector({ clientId, clientSecret, origin: fake.origin, deadlineMs });
  return Object.assign(fake, { connector });
}

/** Goes to Google's page and comes back, as a browser does. */
async function signIn({ connector, client }: Google, access: Access): Promise<CalendarAccount> {
  const redirectUri = client.redirectUris[0] ?? "";
  const { url, secret } = connector.signIn.begin({ redirectUri, state: "s", access });
  const page = await fetch(url, { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  const signedIn = await connector.signIn.finish({ redirectUri, query: back.searchParams, secret, access });
  if ("problem" in signedIn) throw new Error(signedIn.problem);
  return signedIn;
}

/** Ada, whose calendars at Google are connected to an application of their own. Nothing is synced yet. */
export function connectGooglePerson(provider: Google, application?: Application, access?: Access) {
  const { connector } = provider;
  const asked = (_: null, now: Access) => signIn(provider, now);
  return connectedPerson({ application, connector, provider: "google" as const, signIn: asked, access }, null);
}

type GooglePerson = Awaited<ReturnType<typeof connectGooglePerson>>;

/** They connect once more, as whose access tokens have all ended: what reads with a new one. */
export async function readerAfterReconnecting(person: GooglePerson) {
  const { code } = await person.connectAgain(null);
  const { json } = await exchange(person.application, code);
  return (path: string) => withToken("GET", path, json.access_token);
}
