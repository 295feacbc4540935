import { randomBytes } from "node:crypto";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import { type ApiResponse, type Application, call } from "./service";

export const REDIRECT_URI = "https://app.acme.io/callback";
const CODE_LIFE_MS = 600_000;

/** The credentials of an application as bodies have them. */
export function credentialsOf({ clientId, clientSecret }: Application) {
  return { client_id: clientId, client_secret: clientSecret };
}

/** POST /oauth/token with the right credentials, unless `fields` say otherwise. */
export function token(application: Application, fields: Record<string, unknown>): Promise<ApiResponse> {
  return call("POST", "/oauth/token", { json: { ...credentialsOf(application), ...fields } });
}

export function exchange(
  application: Application,
  code: string,
  more: Record<string, unknown> = {},
): Promise<ApiResponse> {
  return token(application, { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, ...more });
}

export function refresh(application: Application, refreshToken: string): Promise<ApiResponse> {
  return token(application, { grant_type: "refresh_token", refresh_token: refreshToken });
}

export function revoke(application: Application, revoked: string): Promise<ApiResponse> {
  return call("POST", "/oauth/token/revoke", { json: { ...credentialsOf(application), token: revoked } });
}

export function withToken(method: string, path: string, accessToken: string, json?: unknown): Promise<ApiResponse> {
  return call(method, path, { json, headers: { authorization: `Bearer ${accessToken}` } });
}

/** An account whose person came through the connect page: one profile with a writable and a read-only calendar. */
export interface ConnectedAccount {
  accountId: string;
  profileId: string;
  calendarIds: { writable: string; readonly: string };
}

export async function connectAccount(application: Application): Promise<ConnectedAccount> {
  const ids = { account: newId("acc"), profile: newId("pro"), writable: newId("cal"), readonly: newId("cal") };
  const owner = await applicationId(application);
  const { prisma } = db();
  const person = { name: "Ada Fonda", email: "ada@acme.io", defaultTzid: "Europe/Paris" };
  await prisma.account.create({ data: { id: ids.account, applicationId: owner, kind: "account", ...person } });
  const [provider, service] = ["google", "google_workspace"] as const;
  const mailbox = { provider, service, subject: ids.profile, name: "ada@acme.io", credential: "sealed" };
  await prisma.profile.create({
    data: { id: ids.profile, accountId: ids.account, applicationId: owner, ...mailbox },
  });
  const owners = { accountId: ids.account, profileId: ids.profile };
  const first = { externalId: "first", name: "Ada", primary: true, integratedConferencing: true };
  const second = { externalId: "second", name: "Holidays", readonly: true };
  await prisma.calendar.createMany({
    data: [
      { id: ids.writable, ...owners, number: 1, ...first },
      { id: ids.readonly, ...owners, number: 2, ...second },
    ],
  });
  return {
    accountId: ids.account,
    profileId: ids.profile,
    calendarIds: { writable: ids.writable, readonly: ids.readonly },
  };
}

/** An authorization code as the connect page issues it for the account. */
export async function issueCode(
  application: Application,
  account: { accountId: string; profileId: string },
  { challenge = null, issuedAt = clock().now() }: { challenge?: string | null; issuedAt?: number } = {},
): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  await db().prisma.code.create({
    data: {
      hash: digest(code),
      applicationId: await applicationId(application),
      accountId: account.accountId,
      profileId: account.profileId,
      redirectUri: REDIRECT_URI,
      codeChallenge: challenge,
      createdAt: new Date(issuedAt),
      expiresAt: new Date(issuedAt + CODE_LIFE_MS),
    },
  });
  return code;
}

/** A connected account with its first tokens. */
export async function connectedWithTokens(application: Application) {
  const account = await connectAccount(application);
  const { json } = await exchange(application, await issueCode(application, account));
  return { ...account, accessToken: json.access_token as string, refreshToken: json.refresh_token as string };
}

export async function applicationId({ clientId }: Application): Promise<string> {
  return (await db().prisma.application.findUniqueOrThrow({ where: { clientId } })).id;
}
