import { setTimeout as sleep } from "node:timers/promises";
import type { Connectable } from "@/server/domain/providers";
import { isFaulty } from "@/server/domain/text";
import {
  type Connector,
  type Credentials,
  type PasswordSignIn,
  ProviderError,
  type RemoteCalendar,
  type SignedIn,
} from "@/server/providers/connector";
import { connectorOf } from "@/server/providers/connectors";
import { signedInAccess } from "@/server/providers/signed-in-access";

/** Nobody looks at a blank page for longer. */
const PATIENCE_MS = 45_000;
const LONGEST_USERNAME = 320;
const LONGEST_PASSWORD = 512;

export type SignInOutcome =
  | { kind: "signed_in"; account: SignedIn; calendars: RemoteCalendar[] }
  | { kind: "wrong_password" }
  | { kind: "no_calendars" }
  /** `detail` is for staff. */
  | { kind: "down"; detail: string };

/** Signs in at a provider and lists the account's calendars, in 45 seconds at most. What the provider says no with is a value; an unknown error is thrown. */
export async function signIn(provider: Connectable, { username, password }: Credentials): Promise<SignInOutcome> {
  const connector = connectorOf(provider);
  if (!connector) return { kind: "down", detail: "not configured" };
  const { signIn: way } = connector;
  if (way.kind !== "password") return { kind: "down", detail: "no sign-in with a password" };
  const isPossible = username.length <= LONGEST_USERNAME && password.length <= LONGEST_PASSWORD;
  if (!isPossible || isFaulty(username) || isFaulty(password)) return { kind: "wrong_password" };
  return Promise.race([ask(connector, way, { username, password }), tooLate()]);
}

async function ask(connector: Connector, way: PasswordSignIn, credentials: Credentials): Promise<SignInOutcome> {
  try {
    const account = await way.verify(credentials);
    const { calendars } = await connector.open(signedInAccess(account)).calendars(null);
    return calendars.length > 0 ? { kind: "signed_in", account, calendars } : { kind: "no_calendars" };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.fault.kind === "credentials_rejected"
      ? { kind: "wrong_password" }
      : { kind: "down", detail: error.message };
  }
}

async function tooLate(): Promise<SignInOutcome> {
  await sleep(PATIENCE_MS, undefined, { ref: false });
  return { kind: "down", detail: "no answer in time" };
}
