import { randomBytes } from "node:crypto";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import { type Answer, type Application, call } from "./service";

export const REDIRECT_URI = "https://app.acme.io/callback";
const CODE_LIFE_MS = 600_000;

/** The credentials of an application as bodies have them. */
export function credentialsOf({ clientId, clientSecret }: Application) {
  return { client_id: clientId, client_secret: clientSecret };
}

/** POST /oauth/token with the right credentials, unless `fields` say otherwise. */
export function token(application: Application, fields: Record<string, unknown>): Promise<Answer> {
  return call("POST", "/oauth/token", { json: { ...credentialsOf(application), ...fields } });
}

export function exchange(application: Application, code: string, more: Record<string, unknown> = {}): Promise<Answer> {
  return token(application, { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, ...more });
}

export function refresh(application: Application, refreshToken: string): Promise<Answer> {
  return token(application, { grant_type: "refresh_token", refresh_token: refreshToken });
}

export function revoke(application: Application, revoked: string): Promise<Answer> {
  return call("POST", "/oauth/token/revoke", { json: { ...credentialsOf(application), token: revoked } });
}

export function withToken(method: string, path: string, accessToken: string, json?: unknown): Promise<Answer> {
  return call(method, path, { json, headers: { authorization: `Bearer ${accessToken}` } });
}

/** An account whose person came through the connect page: one profile with a writable and a read-only calendar. */
export interface Connected {
  accountId: string;
  profileId: string;
  calendarIds: { writable: string; readonly: string };
}

export async function connectAccount(application: Application): Promise<Connected> {
  const ids = { account: newId("acc"), profile: newId("pro"), writable: newId("cal"), readonly: newId("cal") };
  const owner = await applicationId(application);
  await db().transaction(async (query) => {
    await query(
      `INSERT INTO accounts (id, application_id, kind, name, email, default_tzid)
VALUES ($1, $2, 'account', 'Ada Fonda', 'ada@acme.io', 'Europe/Paris')`,
      [ids.account, owner],
    );
    await query(
      `INSERT INTO profiles (id, account_id, application_id, provider, service, subject, name, credential)
VALUES ($1, $2, $3, 'google', 'google_workspace', $1, 'ada@acme.io', 'sealed')`,
      [ids.profile, ids.account, owner],
    );
    await query(
      `INSERT INTO calendars (id, account_id, profile_id, number, external_id, name, readonly, "primary", integrated_conferencing)
VALUES ($1, $2, $3, 1, 'first', 'Ada', false, true, true), ($4, $2, $3, 2, 'second', 'Holidays', true, false, false)`,
      [ids.writable, ids.account, ids.profile, ids.readonly],
    );
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
  await db().query(
    `INSERT INTO codes (hash, application_id, account_id, profile_id, redirect_uri, code_challenge, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      digest(code),
      await applicationId(application),
      account.accountId,
      account.profileId,
      REDIRECT_URI,
      challenge,
      new Date(issuedAt),
      new Date(issuedAt + CODE_LIFE_MS),
    ],
  );
  return code;
}

/** A connected account with its first tokens. */
export async function connectedWithTokens(application: Application) {
  const account = await connectAccount(application);
  const { json } = await exchange(application, await issueCode(application, account));
  return { ...account, accessToken: json.access_token as string, refreshToken: json.refresh_token as string };
}

export async function applicationId({ clientId }: Application): Promise<string> {
  const [row] = await db().query<{ id: string }>("SELECT id FROM applications WHERE client_id = $1", [clientId]);
  if (!row) throw new Error("the application is not registered");
  return row.id;
}
