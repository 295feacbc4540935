import { onTestFinished } from "vitest";
import type { Access } from "@/server/domain/access";
import type { CalendarAccount } from "@/server/providers/connector";
import { microsoftConnector } from "@/server/providers/microsoft/connector";
import type { Application } from "../api/service";
import { type MicrosoftFake, type MicrosoftOptions, startMicrosoft } from "../fakes/microsoft/microsoft";
import { connectedPerson } from "./world";

export interface Microsoft extends MicrosoftFake {
  connector: ReturnType<typeof microsoftConnector>;
  provider: "microsoft" | "outlook";
}

export interface MicrosoftSetUp extends MicrosoftOptions {
  /** Ada has a work account if omitted, and a personal one at Outlook.com. */
  provider?: "microsoft" | "outlook";
  /** Milliseconds for one of our requests. */
  deadlineMs?: number;
}

/** Microsoft until the test is over, and our way to it. Its sign-in page lets everybody in. */
export async function microsoft({ provider = "microsoft", deadlineMs, ...options }: MicrosoftSetUp = {}) {
  const kind = provider === "outlook" ? ("personal" as const) : ("work" as const);
  const accounts = options.accounts ?? [{ email: "ada@example.com", name: "Ada", kind }];
  const fake = await startMicrosoft({ ...options, accounts, knobs: { consent: "given", ...options.knobs } });
  onTestFinished(() => fake.close());
  const { id: clientId, secret: clientSecret } = fake.client;
  const connector = microsoftConnector({ clientId, clientSecret, provider, origin: fake.origin, deadlineMs });
  return Object.assign(fake, { connector, provider }) satisfies Microsoft;
}

/** Goes to Microsoft's page and comes back, as a browser does. */
async function signIn({ connector, client }: Microsoft, access: Access): Promise<CalendarAccount> {
  const redirectUri = client.redirectUris[0] ?? "";
  const { url, secret } = connector.signIn.begin({ redirectUri, state: "s", access });
  const page = await fetch(url, { redirect: "manual" });
  const back = new URL(page.headers.get("location") ?? "");
  const signedIn = await connector.signIn.finish({ redirectUri, query: back.searchParams, secret, access });
  if ("problem" in signedIn) throw new Error(signedIn.problem);
  return signedIn;
}

/** Ada, whose calendars at Microsoft are connected to an application of their own. Nothing is synced yet. */
export function connectMicrosoftPerson(microsoft: Microsoft, application?: Application, access?: Access) {
  const { connector, provider } = microsoft;
  const asked = (_: null, now: Access) => signIn(microsoft, now);
  return connectedPerson({ application, connector, provider, signIn: asked, access }, null);
}
