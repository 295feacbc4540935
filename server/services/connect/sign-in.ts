import { setTimeout as sleep } from "node:timers/promises";
import type { Connectable } from "@/server/domain/providers";
import { isFaulty } from "@/server/domain/text";
import {
  type CalendarAccount,
  type Connector,
  type Credentials,
  type OAuthSignIn,
  ProviderError,
  type RemoteCalendar,
  type SignInFailure,
  UNSUPPORTED_SIGN_IN,
} from "@/server/providers/connector";
import { connectorOf } from "@/server/providers/connectors";
import { signedInAccess } from "@/server/providers/signed-in-access";
import type { OwnClient } from "@/server/store/applications/oauth-clients";

/** How long a user waits at a blank page. */
const PATIENCE_MS = 45_000;
const LONGEST_USERNAME = 320;
const LONGEST_PASSWORD = 512;

/** A calendar account whose owner has signed in. */
export interface SignedInAccount {
  kind: "signed_in";
  account: CalendarAccount;
  calendars: RemoteCalendar[];
}

/** `detail` is for staff. */
type Unconnectable = { kind: "no_calendars" | "no_mailbox" } | { kind: "down"; detail: string };

/** `unsupported_sign_in`: the server has not seen the password, because it accepts none, or in no supported way. */
export type PasswordProblem = { kind: "wrong_password" | "unsupported_sign_in" } | Unconnectable;
export type CallbackProblem = { kind: SignInFailure } | Unconnectable;

/**
 * Signs in at a provider with a password, and lists the account's calendars. Takes 45 seconds at most; an unknown error
 * is thrown.
 */
export async function signInByPassword(
  provider: Connectable,
  { username, password, server }: Credentials,
): Promise<SignedInAccount | PasswordProblem> {
  const connector = connectorOf(provider);
  if (!connector) return notConfigured;
  const { signIn: way } = connector;
  if (way.kind !== "password") return { kind: "down", detail: "no sign-in with a password" };
  const isPossible = username.length <= LONGEST_USERNAME && password.length <= LONGEST_PASSWORD;
  if (!isPossible || isFaulty(username) || isFaulty(password)) return { kind: "wrong_password" };
  return ask(connector, passwordProblem, () => way.verify({ username, password, server }));
}

function passwordProblem({ fault, detail }: ProviderError): PasswordProblem | null {
  if (detail === UNSUPPORTED_SIGN_IN) return { kind: "unsupported_sign_in" };
  return fault.kind === "credentials_rejected" ? { kind: "wrong_password" } : null;
}

/** Where a user signs in by OAuth: `client` is the application's own. Null: that of the installation. */
export interface OAuthWay {
  provider: Connectable;
  client: OwnClient | null;
}

/**
 * Signs in like `signInByPassword`, for a user who has come back from the provider's page. `drop` receives an account
 * that is not used.
 */
export async function signInByCallback(
  { provider, client }: OAuthWay,
  callback: Parameters<OAuthSignIn["finish"]>[0],
  drop: (account: CalendarAccount) => Promise<void>,
): Promise<SignedInAccount | CallbackProblem> {
  const connector = connectorOf(provider);
  if (!connector) return notConfigured;
  const way = oauthOf(connector, client);
  if (!way) return noOAuth;
  const ownClient = client?.id ?? null;
  const finish = async (): Promise<CalendarAccount | { kind: SignInFailure }> => {
    const account = await way.finish(callback);
    if (!("problem" in account)) return { ...account, ownClient };
    if (account.granted) await drop({ ...account.granted, ownClient });
    return { kind: account.problem };
  };
  return ask(connector, rejectedAs("expired"), finish, drop);
}

/** Signs in like `signInByCallback`, with a refresh token that the user gave the same client elsewhere. It stays valid if it isn't used. */
export async function signInByToken(
  { provider, client }: OAuthWay,
  refreshToken: string,
): Promise<SignedInAccount | CallbackProblem> {
  const connector = connectorOf(provider);
  if (!connector) return notConfigured;
  const way = oauthOf(connector, client);
  if (!way) return noOAuth;
  const takeOver = async (): Promise<CalendarAccount | { kind: SignInFailure }> => {
    const account = await way.takeOver(refreshToken);
    return "problem" in account ? { kind: account.problem } : { ...account, ownClient: client?.id ?? null };
  };
  return ask(connector, rejectedAs("expired"), takeOver);
}

const notConfigured = { kind: "down", detail: "not configured" } as const;
const noOAuth = { kind: "down", detail: "no sign-in by OAuth" } as const;

function oauthOf({ signIn }: Connector, client: OwnClient | null): OAuthSignIn | null {
  if (signIn.kind !== "oauth") return null;
  return client ? signIn.as(client) : signIn;
}

function rejectedAs(kind: SignInFailure): (error: ProviderError) => { kind: SignInFailure } | null {
  return ({ fault }) => (fault.kind === "credentials_rejected" ? { kind } : null);
}

/**
 * Calls a provider within the time limit. `problemOf` returns what its error means to the user; null: the provider
 * cannot be reached.
 */
async function ask<Problem extends { kind: string }>(
  connector: Connector,
  problemOf: (error: ProviderError) => Problem | null,
  signIn: () => Promise<CalendarAccount | Problem>,
  drop: (account: CalendarAccount) => Promise<void> = async () => {},
): Promise<SignedInAccount | Unconnectable | Problem> {
  let account: CalendarAccount | null = null;
  let isLate = false;
  const attempt = async (): Promise<SignedInAccount | Unconnectable | Problem> => {
    try {
      const signedIn = await signIn();
      if (!("subject" in signedIn)) return signedIn;
      account = signedIn;
      const { calendars } = await connector.open(signedInAccess(account)).calendars(null);
      return calendars.length > 0 ? { kind: "signed_in", account, calendars } : { kind: "no_calendars" };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const problem = problemOf(error);
      if (problem) return problem;
      // The account has signed in, but has no mailbox that could contain calendars.
      const isMissing = error.fault.kind === "gone" || error.fault.kind === "no_mailbox";
      return account && isMissing ? { kind: "no_mailbox" } : { kind: "down", detail: error.message };
    }
  };
  const settled = async () => {
    const outcome = await attempt().catch(async (error) => {
      if (account) await drop(account);
      throw error;
    });
    if (account && (isLate || outcome.kind !== "signed_in")) await drop(account);
    return outcome;
  };
  const late = sleep(PATIENCE_MS, undefined, { ref: false }).then((): Unconnectable => {
    isLate = true;
    return { kind: "down", detail: "no answer in time" };
  });
  return await Promise.race([settled(), late]);
}
