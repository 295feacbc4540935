import type { Connection, Database } from "@/server/db/client";
import { newToken } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import type { ConnectRequest } from "@/server/services/connect/request";
import { storeCode } from "@/server/store/grants/codes";
import { sealPending } from "@/server/store/grants/pending-account";
import { lockLinkedAccount, spendLinkToken } from "@/server/store/link-tokens/link-tokens";
import {
  findProfile,
  type ProviderAccount,
  storeProfile,
  takeApplication,
  wakeProfile,
} from "@/server/store/profiles/connected-profile";
import type { ProfileOfAccount } from "@/server/store/profiles/connected-profile.sql";

export interface ConnectInput extends ProviderAccount {
  applicationId: string;
  request: Pick<ConnectRequest, "redirectUri" | "codeChallenge" | "linkToken">;
  /** In milliseconds since 1970. */
  now: number;
}

export type ConnectResult =
  | { kind: "connected"; code: string; accountId: string; profileId: string }
  /** With a link token: the calendar account joins the account when the code is exchanged. */
  | { kind: "pending"; code: string; accountId: string }
  /** The link token was used in the meantime, or its account was revoked. */
  | { kind: "link_ended" }
  /** The calendar account belongs to another account of the application. The link token stays valid. */
  | { kind: "elsewhere" }
  /** With a reconnect link: it is not the calendar account of its profile. The link stays valid. */
  | { kind: "other_account" };

/**
 * Issues the authorization code for a calendar account whose owner signed in, in one transaction. Without a link token
 * the calendar account is stored with its first calendars: one that the application knows comes back as the same
 * profile, calendars and account ("Profile, disconnected"), a new one creates an account. With a link token only what
 * is sealed in the code is stored: the calendar account joins the token's account when the code is exchanged, after the
 * application has checked `state`. A reconnect link stores at once, because its profile has joined its account before.
 */
export async function connectCalendarAccount(db: Database, input: ConnectInput): Promise<ConnectResult> {
  const connected = await db.transaction(async (query, prisma): Promise<ConnectResult> => {
    const connection = { query, prisma };
    await takeApplication(query, input.applicationId);
    const { linkToken } = input.request;
    return linkToken === null ? connectNow(connection, input) : byLinkToken(connection, input, linkToken);
  });
  if (connected.kind === "connected") wakeProfile();
  return connected;
}

async function connectNow(connection: Connection, input: ConnectInput): Promise<ConnectResult> {
  const { applicationId, provider, account } = input;
  const known = await findProfile(connection.query, { applicationId, provider, subject: account.subject });
  const profile = await storeProfile(connection, { ...input, known, accountId: null });
  return { kind: "connected", ...profile, code: await issueCode(connection, input, profile) };
}

async function byLinkToken(connection: Connection, input: ConnectInput, linkToken: string): Promise<ConnectResult> {
  const { query, prisma } = connection;
  const { applicationId, provider, account, now } = input;
  const hash = Buffer.from(linkToken, "base64url");
  const linked = await lockLinkedAccount(query, { hash, applicationId, now });
  if (!linked) return { kind: "link_ended" };
  const known = await findProfile(query, { applicationId, provider, subject: account.subject });
  const { reconnects } = linked;
  if (reconnects && known?.profileId !== reconnects.id) return { kind: "other_account" };
  if (known && known.accountId !== linked.accountId) return { kind: "elsewhere" };
  if (!(await spendLinkToken(prisma, { hash, now }))) return { kind: "link_ended" };
  if (reconnects) return await connectNow(connection, input);
  const { accountId } = linked;
  return { kind: "pending", accountId, code: await issueCode(connection, input, { accountId, profileId: null }) };
}

async function issueCode(
  { prisma }: Connection,
  input: ConnectInput,
  { accountId, profileId }: Pick<ProfileOfAccount, "accountId"> & { profileId: string | null },
): Promise<string> {
  const { applicationId, request, now } = input;
  const code = newToken();
  const hash = digest(code);
  const pending = profileId === null ? sealPending(hash, input) : null;
  const { redirectUri, codeChallenge } = request;
  await storeCode(prisma, { hash, applicationId, accountId, profileId, pending, redirectUri, codeChallenge, now });
  return code;
}
